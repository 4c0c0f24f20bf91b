/** The widgets of a panel while they are edited, with the way back. Pure. */
import type { ReplyOf } from '#schema/kit/call'
import type { getPanel } from '#schema/monitor/panel'
import {
  freePlace,
  type Place,
  placed,
  snapped,
  type WidgetKind,
  widgetFacts,
} from '#schema/monitor/panel-layout'

export type Widget = ReplyOf<typeof getPanel>['widgets'][number]
export type Variable = Widget['variables'][number]

const STEPS_MAX = 75

export type Draft = {
  now: readonly Widget[]
  past: readonly (readonly Widget[])[]
  future: readonly (readonly Widget[])[]
  /** What the last step changed: another one of the same is no step of its own (typing, arrow keys). */
  mark: string | null
}

export const draftOf = (now: readonly Widget[]): Draft => ({ now, past: [], future: [], mark: null })

export function changed(draft: Draft, now: readonly Widget[], mark: string | null = null): Draft {
  if (now === draft.now) return draft
  const goesOn = mark !== null && mark === draft.mark
  const past = goesOn ? draft.past : [...draft.past, draft.now].slice(-STEPS_MAX)
  return { now, past, future: [], mark }
}

export function undone(draft: Draft): Draft {
  const now = draft.past.at(-1)
  return now
    ? { now, past: draft.past.slice(0, -1), future: [draft.now, ...draft.future], mark: null }
    : draft
}

export function redone(draft: Draft): Draft {
  const [now, ...future] = draft.future
  return now ? { now, past: [...draft.past, draft.now], future, mark: null } : draft
}

/** Short, and new on this panel. */
function freshKey(list: readonly Widget[]): string {
  const taken = new Set(list.map(({ key }) => key))
  let n = list.length
  while (taken.has(`w${n}`)) n += 1
  return `w${n}`
}

/** null: there is no room. */
export function added(list: readonly Widget[], kind: WidgetKind): { list: Widget[]; key: string } | null {
  const place = freePlace(list, widgetFacts[kind])
  if (!place) return null
  const key = freshKey(list)
  const more = kind === 'trend' ? { hours: 24 } : {}
  return { list: [...list, { key, kind, ...place, title: '', variables: [], ...more }], key }
}

export function copied(list: readonly Widget[], key: string): { list: Widget[]; key: string } | null {
  const of = list.find((one) => one.key === key)
  const place = of && freePlace(list, of)
  if (!of || !place) return null
  const fresh = freshKey(list)
  return { list: [...list, { ...of, ...place, key: fresh }], key: fresh }
}

export const without = (list: readonly Widget[], key: string) => list.filter((one) => one.key !== key)

export const withWidget = (list: readonly Widget[], key: string, more: Partial<Widget>): readonly Widget[] =>
  list.map((one) => (one.key === key ? { ...one, ...more } : one))

/** The list itself where it stays as it is, or would not fit. */
export function movedTo(list: readonly Widget[], key: string, to: Partial<Place>): readonly Widget[] {
  const one = list.find((of) => of.key === key)
  if (!one) return list
  const place = snapped({ x: one.x, y: one.y, w: one.w, h: one.h, ...to }, one.kind)
  const isSame = place.x === one.x && place.y === one.y && place.w === one.w && place.h === one.h
  return isSame ? list : (placed(list, key, place) ?? list)
}
