/** Which terminals a page has and which of them it shows: one, or two beside each other. Ids are never used again. */
import { SHELLS_MAX } from '#schema/remote/terminal-frame'

export type Side = 'left' | 'right'
export type Desk = {
  ids: readonly number[]
  next: number
  left: number
  /** null: not split. */
  right: number | null
  /** Where the keyboard is. */
  side: Side
}

/** A desk with this number of terminals; at least one. The last one is shown. */
export function deskOf(count: number): Desk {
  const ids = Array.from({ length: Math.min(SHELLS_MAX, Math.max(1, count)) }, (_, i) => i + 1)
  return { ids, next: ids.length + 1, left: ids.length, right: null, side: 'left' }
}

export const frontOf = ({ left, right, side }: Desk): number =>
  side === 'right' && right !== null ? right : left

/** On the side of the keyboard; one that is already on the other side gets the keyboard there. */
export function show(desk: Desk, id: number): Desk {
  if (!desk.ids.includes(id)) return desk
  if (id === desk.left) return { ...desk, side: 'left' }
  if (id === desk.right) return { ...desk, side: 'right' }
  return { ...desk, [desk.right === null ? 'left' : desk.side]: id }
}

export function add(desk: Desk): Desk {
  if (desk.ids.length >= SHELLS_MAX) return desk
  return show({ ...desk, ids: [...desk.ids, desk.next], next: desk.next + 1 }, desk.next)
}

/** The other side gets the next terminal that is not shown, or a new one. */
export function split(desk: Desk): Desk {
  if (desk.right !== null) return { ...desk, left: frontOf(desk), right: null, side: 'left' }
  const other = desk.ids.find((id) => id !== desk.left)
  if (other !== undefined) return { ...desk, right: other, side: 'right' }
  return { ...desk, ids: [...desk.ids, desk.next], next: desk.next + 1, right: desk.next, side: 'right' }
}

/** The last one stays: a page of a terminal has one. */
export function close(desk: Desk, id: number): Desk {
  const at = desk.ids.indexOf(id)
  if (at < 0 || desk.ids.length === 1) return desk
  const ids = desk.ids.filter((one) => one !== id)
  const rest = { ...desk, ids }
  if (id !== desk.left && id !== desk.right) return rest
  const other = id === desk.left ? desk.right : desk.left
  const hidden = ids.filter((one) => one !== other)
  const next = hidden[Math.min(at, hidden.length - 1)]
  if (next === undefined) return { ...rest, left: other ?? desk.left, right: null, side: 'left' }
  return { ...rest, [id === desk.left ? 'left' : 'right']: next }
}

/** The terminal before or after the one with the keyboard, around the ends. */
export function step(desk: Desk, by: 1 | -1): Desk {
  const { ids } = desk
  const next = ids[(ids.indexOf(frontOf(desk)) + by + ids.length) % ids.length]
  return next === undefined ? desk : show(desk, next)
}
