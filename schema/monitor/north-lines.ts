/** Templates in InfluxDB's line protocol: one line for each value, for InfluxDB, Telegraf and everything that reads the same. */
import type { NorthAlarm, NorthReport } from './north-report.ts'

/** A tag cannot be written without it: names have spaces and commas. */
const AS_TAG = /\{\{\w+\|tag\}\}/
/** Whether a template makes lines. All others make JSON. */
export const makesLines = (template: string | null): boolean => template !== null && AS_TAG.test(template)

/**
 * Measurements, names of fields, names and values of tags. A tag without a value is none, and a line ends with its line. A
 * backslash becomes a slash: it cannot be written at the end of a tag, nor before what is escaped, and one such line makes
 * InfluxDB refuse all lines that it is sent with.
 */
export const tagText = (value: unknown): string =>
  String(value ?? '')
    .replace(/\p{Cc}+/gu, ' ')
    .replaceAll('\\', '/')
    .replace(/[,= ]/g, '\\$&') || '-'
/** A number as it is; text in quotation marks, in which only they and backslashes are special. */
export const fieldText = (value: unknown): string =>
  typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : `"${String(value ?? '')
        .replace(/\p{Cc}+/gu, ' ')
        .replace(/["\\]/g, '\\$&')}"`
/** As text: as a number it would be rounded. */
export const nanoseconds = (at: Date): string => `${at.getTime()}000000`

const KEY = String.raw`(?:[^\\,= \n]|\\.)+`
const PAIR = `${KEY}=${KEY}`
const FIELD = String.raw`${KEY}=(?:-?\d+(?:\.\d+)?(?:e[-+]?\d+)?i?|true|false|"(?:[^"\\\n]|\\.)*")`
const LINE = new RegExp(`^${KEY}(?:,${PAIR})* ${FIELD}(?:,${FIELD})*(?: -?\\d+)?$`, 'i')
/** Empty lines are allowed between others. */
export const areLines = (text: string): boolean =>
  text.split('\n').every((line) => line.trim() === '' || LINE.test(line.trim()))

const tags = (of: Readonly<Record<string, unknown>>) =>
  Object.entries(of).map(([name, value]) => `,${name}=${tagText(value)}`)

/** What targets with such a template get of an alarm: when it began, and again with `active` false when it has ended. */
export function alarmLine({ project, sn, device, subject, rule, severity, ...alarm }: NorthAlarm): string {
  const fields = {
    id: alarm.id,
    active: alarm.state === 'active',
    times: alarm.times,
    ...(alarm.value === null ? {} : { value: alarm.value }),
    ...(alarm.threshold === null ? {} : { threshold: alarm.threshold }),
  }
  const written = Object.entries(fields).map(([name, value]) => `${name}=${fieldText(value)}`)
  const by = tags({ project, sn, device, subject, rule, severity }).join('')
  return `alarm${by} ${written.join(',')} ${nanoseconds(alarm.endedAt ?? alarm.startedAt)}`
}

/** Values that are unknown have no place in a line. */
export const knownValues = (values: NorthReport['values']) =>
  Object.entries(values).filter(([, value]) => value !== null)
