/**
 * Values of one terminal and one time, from several messages, become one report. A source that sends each value by itself
 * (collectd, groups of Neuron) would otherwise write a row for each, and all but the first would be taken for a
 * repetition of it, because terminal and time name a report.
 */
import type { StoredValue } from '#schema/monitor/scale'
import type { Reading } from '../variables/reading.ts'
import type { LinkedTerminal } from './links.ts'

const GATHER_MS = 50
/** Number of remembered reports per terminal, to distinguish repetitions from different values with the same time. */
const REMEMBERED = 64
const TERMINALS_MAX = 20_000
const good = 0

type Report = {
  terminal: LinkedTerminal
  madeAt: number
  at: number
  late: boolean
  values: Map<number, StoredValue>
  bytes: number
  done: ((stored: boolean) => void)[]
  /** By slot, the `done` of the message that its value came with. */
  by: Map<number, (stored: boolean) => void>
}

/** Of a value, to tell it from another one: a text of a thousand characters is not remembered. */
function signOf({ value, text, quality }: StoredValue): number {
  if (text === null && value !== null && quality === good) return value
  let sign = quality
  for (const character of `${value} ${text}`)
    sign = Math.imul(sign ^ (character.codePointAt(0) ?? 0), 0x01000193)
  return sign
}

export function openGathered(
  file: (reading: Reading, bytes: number, done: (stored: boolean) => void) => void,
) {
  let waiting = new Map<string, Report>()
  let timer: ReturnType<typeof setTimeout> | undefined
  /** terminal → time → the slots stored under that time, with the signs of their values. */
  const filed = new Map<number, Map<number, ReadonlyMap<number, number>>>()

  /**
   * The time under which it is stored: its own, unless other values of the terminal are stored there already; then the
   * next free millisecond. The same values again get the same time, and the database leaves them out.
   */
  function timeOf({ terminal, at, values }: Report): number {
    if (filed.size > TERMINALS_MAX) filed.clear()
    const times = filed.get(terminal.terminalId) ?? new Map<number, ReadonlyMap<number, number>>()
    filed.set(terminal.terminalId, times)
    const signs = new Map([...values].map(([slot, value]) => [slot, signOf(value)]))
    for (let time = at; ; time++) {
      const there = times.get(time)
      const isSame = [...signs].every(([slot, sign]) => there?.get(slot) === sign)
      if (there && !isSame && time < at + REMEMBERED) continue
      times.set(time, there ?? signs)
      if (times.size > REMEMBERED) times.delete(times.keys().next().value as number)
      return time
    }
  }

  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    const reports = waiting
    waiting = new Map()
    for (const report of reports.values()) {
      const { terminal, madeAt, late, values, bytes, done } = report
      const slots = [...values.keys()].sort((one, other) => one - other)
      const cells = slots.map((slot) => values.get(slot) as StoredValue)
      const at = timeOf(report)
      file(
        {
          deviceId: terminal.deviceId,
          terminalId: terminal.terminalId,
          plan: 0,
          planAt: madeAt,
          at,
          late,
          slots,
          vals: cells.map(({ value }) => value),
          quality: cells.some(({ quality }) => quality !== good) ? cells.map(({ quality }) => quality) : null,
          texts: cells.some(({ text }) => text !== null) ? cells.map(({ text }) => text) : null,
          gap: null,
          derived: terminal.derived,
        },
        bytes,
        (stored) => {
          for (const tell of done) tell(stored)
        },
      )
    }
  }

  return {
    /** `done` once the report is committed. */
    add: (
      of: Pick<Report, 'terminal' | 'madeAt' | 'at' | 'late'>,
      slot: number,
      value: StoredValue,
      done: (stored: boolean) => void,
    ): void => {
      const key = `${of.terminal.terminalId} ${of.at} ${of.late}`
      const before = waiting.get(key)
      const other = before?.by.get(slot) === done ? undefined : before?.values.get(slot)
      // The next value of a source that counts whole seconds. Of one message the last one counts.
      if (other && signOf(other) !== signOf(value)) flush()
      const report: Report = waiting.get(key) ?? {
        ...of,
        values: new Map(),
        bytes: 200,
        done: [],
        by: new Map(),
      }
      waiting.set(key, report)
      report.values.set(slot, value)
      report.by.set(slot, done)
      report.bytes += 16 + (value.text?.length ?? 0)
      report.done.push(done)
      timer ??= setTimeout(flush, GATHER_MS)
    },
    close: flush,
  }
}
