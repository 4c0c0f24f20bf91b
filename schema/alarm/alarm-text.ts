/**
 * Texts of notices in three languages. Placeholders are words in braces; text from devices is only inserted as a
 * value.
 */

import { type MissReason, missReasons } from '../device/schedule.ts'
import type { Say } from '../kit/say.ts'
import { type Quality, qualities } from '../monitor/fields.ts'
import { type AlarmCondition, conditionWords } from '../monitor/notice/variable-condition.ts'
import { type PrinterTrouble, printerTroubles } from '../printing/printer.ts'
import { type AlarmKind, factsOf } from './alarm-kind.ts'

export const placeholders = [
  'rule',
  'severity',
  'device',
  'terminal',
  'variable',
  'task',
  'sn',
  'group',
  'condition',
  'value',
  'threshold',
  'time',
  'duration',
  'times',
] as const

/** Replaces `{word}`; unknown placeholders stay, and values are not searched for placeholders. */
export const fill = (text: string, values: Readonly<Record<string, string | number>>) =>
  text.replace(/\{(\w+)\}/g, (whole, key: string) =>
    Object.hasOwn(values, key) ? String(values[key]) : whole,
  )

/** The default texts of a rule of this kind; placeholders are filled when a notice is written. */
export const textsOf = (kind: AlarmKind, say: Say): { alert: string; recovery: string } =>
  kind === 'variable'
    ? { alert: say('alarm:message.variableAlert'), recovery: say('alarm:message.variableRecovery') }
    : factsOf(kind).about === 'task'
      ? { alert: say('alarm:message.taskAlert'), recovery: say('alarm:message.taskRecovery') }
      : { alert: say('alarm:message.alert'), recovery: say('alarm:message.recovery') }

/** Why a task paused itself, by the detail of its alarm: "5/50" failed, "0/0" of a wave that reached nobody, or "sender". */
function pauseText(detail: string | null, say: Say): string {
  if (detail === 'sender') return say('alarm:senderGone')
  const [failed = '', tried = ''] = (detail ?? '').split('/')
  return tried === '0' ? say('alarm:noneReached') : say('alarm:failedOf', { failed, tried })
}

/** Parses the detail of a printer alarm: the printer's name and its state. */
export function printerOf(detail: string): { printer: string; state: string } {
  const at = detail.lastIndexOf(': ')
  return { printer: detail.slice(0, Math.max(0, at)), state: detail.slice(at < 0 ? 0 : at + 2) }
}

const isMissReason = (reason: string): reason is MissReason => missReasons.some((known) => known === reason)
const isTrouble = (state: string): state is PrinterTrouble => printerTroubles.some((known) => known === state)

const isQuality = (detail: string): detail is Quality => qualities.some((known) => known === detail)

const grouping = new Intl.NumberFormat('en-US')
/** "4,945.0 W" of "4945.0 W": stored, and sent to programs, it is without commas. A range has two numbers. */
const asShown = (detail: string): string =>
  detail.replace(
    /(^|… )(-?)(\d{4,})/g,
    (_, before: string, sign: string, digits: string) => before + sign + grouping.format(BigInt(digits)),
  )

/**
 * "17 min", "96 %": the value with its unit; for an event without a value, what changed. Text from devices is shown
 * unchanged.
 */
export function figure(
  of: { kind: AlarmKind; value: number | null; detail: string | null },
  say: Say,
): string {
  const { kind, value, detail } = of
  if (kind === 'taskPaused') return pauseText(detail, say)
  if (kind === 'printerError' && detail) {
    const { printer, state } = printerOf(detail)
    return printer && isTrouble(state) ? `${printer}: ${say(`printer:status.${state}`)}` : detail
  }
  if (kind === 'rebootMissed')
    return detail && isMissReason(detail) ? say(`alarm:missed.${detail}`) : (detail ?? '')
  if (kind === 'variable' && detail)
    return isQuality(detail) ? say(`alarm:quality.${detail}`) : asShown(detail)
  if (value === null) return detail ?? ''
  const { unit } = factsOf(kind)
  const rounded = Math.round(value * 10) / 10
  return unit === undefined || unit === 'load' ? String(rounded) : `${rounded} ${say(`alarm:unit.${unit}`)}`
}

/**
 * "Device offline"; for a variable the monitored condition: "Temperature > 80 °C for 30 s". A formula contains the
 * names of its variables.
 */
export const conditionName = (
  of: { kind: AlarmKind; variableName: string | null; condition: AlarmCondition | null },
  say: Say,
): string =>
  of.condition
    ? `${of.condition.operator === 'formula' ? '' : (of.variableName ?? '')} ${conditionWords(of.condition, say)}`.trimStart()
    : say(`alarm:kind.${of.kind}`)

const MINUTE_MS = 60_000

/** The two largest units of days, hours, minutes: whole minutes, as the console's clocks count. */
export function lasted(ms: number, say: Say): string {
  const minutes = Math.max(1, Math.floor(ms / MINUTE_MS))
  const parts: (readonly [number, string])[] = [
    [Math.floor(minutes / 1440), say('alarm:message.duration.day')],
    [Math.floor((minutes % 1440) / 60), say('alarm:message.duration.hour')],
    [minutes % 60, say('alarm:message.duration.minute')],
  ]
  const first = parts.findIndex(([n]) => n > 0)
  return parts
    .slice(first, first + 2)
    .filter(([n]) => n > 0)
    .map(([n, name]) => `${n} ${name}`)
    .join(' ')
}

/** 2026-11-21 14:02 UTC+8, in that zone, so that the reader need not know the rule's zone. */
export function localMoment(at: Date, timeZone: string): string {
  const local = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' }).format(
    at,
  )
  const offset = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'shortOffset' })
    .formatToParts(at)
    .find(({ type }) => type === 'timeZoneName')
  return `${local} ${offset?.value.replace('GMT', 'UTC').replace(/\+0$/, '') ?? timeZone}`
}

type Lasting = {
  startedAt: Date | string
  lastAt: Date | string
  endedAt: Date | string | null
  times: number
}
const msOf = (at: Date | string) => new Date(at).getTime()

/**
 * The same as it is at a time. The value of a kind that is about time ("offline for 5 min") is stored when the alarm begins, and
 * would say hours later that the device went offline a moment ago: it is how long that has lasted. Of an alarm that has begun
 * again it is stored with the last time: between those the device was online.
 */
export function figureAt(of: Parameters<typeof figure>[0] & Lasting, atMs: number, say: Say): string {
  if (!factsOf(of.kind).timed || of.value === null) return figure(of, say)
  const sinceMs = of.times > 1 ? msOf(of.lastAt) - of.value * MINUTE_MS : msOf(of.startedAt)
  return lasted((of.endedAt === null ? atMs : msOf(of.endedAt)) - sinceMs, say)
}
