/** Projects that keep samples for less time than the platform. */
import { expect, it } from 'vitest'
import { ensurePartitions } from '#infra/partitions'
import { addTerminal } from '#test/collecting'
import { openBench } from '#test/worker-bench'
import { trimHistoryJob } from './trim-history.ts'

const bench = await openBench()
const { sql } = bench.ctx
const { a, b } = bench.tenants

async function terminalOf(tenant: typeof a, groupId: number) {
  const [device] = await sql<{ id: number }[]>`select id from devices where group_id = ${groupId} limit 1`
  if (!device) throw new Error('no device')
  return addTerminal(sql, { ...device, customerId: tenant.customerId })
}
const add = (terminalId: number) => sql`
  insert into variable_reports (at, terminal_id, plan, slots, vals)
  select date_trunc('day', now(), 'UTC') - make_interval(days => n) + interval '1 minute', ${terminalId}, 1, '{0}', '{1}' from unnest(array[0, 9, 10, 11, 40]) n`
const agesOf = async (terminalId: number) =>
  (
    await sql<{ days: number }[]>`
      select (date_trunc('day', now(), 'UTC')::date - (at at time zone 'UTC')::date)::int as days from variable_reports
      where terminal_id = ${terminalId} order by 1`
  ).map(({ days }) => days)

it('deletes only the samples of their terminals, including those in subgroups', async () => {
  await ensurePartitions(sql, bench.ctx.now(), { daysBack: 40 })
  const own = await terminalOf(a, a.groups.root)
  const below = await terminalOf(a, a.groups.branch)
  const beside = await terminalOf(a, a.groups.other)
  const foreign = await terminalOf(b, b.groups.root)
  const all = [own, below, beside, foreign]
  for (const id of all) await add(id)
  for (const id of [own, foreign])
    for (const days of [5, 20])
      await sql`insert into variable_gaps (terminal_id, from_at, to_at, reports)
        values (${id}, now() - make_interval(days => ${days + 1}), now() - make_interval(days => ${days}), 3)`
  await sql`
    insert into projects (customer_id, group_id, name, type, history_days)
    values (${a.customerId}, ${a.groups.root}, 'short', 'other', 10), (${b.customerId}, ${b.groups.root}, 'as long', 'other', null)`
  const done = await trimHistoryJob.run(bench.ctx, {})
  expect(done).toMatchObject({ 'samples of projects': 5 })
  expect(await Promise.all(all.map(agesOf))).toEqual([
    [0, 9, 10],
    [0, 9, 10],
    [0, 9, 10, 11, 40],
    [0, 9, 10, 11, 40],
  ])
  const gaps = await sql`select terminal_id from variable_gaps order by 1`
  expect(gaps.map((row) => row['terminal_id'])).toEqual([own, foreign, foreign].sort((x, y) => x - y))
  // A second run has nothing to do.
  expect(await trimHistoryJob.run(bench.ctx, {})).toMatchObject({ 'samples of projects': 0 })
})
