import type { MeterSteps, Rollup } from '#schema/monitor/rollup'
import type { Transaction } from '../kit/processor.ts'

export type SummedHour = {
  terminalId: number
  slot: number
  hour: Rollup
  quarters: readonly Rollup[]
}

const listed = (steps: MeterSteps | null) =>
  steps && [steps.second, steps.beforeLast, steps.from, steps.to, steps.grown]

const rowsOf = (all: readonly { terminalId: number; slot: number; one: Rollup }[]) =>
  JSON.stringify(
    all.map(({ terminalId, slot, one }) => ({
      ...one,
      terminalId,
      slot,
      firstMs: one.firstMs - one.startMs,
      lastMs: one.lastMs - one.startMs,
      steps: listed(one.steps),
    })),
  )

/**
 * An hour of which fewer samples are left than were summed before stays as it was: retention has removed some of them.
 */
async function store(
  tx: Transaction,
  table: 'variable_hours' | 'variable_quarters',
  rows: string,
): Promise<{ terminalId: number; slot: number; startMs: number }[]> {
  return tx`
    insert into ${tx(table)} as held (terminal_id, slot, at, integral, known_s, min, max, first, last, good, bad, first_ms, last_ms, stands, steps)
    select "terminalId", slot, to_timestamp("startMs"::float8 / 1000), integral, "knownS", min, max, first, last, good, bad, "firstMs",
      "lastMs", stands, steps
    from jsonb_to_recordset(${rows}::text::jsonb) as x("terminalId" int, slot smallint, "startMs" bigint, integral float8, "knownS" float8,
      min float8, max float8, first float8, last float8, good int, bad int, "firstMs" int, "lastMs" int, stands boolean, steps float8[])
    on conflict (terminal_id, slot, at) do update set integral = excluded.integral, known_s = excluded.known_s, min = excluded.min,
      max = excluded.max, first = excluded.first, last = excluded.last, good = excluded.good, bad = excluded.bad,
      first_ms = excluded.first_ms, last_ms = excluded.last_ms, stands = excluded.stands, steps = excluded.steps
      where excluded.good + excluded.bad >= held.good + held.bad
    returning terminal_id as "terminalId", slot, (extract(epoch from at) * 1000)::float8 as "startMs"`
}

export async function storeRollups(tx: Transaction, hours: readonly SummedHour[]): Promise<void> {
  if (hours.length === 0) return
  const taken = await store(
    tx,
    'variable_hours',
    rowsOf(hours.map(({ hour, ...of }) => ({ ...of, one: hour }))),
  )
  const keys = new Set(taken.map(({ terminalId, slot, startMs }) => `${terminalId} ${slot} ${startMs}`))
  const quarters = hours
    .filter(({ terminalId, slot, hour }) => keys.has(`${terminalId} ${slot} ${hour.startMs}`))
    .flatMap(({ quarters: of, terminalId, slot }) => of.map((one) => ({ terminalId, slot, one })))
  if (quarters.length > 0) await store(tx, 'variable_quarters', rowsOf(quarters))
}
