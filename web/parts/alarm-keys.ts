/** J and K move, X selects, E acknowledges, H handles: while no field has the keyboard and no dialog is open. */
import { useEffect, useEffectEvent } from 'react'

export type AlarmKeys = Readonly<Record<'j' | 'k' | 'x' | 'e' | 'h', () => void>>

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  target.closest('input:not([type=checkbox]), textarea, select, [contenteditable], [role=dialog]') !== null

export function useAlarmKeys(active: boolean, keys: AlarmKeys) {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
    if (document.querySelector('[role=dialog]')) return
    const run = keys[event.key.toLowerCase() as keyof AlarmKeys]
    if (!run) return
    event.preventDefault()
    run()
  })
  useEffect(() => {
    if (!active) return
    const listen = (event: KeyboardEvent) => press(event)
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [active])
}
