/** Formats numbers and times for people, in the page's language and the viewer's time zone. */
import { language } from './session.ts'

/** Shown for unknown values: unknown is not zero. */
export const UNKNOWN = '–'

/** Creating a format costs as much as rendering a table row; the page has one language. */
const numberFormats = new Map<string, Intl.NumberFormat>()
/** From here on not every whole number exists: digits would be made up, and forty of them are cut before the last one. */
const POWERS_FROM = 1e15
const powers: Intl.NumberFormatOptions = {
  notation: 'scientific',
  minimumFractionDigits: 0,
  maximumFractionDigits: 4,
}
function say(value: number, wanted: Intl.NumberFormatOptions): string {
  const options = Math.abs(value) < POWERS_FROM ? wanted : { ...wanted, ...powers }
  const key = language() + JSON.stringify(options)
  let format = numberFormats.get(key)
  if (!format) {
    format = new Intl.NumberFormat(language(), options)
    numberFormats.set(key, format)
  }
  return format.format(value)
}

/** The platform's Chinese texts have a space between figures and words; the browser's own texts do not. */
const spaced = (text: string) => text.replace(/(\d)(?=\p{Script=Han})/gu, '$1 ')

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const

/** "-58 dBm", "50%": the percent sign alone stands without a space, as in `percent`. '' as unit: none. */
export const quantity = (value: string, unit: string): string =>
  unit === '' || unit === '%' ? `${value}${unit}` : `${value} ${unit}`

/** 1536 → "1.5 KiB". */
export function bytes(value: number | null | undefined): string {
  if (value === null || value === undefined) return UNKNOWN
  const power = value < 1 ? 0 : Math.min(Math.floor(Math.log2(value) / 10), UNITS.length - 1)
  const scaled = value / 1024 ** power
  return `${say(scaled, { maximumFractionDigits: scaled < 10 && power > 0 ? 2 : scaled < 100 && power > 0 ? 1 : 0 })} ${UNITS[power]}`
}

export function number(value: number | null | undefined, digits = 0): string {
  return value === null || value === undefined ? UNKNOWN : say(value, { maximumFractionDigits: digits })
}

/** Always with this number of decimals: for columns, where decimal points are aligned. */
export const fixed = (value: number, digits: number): string =>
  say(value, { minimumFractionDigits: digits, maximumFractionDigits: digits })

export const percent = (value: number | null | undefined, digits = 0) =>
  value === null || value === undefined ? UNKNOWN : `${number(value, digits)}%`

const STEPS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const

/** The two largest units: 90061 → "1 day 1 hr"; or only the largest. Bounds: seconds ≥ 0. */
export function duration(
  seconds: number | null | undefined,
  width: 'short' | 'narrow' = 'short',
  units = 2,
): string {
  if (seconds === null || seconds === undefined) return UNKNOWN
  const whole = Math.max(0, Math.floor(seconds))
  const first = STEPS.findIndex(([, size]) => whole >= size)
  const shown = first < 0 ? STEPS.slice(-1) : STEPS.slice(first, first + units)
  let left = whole
  const parts = shown.map(([unit, size]) => {
    const count = Math.floor(left / size)
    left -= count * size
    return { unit, count }
  })
  return parts
    .filter(({ count }, i) => count > 0 || i === 0)
    .map(({ unit, count }) => spaced(say(count, { style: 'unit', unit, unitDisplay: width })))
    .join(' ')
}

const agoFormats = new Map<string, Intl.RelativeTimeFormat>()
function agoFormat(): Intl.RelativeTimeFormat {
  let format = agoFormats.get(language())
  if (!format) {
    format = new Intl.RelativeTimeFormat(language(), { numeric: 'auto', style: 'short' })
    agoFormats.set(language(), format)
  }
  return format
}

/** The clocks of the platform's processes may differ by this: what they have just stamped is not in the future. */
const CLOCKS_DIFFER_S = 5

/** "3 hr. ago", "in 2 min." */
export function ago(at: string | Date, nowMs: number): string {
  const ahead = (new Date(at).getTime() - nowMs) / 1000
  const seconds = ahead > 0 && ahead < CLOCKS_DIFFER_S ? 0 : ahead
  const [unit, size] = STEPS.find(([, limit]) => Math.abs(seconds) >= limit) ?? (['second', 1] as const)
  return spaced(agoFormat().format(Math.trunc(seconds / size), unit))
}

const two = (n: number) => String(n).padStart(2, '0')

/** The viewer's own time zone. */
export const viewerZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

/** 2026-11-21 14:02:05 in the viewer's zone: sortable and comparable in every language. */
export function moment(at: string | Date): string {
  const d = new Date(at)
  return `${d.getFullYear()}-${two(d.getMonth() + 1)}-${two(d.getDate())} ${clock(d)}:${two(d.getSeconds())}`
}
const zoned = new Map<string, Intl.DateTimeFormat | null>()

/** The zone's display name depends on the language; null for a zone that this browser does not know. */
function zoneFormat(zone: string | undefined): Intl.DateTimeFormat | null {
  const key = `${language()} ${zone ?? ''}`
  const known = zoned.get(key)
  if (known !== undefined) return known
  let made: Intl.DateTimeFormat | null = null
  try {
    made = new Intl.DateTimeFormat(language(), {
      ...(zone === undefined ? {} : { timeZone: zone }),
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      timeZoneName: 'short',
    })
  } catch {
    // An unknown zone is treated like none.
  }
  zoned.set(key, made)
  return made
}

/** 2026-11-21 07:02:05 GMT+1 in that zone; absent: the viewer's; null: the zone is unknown to the browser. */
export function momentIn(at: string | Date, zone?: string): string | null {
  const parts = Object.fromEntries(
    zoneFormat(zone)
      ?.formatToParts(new Date(at))
      .map(({ type, value }) => [type, value]) ?? [],
  )
  const { year, month, day, hour, minute, second, timeZoneName } = parts
  return year === undefined
    ? null
    : `${year}-${month}-${day} ${hour}:${minute}:${second} ${timeZoneName ?? ''}`.trimEnd()
}

/** 14:02 */
export const clock = (at: string | Date | number) => {
  const d = new Date(at)
  return `${two(d.getHours())}:${two(d.getMinutes())}`
}
/** 14:02:05 */
export const clockTime = (at: string | Date | number) => {
  const d = new Date(at)
  return `${clock(d)}:${two(d.getSeconds())}`
}
/** 14:02 today, 11-20 14:02 before. */
export function shortMoment(at: string | Date, nowMs: number): string {
  const d = new Date(at)
  const sameDay = d.toDateString() === new Date(nowMs).toDateString()
  return sameDay ? clock(d) : `${two(d.getMonth() + 1)}-${two(d.getDate())} ${clock(d)}`
}

/** 1 Monday to 7 Sunday; 2024-01-01 was a Monday. */
export const weekdayName = (day: number, style: 'long' | 'short' = 'long') =>
  new Date(Date.UTC(2024, 0, day)).toLocaleDateString(language(), { weekday: style, timeZone: 'UTC' })
