/** Hours and quarters of variables follow their reports, whatever comes late, twice or in between. */
import { beforeEach, expect, it } from 'vitest'
import { addTemplate, addTerminal } from '#test/collecting'
import type { TestDevice } from '#test/tenants'
import { openBench } from '#test/worker-bench'
import { readHours } from './read-hours.ts'
import { removeReportsJob } from './remove-reports.ts'
import { rollUpVariablesJob } from './roll-up-variables.ts'

const bench = await openBench()
const { sql } = bench.ctx
const [gateway] = bench.tenants.a.devices as [TestDevice, TestDevice]
const HOUR_MS = 3_600_000
/** Two hours ago: over. */
const START = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - 2 * HOUR_MS

let terminalId = 0
beforeEach(async () => {
  await sql`truncate variable_reports, variable_dirty, variable_hours, variable_quarters`
  const templateId = await addTemplate(sql, gateway.customerId)
  await sql`
    insert into variables (template_id, slot, name, unit, register_type, address, data_type, cycle_s, function_type)
    values (${templateId}, 0, 'Power', 'W', 'holding', 0, 'float32', 60, 'gauge'),
      (${templateId}, 1, 'Energy', 'kWh', 'holding', 2, 'float32', 60, 'counter')`
  terminalId = await addTerminal(sql, gateway, templateId)
  await sql`update terminals set template_since = to_timestamp(0) where id = ${terminalId}`
})

async function report(s: number, power: number | null, energy: number, quality: number[] | null = null) {
  const at = new Date(START + s * 1000)
  await sql`
    insert into variable_reports (at, terminal_id, plan, slots, vals, quality)
    values (${at}, ${terminalId}, 1, '{0,1}', ${`{${power ?? 'NULL'},${energy}}`}::text::float8[], ${quality})
    on conflict do nothing`
}
const once = () => rollUpVariablesJob.run(bench.ctx, {}) as Promise<{ hours: number }>
/** Transactions of other tests on the same PostgreSQL may still be open: what is behind them waits. */
async function run() {
  const [mine] = await sql<{ id: string }[]>`select pg_current_xact_id()::text as id`
  await expect
    .poll(
      async () =>
        (
          await sql`
            select 1 from pg_snapshot_xmin(pg_current_snapshot()) as oldest where oldest > ${mine?.id ?? ''}::text::xid8`
        ).length,
    )
    .toBe(1)
  return once()
}
const hours = (slot: number) => sql<
  { at: Date; good: number; bad: number; min: number; max: number; last: number }[]
>`
  select at, good, bad, min, max, last from variable_hours where terminal_id = ${terminalId} and slot = ${slot} order by at`
const quarters = (slot: number) => sql<{ good: number; integral: number }[]>`
  select good, integral from variable_quarters where terminal_id = ${terminalId} and slot = ${slot} order by at`

it('an hour that is over is summed, with its quarters', async () => {
  await report(0, 10, 100)
  await report(60, 20, 101)
  await report(960, 30, 103)
  expect(await run()).toEqual({ hours: 1 })
  expect(await hours(0)).toMatchObject([{ at: new Date(START), good: 3, bad: 0, min: 10, max: 30, last: 30 }])
  expect(await quarters(0)).toEqual([
    { good: 2, integral: 10 * 60 + 20 * 150 },
    { good: 1, integral: 30 * 150 },
  ])
  expect(await quarters(1)).toHaveLength(2)
  expect(await run()).toEqual({ hours: 0 })
})

it('an hour that is not over waits', async () => {
  await report(7200 + (Date.now() % HOUR_MS) / 1000, 1, 1)
  expect(await run()).toEqual({ hours: 0 })
  expect(await sql`select 1 from variable_dirty`).toHaveLength(1)
})

it('a late report changes its hour, a doubled one nothing, and their order does not matter', async () => {
  await report(600, 3, 3)
  await run()
  await report(60, 1, 1)
  await report(60, 1, 1)
  await report(30, 7, 0)
  expect(await run()).toEqual({ hours: 1 })
  expect(await hours(0)).toMatchObject([{ good: 3, min: 1, max: 7, last: 3 }])
})

it('numbers so large that their sum is none, as of bytes in the wrong order, hold up no other hour', async () => {
  await report(0, 1.7e308, -1.7e308)
  await report(60, -1.7e308, 1.7e308)
  await report(120, 1.7e308, -1.7e308)
  await report(3600, 5, 6)
  await report(3660, 7, 8)
  expect(await run()).toEqual({ hours: 2 })
  expect(await hours(0)).toMatchObject([
    { good: 3, min: -1.7e308, max: 1.7e308, last: 1.7e308 },
    { good: 2, min: 5, max: 7, last: 7 },
  ])
  expect(await hours(1)).toHaveLength(2)
})

it('of an hour with more values than fit into memory the beginning is read; other hours are whole', async () => {
  for (let i = 0; i < 5; i++) await report(60 * i, i, i)
  await report(3600, 5, 5)
  await report(3660, 6, 6)
  const marked = [0, 1].map((n) => ({ terminalId, hour: new Date(START + n * HOUR_MS) }))
  const read = await sql.begin(async (tx) => {
    const found = new Map<number, number>()
    for await (const { hourMs, reports } of readHours(tx, marked, 6)) found.set(hourMs, reports.length)
    return found
  })
  expect(read.get(START)).toBe(3)
  expect(read.get(START + HOUR_MS)).toBe(2)
})

it('bad samples are counted, and have no value', async () => {
  await report(0, null, 5, [1, 0])
  await report(60, 4, 6)
  await run()
  expect(await hours(0)).toMatchObject([{ good: 1, bad: 1, min: 4, max: 4 }])
})

it('a transaction that is still open is waited for', async () => {
  await run()
  await sql.begin(async (tx) => {
    await tx`
      insert into variable_reports (at, terminal_id, plan, slots, vals) values (${new Date(START)}, ${terminalId}, 1, '{0}', '{1}')`
    await report(60, 2, 2)
    await once()
    const [position] = await sql<{ at: Date }[]>`select at from rollup_positions`
    expect(position?.at.getTime()).toBeLessThanOrEqual(bench.ctx.now().getTime())
  })
  await run()
  expect(await hours(0)).toMatchObject([{ good: 2 }])
})

it('a run that dies leaves the mark, and the next one sums', async () => {
  await report(0, 1, 1)
  await sql.unsafe(`
    create function die() returns trigger language plpgsql as $$ begin raise 'killed'; end $$;
    create trigger dies before insert on variable_quarters for each row execute function die()`)
  await expect(run()).rejects.toThrow('killed')
  expect(await hours(0)).toEqual([])
  await sql.unsafe('drop trigger dies on variable_quarters; drop function die()')
  expect(await run()).toEqual({ hours: 1 })
  expect(await quarters(0)).toHaveLength(1)
})

it('two workers at once sum the same as one', async () => {
  for (let s = 0; s < 3_600; s += 300) await report(s, s, s)
  await Promise.all([once(), once(), once()])
  await run()
  expect(await hours(0)).toMatchObject([{ good: 12, min: 0, max: 3_300 }])
  expect(await sql`select 1 from variable_dirty`).toHaveLength(0)
})

it('a late report for an hour whose reports are gone does not wipe it', async () => {
  for (let s = 0; s < 600; s += 60) await report(s, 5, s)
  await run()
  await sql`truncate variable_reports`
  await report(700, 99, 700)
  await run()
  expect(await hours(0)).toMatchObject([{ good: 10, max: 5 }])
  expect(await quarters(0)).toMatchObject([{ good: 10 }])
})

it('what a former template measured is not summed', async () => {
  await report(0, 1, 1)
  await report(120, 2, 2)
  await sql`update terminals set template_since = ${new Date(START + 60_000)} where id = ${terminalId}`
  await run()
  expect(await hours(0)).toMatchObject([{ good: 1, min: 2 }])
})

it('goes with its terminal', async () => {
  await report(0, 1, 1)
  await run()
  await sql`delete from terminals where id = ${terminalId}`
  await removeReportsJob.run(bench.ctx, {})
  expect(await hours(0)).toEqual([])
  expect(await quarters(1)).toEqual([])
})
