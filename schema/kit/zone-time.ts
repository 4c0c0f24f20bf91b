/** Local times of a time zone, with the hours that summer time skips and repeats. */

const HOUR_MS = 3_600_000
/** No zone changes its offset twice within this time. */
const AROUND_MS = 24 * HOUR_MS

/** Creating a format takes longer than using it a hundred times. */
const formats = new Map<string, Intl.DateTimeFormat>()
/** There are some 600 names of zones, but users and devices may write them in any letter case; each format takes 17 KiB. */
const FORMATS_MAX = 1_000

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone)
  if (known) return known
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })
  if (formats.size >= FORMATS_MAX) formats.clear()
  formats.set(zone, made)
  return made
}

/** Offset of the zone from UTC at that time. Both in ms. @throws RangeError for an unknown zone. */
export function offsetMs(zone: string, at: number): number {
  const parts = formatOf(zone).formatToParts(at)
  const of = (type: string) => Number(parts.find((part) => part.type === type)?.value)
  const local = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'))
  return local - Math.floor(at / 1000) * 1000
}

/**
 * The instant of the local time `local` (given as if it were UTC), the first one of a repeated hour. In a skipped
 * hour, which has no instant, as much later as the clocks were put forward.
 */
export function momentOf(local: number, zone: string): number {
  const [before, after] = [offsetMs(zone, local - AROUND_MS), offsetMs(zone, local + AROUND_MS)]
  const fitting = [local - before, local - after].filter((at) => at + offsetMs(zone, at) === local)
  return fitting.length > 0 ? Math.min(...fitting) : local - before
}
