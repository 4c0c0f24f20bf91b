/**
 * The last days of the values that the demonstration monitors: read from the simulated slaves as they were then, in reports as
 * their gateways would have sent them. The workers sum them up like received reports.
 */

import { readerOf, slaveOf } from '#device-sim/gateway/simulated-slaves'
import { ensurePartitions } from '#infra/partitions'
import type { Transaction } from '#infra/postgres'
import type { LibraryTemplate } from '#schema/monitor/library/library-template'
import type { StoredValue } from '#schema/monitor/scale'

type Sql = Transaction

export const PAST_VALUE_DAYS = 3
const DAY_MS = 86_400_000
/** Each variable is reported once in its cycle, before the last day half as often, which is still without gaps (`holdMsOf`). */
const stepsOf = (ageMs: number) => (ageMs > DAY_MS ? 2 : 1)
/** In the past no plan was made by this platform. */
const NO_PLAN = 0
const ROWS_AT_ONCE = 500

export type PastTerminal = { id: number; deviceId: number; unit: number; template: LibraryTemplate }
type Absence = { deviceId: number; fromMs: number; toMs: number }
type Row = {
  at: string
  slots: string
  vals: string
  quality: string | null
  texts: (string | null)[] | null
}

export const pastBegins = (now: number): Date => new Date(now - PAST_VALUE_DAYS * DAY_MS)

/** A gateway without power reads nothing; one that was only offline has sent its reports later. */
const powerCuts = (sql: Sql, deviceIds: readonly number[], from: Date) => sql<Absence[]>`
  select * from (
    select device_id as "deviceId", (extract(epoch from offline_at) * 1000)::float8 as "fromMs", reason,
      (extract(epoch from lead(online_at) over (partition by device_id order by online_at)) * 1000)::float8 as "toMs"
    from presence_records where device_id = any(${deviceIds}::int[]) and offline_at > ${from}) p
  where reason = 'keepalive' and "toMs" is not null`

/** A text is stored next to the numbers, as with received reports. */
function reportOf(slots: readonly number[], values: readonly StoredValue[], ms: number): Row {
  const list = (cells: readonly (number | null)[]) => `{${cells.map((cell) => cell ?? 'NULL').join(',')}}`
  return {
    at: new Date(ms).toISOString(),
    slots: list(slots),
    vals: list(values.map(({ value }) => value)),
    quality: values.some(({ quality }) => quality !== 0) ? list(values.map(({ quality }) => quality)) : null,
    texts: values.some(({ text }) => text !== null) ? values.map(({ text }) => text) : null,
  }
}

/** Each moment at which variables are due, and their slots. */
function* dueIn({ variables }: LibraryTemplate, fromMs: number, toMs: number) {
  const shortestMs = Math.min(...variables.map(({ cycleS }) => cycleS)) * 1000
  const last: number[] = []
  let ms = fromMs
  while (ms < toMs) {
    const steps = stepsOf(toMs - ms)
    const slots = variables.flatMap(({ cycleS }, slot) =>
      ms - (last[slot] ?? 0) >= steps * cycleS * 1000 ? [slot] : [],
    )
    for (const slot of slots) last[slot] = ms
    if (slots.length > 0) yield { ms, slots }
    ms += steps * shortestMs
  }
}

async function store(sql: Sql, terminalId: number, rows: readonly Row[]): Promise<void> {
  await sql`
    insert into variable_reports (terminal_id, at, plan, slots, vals, quality, texts)
    select ${terminalId}, at, ${NO_PLAN}, slots::smallint[], vals::float8[], quality::smallint[], texts
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as r(at timestamptz, slots text, vals text, quality text, texts text[])
    on conflict do nothing`
}

/** @param now ms; the last report is older than the first one that the gateways send */
export async function seedValues(sql: Sql, terminals: readonly PastTerminal[], now: number): Promise<void> {
  const from = pastBegins(now)
  await ensurePartitions(sql, new Date(now), {
    daysBack: PAST_VALUE_DAYS,
    daysAhead: 0,
    tables: ['variable_reports'],
  })
  const cuts = await powerCuts(
    sql,
    terminals.map(({ deviceId }) => deviceId),
    from,
  )
  for (const { id, deviceId, unit, template } of terminals) {
    let moment = 0
    const read = readerOf(
      slaveOf(template, unit, () => moment),
      template,
    )
    const own = cuts.filter((cut) => cut.deviceId === deviceId)
    let rows: Row[] = []
    for (const { ms, slots } of dueIn(template, from.getTime() + unit * 1_000, now)) {
      if (own.some(({ fromMs, toMs }) => ms >= fromMs && ms < toMs)) continue
      moment = ms
      rows.push(reportOf(slots, read(slots), ms))
      if (rows.length < ROWS_AT_ONCE) continue
      await store(sql, id, rows)
      rows = []
    }
    if (rows.length > 0) await store(sql, id, rows)
  }
}
