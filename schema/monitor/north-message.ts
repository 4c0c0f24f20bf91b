/** The messages sent to a target: our own JSON, or the customer's template, which makes JSON or lines (north-lines.ts). */
import { type Quality, qualities, VARIABLES_MAX } from './fields.ts'
import {
  alarmLine,
  areLines,
  fieldText,
  knownValues,
  makesLines,
  nanoseconds,
  tagText,
} from './north-lines.ts'
import type { NorthAlarm, NorthReport } from './north-report.ts'

/** The placeholders of a template; each stands for a whole JSON value. */
export const northPlaceholders = [
  'project',
  'sn',
  'device',
  'terminal',
  'terminalId',
  'serial',
  'at',
  'atMs',
  'atNs',
  'values',
  'quality',
] as const
type Placeholder = (typeof northPlaceholders)[number]
const PLACEHOLDER = /\{\{(\w+)(\|tag)?\}\}/g
/** Those of one value, in a part that is repeated for each. */
export const valuePlaceholders = ['variable', 'value', 'unit', 'quality'] as const
/** All values once for each value: a thousand of them are a million. */
const repeatable = northPlaceholders.filter((name) => name !== 'values')
/** `{{#values}}…{{/values}}`: once for each value, with commas between. */
const EACH = /\{\{#values\}\}(.*?)\{\{\/values\}\}/gs

const parts = (report: NorthReport): Record<Placeholder, unknown> => ({
  project: report.project,
  sn: report.sn,
  device: report.device,
  terminal: report.terminal,
  terminalId: report.terminalId,
  serial: report.serial,
  at: report.at.toISOString(),
  atMs: report.at.getTime(),
  atNs: nanoseconds(report.at),
  values: report.values,
  quality: report.quality,
})

type Known = Readonly<Record<string, unknown>>
const filled = (template: string, known: Known, asLines: boolean) =>
  template.replace(PLACEHOLDER, (whole, name: string, tag: string | undefined) => {
    if (!Object.hasOwn(known, name)) return whole
    if (tag !== undefined) return tagText(known[name])
    // Alone it is a time, and not a text in quotation marks.
    if (name === 'atNs') return String(known[name])
    return asLines ? fieldText(known[name]) : JSON.stringify(known[name])
  })
const uncommented = (line: string) => (line.trimStart().startsWith('#') ? `-${line.trimStart()}` : line)
/** `{{name}}` outside of text becomes a JSON value; the customer writes no quotation marks around it. */
function fill(template: string, report: NorthReport): string {
  const known = parts(report)
  const asLines = makesLines(template)
  const each = (part: string) =>
    (asLines ? knownValues(report.values) : Object.entries(report.values))
      .map(([variable, value]) => {
        const unit = report.units[variable] ?? ''
        const of = { ...known, variable, value, unit, quality: report.quality[variable] ?? 'good' }
        return filled(part, of, asLines).trim()
      })
      .join(asLines ? '\n' : ',')
  let text = ''
  let from = 0
  // Not one after the other over the whole: what a name contains is no placeholder.
  for (const { index, 0: whole, 1: part = '' } of template.matchAll(EACH)) {
    text += filled(template.slice(from, index), known, asLines) + each(part)
    from = index + whole.length
  }
  text += filled(template.slice(from), known, asLines)
  // A measurement that begins so would make its line a comment.
  return asLines ? text.split('\n').map(uncommented).join('\n') : text
}

const example: NorthReport = {
  project: 'P',
  sn: 'S',
  device: 'D',
  terminalId: 1,
  terminal: 'T "1"',
  serial: null,
  at: new Date(0),
  values: { V: 1.5, W: null },
  quality: { W: 'timeout' },
  units: { V: 'V', W: '' },
}

/** A worker composes messages of many customers: one of a terminal with all the variables that it can have is at most this large. */
const MESSAGE_MAX = 4 * 1024 * 1024
/** A tenth of them is composed to find out: without `{{values}}` in the repeated part, a message grows as they do. */
const TENTH = VARIABLES_MAX / 10
const tenth = (): NorthReport => {
  const name = 'x'.repeat(64)
  const of = (value: string) =>
    Object.fromEntries(Array.from({ length: TENTH }, (_, n) => [`${name.slice(4)}${n}`, value]))
  return {
    ...example,
    project: name,
    sn: name,
    device: name,
    terminal: name,
    values: of(name),
    units: of('kWh'),
  }
}

/**
 * The first fault of a template: a placeholder that is unknown there, the form that it has not, 'JSON' or 'line protocol', or '> 4 MiB': it could make
 * messages of any length; null if it is valid.
 */
export function whyTemplateRefused(template: string): string | null {
  const unknown = (text: string, known: readonly string[]) =>
    [...text.matchAll(PLACEHOLDER)].find(([, name = '']) => !known.includes(name))?.[0]
  const repeated = [...template.matchAll(EACH)].map(([, part = '']) => part).join('')
  const wrong =
    unknown(template.replace(EACH, ''), northPlaceholders) ??
    unknown(repeated, [...repeatable, ...valuePlaceholders])
  if (wrong !== undefined) return wrong
  if (fill(template, tenth()).length > MESSAGE_MAX / 10) return '> 4 MiB'
  if (makesLines(template)) return areLines(fill(template, example)) ? null : 'line protocol'
  try {
    JSON.parse(fill(template, example))
    return null
  } catch {
    return 'JSON'
  }
}

/** One report, as JSON text or as lines; empty: lines of a report without any known value. */
export const composeReport = (report: NorthReport, template: string | null): string =>
  template === null
    ? JSON.stringify({ type: 'values', ...parts(report), atMs: undefined, atNs: undefined })
    : fill(template, report).trim()

/** One change of an alarm, as JSON text, or as a line if the reports are lines. */
export const composeAlarm = (alarm: NorthAlarm, template: string | null): string =>
  makesLines(template) ? alarmLine(alarm) : JSON.stringify({ type: 'alarm', ...alarm })

/** Placeholders of a topic. A name becomes one level: `/`, `+`, `#` and control characters in it are replaced by `_`. */
export const topicPlaceholders = ['project', 'sn', 'terminal', 'terminalId', 'type'] as const
const TOPIC_PLACEHOLDER = /\{(\w+)\}/g
const level = (text: string) => text.replace(/[/+#\p{Cc}]/gu, '_') || '_'

/** What brokers keep for themselves. Others that begin with `$` are of cloud services: `$aws/things/…`. */
const RESERVED = /^\$(SYS|share|queue)(\/|$)/i
/** A topic to publish to: no wildcards, known placeholders only, not below `$SYS`. */
export const isNorthTopic = (topic: string): boolean =>
  topic !== '' &&
  !/[+#\0]/.test(topic) &&
  !RESERVED.test(topic) &&
  [...topic.matchAll(TOPIC_PLACEHOLDER)].every(([, name = '']) =>
    (topicPlaceholders as readonly string[]).includes(name),
  ) &&
  // A misspelled placeholder would be sent as it is written.
  !/[{}]/.test(topic.replace(TOPIC_PLACEHOLDER, ''))

/** The topic of one message. */
export function composeTopic(
  topic: string,
  of: { project: string; sn: string; terminal: string; terminalId: number | string },
  type: 'values' | 'alarm',
): string {
  const known: Record<string, string> = { ...of, terminalId: String(of.terminalId), type }
  const composed = topic.replace(TOPIC_PLACEHOLDER, (whole, name: string) =>
    level(Object.hasOwn(known, name) ? (known[name] ?? '') : whole),
  )
  // Only a topic that was written so begins with `$`: a terminal may be called `$SYS`, or `YS` behind `$S`.
  const isWritten = topic.startsWith('$') && !RESERVED.test(composed)
  return composed.startsWith('$') && !isWritten ? `_${composed.slice(1)}` : composed
}

/** The quality of a code on the wire; codes that we do not know are bad data. */
export const qualityOf = (code: number): Quality => qualities[code] ?? 'badData'
