/** What the page of the past shows is the same before reports are summed, afterwards, and while late ones come. */
import { expect, it } from 'vitest'
import type { ReplyOf } from '#schema/kit/call'
import { getVariableHistory } from '#schema/monitor/variable-history'
import { rollUpVariablesJob } from '#workers/monitor/roll-up-variables'
import { apiTest } from './api-client.ts'
import { addTemplate, addTerminal } from './collecting.ts'
import type { TestDevice } from './tenants.ts'

const { context, call, tenants } = await apiTest()
const { sql } = context
const { a } = tenants
const HOUR_MS = 3_600_000
/** Ten hours ago. */
const START = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - 10 * HOUR_MS

const gateway = a.devices[0] as TestDevice
const templateId = await addTemplate(sql, a.customerId)
const [variable] = await sql<{ id: number }[]>`
  insert into variables (template_id, slot, name, unit, register_type, address, data_type, precision, cycle_s, function_type)
  values (${templateId}, 0, 'Energy', 'kWh', 'holding', 0, 'float32', 1, 60, 'counter') returning id`
const terminalId = await addTerminal(sql, gateway, templateId)
await sql`update terminals set template_since = ${new Date(START + 1_000_000)} where id = ${terminalId}`

/** A meter with glitches, a reset and gaps, every 37 s. */
async function report(from: number, to: number, every = 37) {
  await sql`
    insert into variable_reports (at, terminal_id, plan, slots, vals, quality)
    select to_timestamp(${START / 1000}::float8 + s), ${terminalId}, 1, '{0}',
      array[case when s % 7 = 3 and s % 2 = 0 then 1 when s > 20000 then s - 20000 else s end::float8],
      case when s % 11 = 0 then '{1}'::smallint[] end
    from generate_series(${from}::int, ${to}::int, ${every}::int) s where s % 5000 > 900 on conflict do nothing`
}

const line = { connected: () => false, publish: async () => undefined, close: async () => undefined }
const worker = { ...context, line }
const steps = ['minute', 'quarter', 'hour', 'day'] as const
async function asked() {
  const answers = []
  for (const step of steps) {
    const { code, data } = await call(
      getVariableHistory.name,
      {
        terminalIds: [terminalId],
        variableIds: [variable?.id],
        from: new Date(START).toISOString(),
        to: new Date(START + 9.5 * HOUR_MS).toISOString(),
        step,
        zone: 'Asia/Kathmandu',
      },
      a.admin,
    )
    expect(code).toBe(0)
    const [series] = (data as ReplyOf<typeof getVariableHistory>).series
    const near = (value: number | null) => (value === null ? null : Number(value.toFixed(6)))
    answers.push({ ...series, avg: series?.avg.map(near), diff: series?.diff.map(near) })
  }
  return answers
}

/** Transactions of other tests on the same PostgreSQL may still be open: what is behind them waits. */
async function sumAll() {
  await expect
    .poll(async () => {
      await rollUpVariablesJob.run(worker, {})
      const [left] = await sql<{ n: number }[]>`
          select count(*)::int as n from variable_reports r, rollup_positions p where r.stored_by >= p.stored_by`
      return left?.n
    })
    .toBe(0)
}

it('reports, sums and both together give the same minutes, quarters, hours and days', async () => {
  await report(0, 34_000)
  const fromReports = await asked()
  expect(fromReports[2]?.diff?.some((value) => value !== null && value > 100)).toBe(true)

  await sumAll()
  expect(await sql`select 1 from variable_hours where terminal_id = ${terminalId}`).not.toHaveLength(0)
  expect(await asked()).toEqual(fromReports)

  // Late, and not yet summed.
  await report(7_000, 12_000, 41)
  await sql`insert into variable_dirty (terminal_id, hour)
    select distinct terminal_id, date_trunc('hour', at, 'UTC') from variable_reports where terminal_id = ${terminalId}
      and at >= ${new Date(START + 7_000_000)} and at < ${new Date(START + 12_001_000)}`
  const withLate = await asked()
  expect(withLate).not.toEqual(fromReports)
  await sumAll()
  expect(await asked()).toEqual(withLate)

  // Only the sums are left of what retention has removed.
  await sql`delete from variable_reports where at < ${new Date(START + 6 * HOUR_MS)} and at >= ${new Date(START + HOUR_MS)}`
  const [, quarters, hours, days] = withLate
  expect((await asked()).slice(1)).toEqual([quarters, hours, days])
})
