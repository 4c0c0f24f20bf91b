/** Keys of the visible page. The shell listens (web/shell/shortcuts-host.tsx) and lists them on the sheet behind `?`. */
import { useEffect, useEffectEvent } from 'react'
import type { Key } from '#schema/kit/words.gen'

/** `key`: one character as KeyboardEvent.key says it, in lower case. */
export type Shortcut = { key: string; label: Key; run: () => void }

let registered: readonly (readonly Shortcut[])[] = []

/** Those of the page in view: one hidden behind another tab has none. */
export const shortcuts = (): readonly Shortcut[] => registered.flat()

/**
 * Registers keys while the page is in view; they rest while somebody types or a dialog is open.
 *
 *   useShortcuts([{ key: 'j', label: 'alarm:keys.move', run: () => move(1) }])
 */
export function useShortcuts(mine: readonly Shortcut[]) {
  const press = useEffectEvent((key: string) => mine.find((one) => one.key === key)?.run())
  const names = mine.map(({ key, label }) => `${key} ${label}`).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: their keys and labels name them; `run` is always the latest
  useEffect(() => {
    const live = mine.map(({ key, label }) => ({ key, label, run: () => press(key) }))
    registered = [...registered, live]
    return () => {
      registered = registered.filter((one) => one !== live)
    }
  }, [names])
}

/** Does this element take letters itself? */
export const isTyping = (target: EventTarget | null) =>
  target instanceof Element &&
  target.closest(
    'input:not([type=checkbox], [type=radio], [type=button]), textarea, select, [contenteditable]:not([contenteditable=false])',
  ) !== null

/** Something lies over the page and has the keyboard. */
export const isCovered = () => document.querySelector('[role=dialog][aria-modal], [role=menu]') !== null
