import { expect, it } from 'vitest'
import { addTerminal } from '#test/collecting'
import type { TestDevice } from '#test/tenants'
import { openBench } from '#test/worker-bench'
import { removeReportsJob } from './remove-reports.ts'

const bench = await openBench()
const { sql } = bench.ctx
const [gateway, other] = bench.tenants.a.devices as [TestDevice, TestDevice]

const report = (terminalId: number, days: number) => sql`
  insert into variable_reports (at, terminal_id, plan, slots, vals)
  select now() - make_interval(days => ${days}, secs => n), ${terminalId}, 1, '{0}', '{1}' from generate_series(1, 20) n`
const count = async (terminalId: number) =>
  (await sql`select 1 from variable_reports where terminal_id = ${terminalId}`).length

it('reports of a deleted terminal are removed on every day, those of others stay', async () => {
  const [gone, kept] = [await addTerminal(sql, gateway), await addTerminal(sql, gateway)]
  for (const days of [0, 1, 20]) {
    await report(gone, days)
    await report(kept, days)
  }
  await sql`delete from terminals where id = ${gone}`
  expect(await removeReportsJob.run(bench.ctx, {})).toEqual({ terminals: 1, rows: 60 })
  expect(await count(gone)).toBe(0)
  expect(await count(kept)).toBe(60)
  expect(await removeReportsJob.run(bench.ctx, {})).toEqual({ terminals: 0, rows: 0 })
})

it('reports of a deleted gateway are removed with its terminals', async () => {
  const own = await addTerminal(sql, other)
  await report(own, 0)
  await sql`delete from device_states where device_id = ${other.id}`
  await sql`delete from devices where id = ${other.id}`
  await removeReportsJob.run(bench.ctx, {})
  expect(await count(own)).toBe(0)
})
