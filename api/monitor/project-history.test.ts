/** [§3 Project] How long a project keeps samples, and what they take. */
import { expect, it } from 'vitest'
import { ensurePartitions } from '#infra/partitions'
import { monitorRefusals } from '#schema/monitor/monitor-refusals'
import { apiTest } from '#test/api-client'
import { addTerminal } from '#test/collecting'
import { spread } from './project-history.ts'

const { call, tenants, context } = await apiTest()
const { sql } = context
const { a, b } = tenants

type Row = { id: number; edition: string; historyDays: number | null }
const rows = async () => (await call<{ list: Row[] }>('project/getProjectList', {}, a.admin)).data?.list ?? []
const kept = { name: 'Plant', type: 'energy' }

it('is as long as the platform keeps them, unless it says less; never more', async () => {
  await sql`insert into parameter_values (key, value) values ('variableDays', 100)`
  context.parameters.forget()
  const made = await call<{ id: number }>(
    'project/addProject',
    { ...kept, groupId: a.groups.root, historyDays: 101 },
    a.admin,
  )
  expect(made).toMatchObject({ code: monitorRefusals.projectHistoryTooLong.code, field: 'historyDays' })
  await call('project/addProject', { ...kept, groupId: a.groups.root }, a.admin)
  const modify = async (historyDays?: number | string) => {
    const [row] = await rows()
    return call(
      'project/modifyProject',
      { ...kept, id: row?.id, edition: row?.edition, historyDays },
      a.admin,
    )
  }
  expect(await rows()).toMatchObject([{ historyDays: null }])
  expect(await modify(6)).toMatchObject({ field: 'historyDays' })
  expect(await modify(100)).toMatchObject({ code: 0 })
  expect(await rows()).toMatchObject([{ historyDays: 100 }])
  // The platform's time has become shorter: the name can still be changed.
  await sql`update parameter_values set value = 50 where key = 'variableDays'`
  context.parameters.forget()
  expect(await modify(100)).toMatchObject({ code: 0 })
  expect(await modify(51)).toMatchObject({ field: 'historyDays' })
  expect(await modify('')).toMatchObject({ code: 0 })
  expect(await rows()).toMatchObject([{ historyDays: null }])
})

it('is shown in bytes, day by day, without what others have stored', async () => {
  await ensurePartitions(sql, new Date(), { daysBack: 3 })
  const [device] = await sql<
    { id: number }[]
  >`select id from devices where group_id = ${a.groups.branch} limit 1`
  const [other] = await sql<
    { id: number }[]
  >`select id from devices where customer_id = ${b.customerId} limit 1`
  const own = await addTerminal(sql, { id: device?.id ?? 0, customerId: a.customerId })
  const foreign = await addTerminal(sql, { id: other?.id ?? 0, customerId: b.customerId })
  // Two days ago a quarter is of the project, yesterday nothing.
  await sql`
    insert into variable_reports (at, terminal_id, plan, slots, vals)
    select date_trunc('day', now(), 'UTC') - interval '2 days' + n * interval '1 second', case when n % 4 = 0 then ${own}::int else ${foreign}::int end, 1, '{0,1}'::smallint[], '{1,2}'::float8[]
    from generate_series(1, 8000) n
    union all select date_trunc('day', now(), 'UTC') - interval '1 day' + n * interval '1 second', ${foreign}::int, 1, '{0,1}'::smallint[], '{1,2}'::float8[] from generate_series(1, 500) n`
  const [project] = await rows()
  const shown = await call<{ platformDays: number; days: { day: string; bytes: number }[] }>(
    'project/getProjectHistory',
    { projectId: project?.id },
    a.admin,
  )
  const day = new Date(Date.now() - 2 * 86_400_000).toISOString().slice(0, 10)
  const [size] = await sql<{ bytes: number }[]>`
    select pg_total_relation_size(${`variable_reports_${day.replaceAll('-', '')}`}::regclass)::float8 as bytes`
  expect(shown.data).toMatchObject({ platformDays: 50, days: [{ day }] })
  expect((shown.data?.days[0]?.bytes ?? 0) / (size?.bytes ?? 1)).toBeCloseTo(0.25, 2)
})

it('looks at some days only, evenly spread, the first and the last among them', () => {
  const days = [...Array(366).keys()]
  const some = spread(days, 24)
  expect([some[0], some.at(-1), some.length]).toEqual([0, 365, 24])
  expect(spread([1, 2], 24)).toEqual([1, 2])
})
