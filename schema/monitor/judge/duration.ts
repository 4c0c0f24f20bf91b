/**
 * How long a condition must hold until it is an alarm, and how long it must be over until the alarm ends. It starts at
 * the sample's time and expires by the platform's clock, even without further samples: variables reported on change are
 * silent while they stay too high.
 */

export type Lasting = {
  active: boolean /** Truth that waits for its time; null: it agrees with `active`. */
  pendingSince: number | null
}
export const notLasting: Lasting = { active: false, pendingSince: null }
export type LastingEvent = { kind: 'start' | 'end'; at: number }

export type Lasts = { forMs: number; overForMs: number }

/** The state after the condition has changed. @param since the sample's time */
export function onTruth(lasting: Lasting, holds: boolean, since: number): Lasting {
  return { ...lasting, pendingSince: holds === lasting.active ? null : since }
}

/** When the next event is due; null: none is. */
export const lastsUntil = ({ active, pendingSince }: Lasting, { forMs, overForMs }: Lasts): number | null =>
  pendingSince === null ? null : pendingSince + (active ? overForMs : forMs)

/** The event that is due by now, with the time at which it became due. */
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
