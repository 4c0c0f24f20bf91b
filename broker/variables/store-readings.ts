/** Stores a group of reports with the newest values, and keeps memory and database in sync. */
import type { Sql } from '#infra/postgres'
import { FILE_REPORTS, FILE_REPORTS_AND_TURNS, fileArguments, turnArguments } from './file-reports.ts'
import { copyOf, type HeldTerminal, type HeldTruths, merge, type Newest, openNewest } from './newest.ts'
import type { Reading } from './reading.ts'
import type { Truths, Turn } from './truths.ts'
import { withDerived } from './with-derived.ts'

/** Maximum retries for terminals that another process has written meanwhile. */
const TRIES = 5

const byTerminal = (readings: readonly Reading[]) => Map.groupBy(readings, ({ terminalId }) => terminalId)

/** Whether it still exists, belongs to this gateway, and has the template that the plan was made for. */
const takes = (terminal: HeldTerminal | undefined, { deviceId, planAt }: Reading): terminal is HeldTerminal =>
  terminal !== undefined && terminal.deviceId === deviceId && planAt >= terminal.since

/** Written before the reports, and idempotent, because the group may be repeated. */
const fileGaps = (sql: Sql, readings: readonly Reading[]) => {
  const gaps = readings.flatMap(({ terminalId, deviceId, gap }) =>
    gap ? [{ terminalId, deviceId, ...gap }] : [],
  )
  if (gaps.length === 0) return
  return sql`
    insert into variable_gaps (terminal_id, from_at, to_at, reports)
    select t.id, to_timestamp(x.from_ms / 1000), to_timestamp(x.to_ms / 1000), x.reports
    from unnest(${gaps.map((gap) => gap.terminalId)}::int[], ${gaps.map((gap) => gap.deviceId)}::int[],
      ${gaps.map((gap) => gap.from)}::float8[], ${gaps.map((gap) => gap.to)}::float8[], ${gaps.map((gap) => gap.reports)}::int[])
      as x(terminal_id, device_id, from_ms, to_ms, reports)
    join terminals t on t.id = x.terminal_id and t.device_id = x.device_id
    on conflict do nothing`
}

export function openReadings(sql: () => Sql, judge: Truths) {
  const newest = openNewest(sql)

  /** Returns the terminals whose version had changed. */
  async function file(readings: readonly Reading[]): Promise<Set<number>> {
    const changes: { terminalId: number; version: number; newest: Newest; truths: HeldTruths }[] = []
    const turns: Turn[] = []
    /** Adds computed variables; again at each try, because they depend on the newest values. */
    const full: Reading[] = []
    const checked: { terminalId: number; version: number }[] = []
    for (const [terminalId, own] of [...byTerminal(readings)].sort(([a], [b]) => a - b)) {
      const known = newest.get(terminalId) as HeldTerminal
      const live = own.filter(({ late }) => !late)
      full.push(...own.filter(({ late }) => late).map((reading) => withDerived(reading, null)))
      if (live.length === 0) {
        checked.push({ terminalId, version: known.version })
        continue
      }
      const next = copyOf(known.newest)
      let truths = known.truths
      for (const measured of live) {
        const reading = withDerived(measured, next)
        full.push(reading)
        merge(next, reading)
        truths = judge.judge(reading, next, truths, turns)
      }
      changes.push({ terminalId, version: known.version, newest: next, truths })
    }
    await fileGaps(sql(), readings)
    const rows = await sql().unsafe<{ terminal_id: number }[]>(
      turns.length > 0 ? FILE_REPORTS_AND_TURNS : FILE_REPORTS,
      [...fileArguments(changes, checked, full), ...turnArguments(turns)],
      { prepare: true },
    )
    const stored = new Set(rows.map((row) => row.terminal_id))
    const missed = new Set(checked.flatMap(({ terminalId }) => (stored.has(terminalId) ? [] : [terminalId])))
    for (const change of changes) {
      const known = newest.get(change.terminalId)
      if (!stored.has(change.terminalId)) missed.add(change.terminalId)
      else if (known) {
        known.version = change.version + 1
        known.newest = change.newest
        known.truths = change.truths
        known.usedAt = performance.now()
      }
    }
    if (turns.some(({ terminalId }) => stored.has(terminalId))) judge.wake()
    return missed
  }

  /**
   * Resolves when every report whose terminal is unchanged is stored. After an error it is unknown what was stored, so
   * everything is read again.
   */
  return async (readings: readonly Reading[]): Promise<void> => {
    const ids = readings.map(({ terminalId }) => terminalId)
    await judge.ready
    try {
      let rest = readings
      for (let tries = 0; tries < TRIES; tries++) {
        await newest.load(rest.map(({ terminalId }) => terminalId))
        const taken = rest.filter((reading) => takes(newest.get(reading.terminalId), reading))
        if (taken.length === 0) return
        const missed = await file(taken)
        if (missed.size === 0) return
        newest.forget(missed)
        rest = taken.filter(({ terminalId }) => missed.has(terminalId))
      }
      throw new Error('terminals are written by somebody else all the time')
    } catch (error) {
      newest.forget(ids)
      throw error
    }
  }
}
