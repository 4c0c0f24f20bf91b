/** Shortcuts of the visible page. The shell handles them (web/shell/shortcuts-host.tsx) and lists them behind `?`. */
import { useEffect, useEffectEvent } from 'react'
import type { Key } from '#schema/kit/words.gen'

/** `key`: one character as in KeyboardEvent.key, in lower case. */
export type Shortcut = { key: string; label: Key; run: () => void }

let registered: readonly (readonly Shortcut[])[] = []

/** Those of the visible page; pages behind other tabs have none. */
export const shortcuts = (): readonly Shortcut[] => registered.flat()

/**
 * Registers shortcuts while the page is visible; they are disabled while the user types or a dialog is open.
 * useShortcuts([{ key: 'j', label: 'alarm:keys.move', run: () => move(1) }])
 */
export function useShortcuts(mine: readonly Shortcut[]) {
  const press = useEffectEvent((key: string) => mine.find((one) => one.key === key)?.run())
  const names = mine.map(({ key, label }) => `${key} ${label}`).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: keys identify them; `run` is always the latest
  useEffect(() => {
    const live = mine.map(({ key, label }) => ({ key, label, run: () => press(key) }))
    registered = [...registered, live]
    return () => {
      registered = registered.filter((one) => one !== live)
    }
  }, [names])
}

/** Whether this element takes text input. */
export const isTyping = (target: EventTarget | null) =>
  target instanceof Element &&
  target.closest(
    'input:not([type=checkbox], [type=radio], [type=button]), textarea, select, [contenteditable]:not([contenteditable=false])',
  ) !== null

/** Whether a dialog or menu has the keyboard. */
export const isCovered = () => document.querySelector('[role=dialog][aria-modal], [role=menu]') !== null
