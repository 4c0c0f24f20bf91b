/** Keys of the terminals of a page: Alt and Shift with a key, which shells and their programs leave free. */
import { add, close, type Desk, frontOf, show, split, step } from './desk.ts'

const moves: Readonly<Record<string, (desk: Desk) => Desk>> = {
  KeyN: add,
  KeyW: (desk) => close(desk, frontOf(desk)),
  KeyS: split,
  ArrowLeft: (desk) => step(desk, -1),
  ArrowRight: (desk) => step(desk, 1),
}

/** As they are written in hints. */
export const deskKeys = { add: 'Alt+Shift+N', close: 'Alt+Shift+W', split: 'Alt+Shift+S' } as const

/** What this key does; undefined: it is the terminal's. `code`, because Alt changes the character on some keyboards. */
export function deskMove({ code, altKey, shiftKey, ctrlKey, metaKey }: KeyboardEvent) {
  if (!altKey || !shiftKey || ctrlKey || metaKey) return undefined
  const digit = /^Digit([1-9])$/.exec(code)?.[1]
  if (digit === undefined) return moves[code]
  return (desk: Desk) => show(desk, desk.ids[Number(digit) - 1] ?? 0)
}
