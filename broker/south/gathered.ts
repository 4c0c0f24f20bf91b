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
}

export function openGathered(
  file: (reading: Reading, bytes: number, done: (stored: boolean) => void) => void,
) {
  let waiting = new Map<string, Report>()
  let timer: ReturnType<typeof setTimeout> | undefined
  /** terminal → time → slots stored under that time. */
  const filed = new Map<number, Map<number, Set<number>>>()

  /**
   * The time under which it is stored: its own, unless other values of the terminal are stored there already; then the
   * next free millisecond. The same values again get the same time, and the database leaves them out.
   */
  function timeOf({ terminal, at, values }: Report): number {
    if (filed.size > TERMINALS_MAX) filed.clear()
    const times = filed.get(terminal.terminalId) ?? new Map<number, Set<number>>()
    filed.set(terminal.terminalId, times)
    const slots = [...values.keys()]
    for (let time = at; ; time++) {
      const there = times.get(time)
      if (there && !slots.every((slot) => there.has(slot)) && time < at + REMEMBERED) continue
      times.set(time, there ?? new Set(slots))
      if (times.size > REMEMBERED) times.delete(times.keys().next().value as number)
      return time
    }
  }

  function flush(): void {
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
      const report: Report = waiting.get(key) ?? { ...of, values: new Map(), bytes: 200, done: [] }
      waiting.set(key, report)
      report.values.set(slot, value)
      report.bytes += 16 + (value.text?.length ?? 0)
      report.done.push(done)
      timer ??= setTimeout(flush, GATHER_MS)
    },
    close: (): void => {
      clearTimeout(timer)
      flush()
    },
  }
}
