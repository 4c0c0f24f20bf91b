/**
 * The server's clock, as the `Date` headers of its responses tell it. Every relative time, countdown and default range
 * of the console uses it: a browser's clock may be minutes wrong, and "in 44 sec." for something past is nonsense.
 */

/** What a header says is cut to whole seconds. */
const RESOLUTION_MS = 1_000

/** Bounds of (server's time − browser's time), in ms. */
export type Offset = { readonly least: number; readonly most: number }

/**
 * Narrows the bounds by one response. The header was written between `sentMs` and `receivedMs` of the browser's clock;
 * bounds that contradict the previous ones mean that a clock was set: they replace them.
 */
export function narrowed(known: Offset | null, dateMs: number, sentMs: number, receivedMs: number): Offset {
  const measured = { least: dateMs - receivedMs, most: dateMs + RESOLUTION_MS - sentMs }
  if (!known) return measured
  const both = { least: Math.max(known.least, measured.least), most: Math.min(known.most, measured.most) }
  return both.least <= both.most ? both : measured
}

let offset: Offset | null = null

/** @param date the response's `Date` header @param sentMs `Date.now()` when the request was sent */
export function learnServerTime(date: string | null, sentMs: number): void {
  const dateMs = date === null ? Number.NaN : Date.parse(date)
  if (!Number.isNaN(dateMs)) offset = narrowed(offset, dateMs, sentMs, Date.now())
}

/**
 * The server's time in ms since 1970; the browser's own before the first response. The upper bound is taken, so that
 * what the server has just stamped is never in the future.
 */
export const serverNow = (): number => Date.now() + (offset?.most ?? 0)

/** A time of the browser's clock as the server's. */
export const inServerTime = (browserMs: number): number => browserMs + (offset?.most ?? 0)
