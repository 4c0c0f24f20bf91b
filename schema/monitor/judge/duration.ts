/**
 * How long a condition must hold until it is an alarm, and how long it must be over until the alarm ends. It begins with
 * the sample's time and runs out by the platform's clock, even if nothing more comes: variables on change are silent while
 * they are too high.
 */

export type Lasting = {
  active: boolean /** Truth that waits for its time; null: it agrees with `active`. */
  pendingSince: number | null
}
export const notLasting: Lasting = { active: false, pendingSince: null }
export type LastingEvent = { kind: 'start' | 'end'; at: number }

export type Lasts = { forMs: number; overForMs: number }

/** After a change of truth. @param since the sample's time */
export function onTruth(lasting: Lasting, holds: boolean, since: number): Lasting {
  return { ...lasting, pendingSince: holds === lasting.active ? null : since }
}

/** When the next event is due; null: none is. */
export const lastsUntil = ({ active, pendingSince }: Lasting, { forMs, overForMs }: Lasts): number | null =>
  pendingSince === null ? null : pendingSince + (active ? overForMs : forMs)

/** The event that has become due by now, with the time at which it did. */
export function onClock(
  lasting: Lasting,
  lasts: Lasts,
  now: number,
): { lasting: Lasting; event: LastingEvent | null } {
  const until = lastsUntil(lasting, lasts)
  if (until === null || now < until) return { lasting, event: null }
  const active = !lasting.active
  return { lasting: { active, pendingSince: null }, event: { kind: active ? 'start' : 'end', at: until } }
}
