/** The messages sent to a target: our own JSON, or the customer's template. */
import { type Quality, qualities } from './fields.ts'

export type NorthReport = {
  project: string
  sn: string
  device: string
  terminalId: number
  terminal: string
  serial: string | null
  at: Date
  /** By the name of the variable; null where the quality says why. */
  values: Record<string, number | string | null>
  /** Only of values that are not good. */
  quality: Record<string, Quality>
  units: Record<string, string>
}
export type NorthAlarm = {
  project: string
  id: number
  rule: string
  severity: string
  state: 'active' | 'ended'
  sn: string
  device: string
  subject: string
  value: number | null
  threshold: number | null
  startedAt: Date
  endedAt: Date | null
  times: number
}

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
  'values',
  'quality',
] as const
type Placeholder = (typeof northPlaceholders)[number]
const PLACEHOLDER = /\{\{(\w+)\}\}/g
/** Those of one value, in a part that is repeated for each. */
export const valuePlaceholders = ['variable', 'value', 'unit', 'quality'] as const
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
  values: report.values,
  quality: report.quality,
})

const filled = (template: string, known: Readonly<Record<string, unknown>>) =>
  template.replace(PLACEHOLDER, (whole, name: string) =>
    Object.hasOwn(known, name) ? JSON.stringify(known[name]) : whole,
  )
/** `{{name}}` outside of text becomes a JSON value; the customer writes no quotation marks around it. */
function fill(template: string, report: NorthReport): string {
  const known = parts(report)
  const each = (part: string) =>
    Object.entries(report.values)
      .map(([variable, value]) => {
        const unit = report.units[variable] ?? ''
        return filled(part, { ...known, variable, value, unit, quality: report.quality[variable] ?? 'good' })
      })
      .join(',')
  let text = ''
  let from = 0
  // Not one after the other over the whole: what a name contains is no placeholder.
  for (const { index, 0: whole, 1: part = '' } of template.matchAll(EACH)) {
    text += filled(template.slice(from, index), known) + each(part)
    from = index + whole.length
  }
  return text + filled(template.slice(from), known)
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

/** The first fault of a template: an unknown placeholder, or 'JSON'; null if it is valid. */
export function whyTemplateRefused(template: string): string | null {
  const unknown = (text: string, known: readonly string[]) =>
    [...text.matchAll(PLACEHOLDER)].find(([, name = '']) => !known.includes(name))?.[0]
  const repeated = [...template.matchAll(EACH)].map(([, part = '']) => part).join('')
  const wrong =
    unknown(template.replace(EACH, ''), northPlaceholders) ??
    unknown(repeated, [...northPlaceholders, ...valuePlaceholders])
  if (wrong !== undefined) return wrong
  try {
    JSON.parse(fill(template, example))
    return null
  } catch {
    return 'JSON'
  }
}

/** One report, as JSON text. */
export const composeReport = (report: NorthReport, template: string | null): string =>
  template === null
    ? JSON.stringify({ type: 'values', ...parts(report), atMs: undefined })
    : fill(template, report)

/** One change of an alarm, as JSON text. */
export const composeAlarm = (alarm: NorthAlarm): string => JSON.stringify({ type: 'alarm', ...alarm })

/** Placeholders of a topic. A name becomes one level: `/`, `+` and `#` in it are replaced by `_`. */
export const topicPlaceholders = ['project', 'sn', 'terminal', 'terminalId', 'type'] as const
const TOPIC_PLACEHOLDER = /\{(\w+)\}/g
const level = (text: string) => text.replace(/[/+#\0]/g, '_') || '_'

/** What brokers keep for themselves. Others that begin with `$` are of cloud services: `$aws/things/…`. */
const RESERVED = /^\$(SYS|share|queue)(\/|$)/i
/** A topic to publish to: no wildcards, known placeholders only, not below `$SYS`. */
export const isNorthTopic = (topic: string): boolean =>
  topic !== '' &&
  !/[+#\0]/.test(topic) &&
  !RESERVED.test(topic) &&
  [...topic.matchAll(TOPIC_PLACEHOLDER)].every(([, name = '']) =>
    (topicPlaceholders as readonly string[]).includes(name),
  )

/** The topic of one message. */
export function composeTopic(
  topic: string,
  of: { project: string; sn: string; terminal: string; terminalId: number | string },
  type: 'values' | 'alarm',
): string {
  const known: Record<string, string> = { ...of, terminalId: String(of.terminalId), type }
  return topic.replace(TOPIC_PLACEHOLDER, (whole, name: string) =>
    level(Object.hasOwn(known, name) ? (known[name] ?? '') : whole),
  )
}

/** The quality of a code on the wire; codes that we do not know are bad data. */
export const qualityOf = (code: number): Quality => qualities[code] ?? 'badData'
