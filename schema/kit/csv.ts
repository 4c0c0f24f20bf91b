/**
 * Cells for spreadsheets: RFC 4180, with formulas escaped, because names of devices are hostile text [threats 36].
 */

import { offsetMs } from './zone-time.ts'

/** What spreadsheets treat as a formula, also after trimming or converting full-width signs as East Asian ones do. */
const formula = /^(?:[\t\r\n]|\s*[=+\-@＝＋－＠])/
/** With the apostrophe that makes it a text; one that was written there gets another, so that it comes back. */
const guarded = /^'+(?:[\t\r\n]|\s*[=+\-@＝＋－＠])/

/**
 * A number, or one with its unit, or a range of them: "-5.5 °C", "-3 V … 4 V". Spreadsheets take these for a number or a text: without digits, signs
 * or brackets behind it a unit is no part of a formula. A phone number begins with +.
 */
const AMOUNT = String.raw`-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[-+]?\d+)?(?:%| [\p{L}\p{M}°%‰Ω²³/]{1,16})?`
const amount = new RegExp(`^${AMOUNT}(?: … ${AMOUNT})?$`, 'iu')

/** One cell. A text that would start a formula gets an apostrophe; numbers stay numbers. */
export function csvCell(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  const text = value instanceof Date ? value.toISOString() : String(value)
  const risky = (formula.test(text) && !amount.test(text)) || guarded.test(text)
  const inert = risky ? `'${text}` : text
  return /[",\r\n']/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert
}

/** What was written into a cell: the inverse of `csvCell`, after the quotes. */
export const writtenIn = (cell: string): string => (guarded.test(cell) ? cell.slice(1) : cell)

export const csvLine = (cells: readonly unknown[]) => `${cells.map(csvCell).join(',')}\r\n`

/** Excel reads a CSV as UTF-8 only if it starts with this. */
export const BOM = '\uFEFF'

/** Columns with times are named like this: `at`, `startedAt`, `stateSince`; and some of the wire, where `fromTime` is none. */
export const isMoment = (key: string): boolean =>
  /^(at|since|until|(access|create|update)Time)$|(At|Since)$/.test(key)
/** A heading with the zone of the times below it. */
export const zonedHeading = (key: string, title: string, zone: string): string =>
  isMoment(key) ? `${title} (${zone})` : title

const MINUTE_MS = 60_000
const twoDigits = Array.from({ length: 60 }, (_, n) => String(n).padStart(2, '0'))

/** Zones change their offset at full quarters of an hour, and never twice within a day. */
const QUARTER_MS = 900_000
const DAY_MS = 86_400_000
/** Longer than any such change is. */
const AROUND_MS = 3 * 3_600_000
const KNOWN_MAX = 10_000

/** What `of` says of each number that it was asked about, as long as these are not too many. */
function remembered<T>(of: (n: number) => T): (n: number) => T {
  const known = new Map<number, T>()
  return (n) => {
    const found = known.get(n) ?? of(n)
    if (known.size >= KNOWN_MAX) known.clear()
    known.set(n, found)
    return found
  }
}

/** `+02:00` */
function offsetText(ms: number): string {
  const minutes = Math.abs(ms) / MINUTE_MS
  return `${ms < 0 ? '-' : '+'}${twoDigits[Math.floor(minutes / 60)]}:${twoDigits[minutes % 60]}`
}

/**
 * What tells apart the times that a zone has twice, when its clocks are set back: their offset; '' for all others.
 * @param zone a known IANA name
 */
export function repeatedOffset(zone: string): (ms: number) => string {
  // The calendar takes ten times as long as writing a cell, and a fleet has times of every day.
  const changes = remembered(
    (day) => offsetMs(zone, day * DAY_MS - AROUND_MS) !== offsetMs(zone, (day + 1) * DAY_MS + AROUND_MS),
  )
  const offsetIn = remembered((quarter) => {
    const ms = quarter * QUARTER_MS
    const own = offsetMs(zone, ms)
    const isTwice = [ms - AROUND_MS, ms + AROUND_MS].some((near) => {
      const twin = ms + own - offsetMs(zone, near)
      return twin !== ms && twin + offsetMs(zone, twin) === ms + own
    })
    return isTwice ? offsetText(own) : ''
  })
  return (ms) => (changes(Math.floor(ms / DAY_MS)) ? offsetIn(Math.floor(ms / QUARTER_MS)) : '')
}

/** Lines whose times are in a zone, as shown in lists. @param zone a known IANA name */
export function zonedLines(zone: string): (cells: readonly unknown[]) => string {
  const clock = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' })
  const offset = repeatedOffset(zone)
  const shown = (at: Date) => clock.format(at) + offset(at.getTime())
  return (cells) => csvLine(cells.map((cell) => (cell instanceof Date ? shown(cell) : cell)))
}

/** The same times, for files of any size: ascending times ask the calendar once a minute. */
export function zonedClock(zone: string): (ms: number) => string {
  const clock = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' })
  const offset = repeatedOffset(zone)
  let [minute, text] = [Number.NaN, '']
  return (ms) => {
    const next = Math.floor(ms / MINUTE_MS)
    if (next !== minute) {
      minute = next
      text = clock.format(next * MINUTE_MS).slice(0, -2)
    }
    return `${text}${twoDigits[Math.floor(ms / 1000) - minute * 60]}${offset(ms)}`
  }
}
