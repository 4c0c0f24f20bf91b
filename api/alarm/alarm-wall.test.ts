import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { apiTest } from '#test/api-client'
import { visible } from '../kit/scope.ts'

const { context, tenants } = await apiTest()
const { a } = tenants

type Plan = { 'Relation Name'?: string; 'Actual Loops': number; Plans?: Plan[] }
/** How often each table was read. */
const reads = ({ 'Relation Name': name, 'Actual Loops': loops, Plans = [] }: Plan): [string, number][] => [
  ...(name === undefined ? [] : [[name, loops] as [string, number]]),
  ...Plans.flatMap(reads),
]

it('of a user confined to groups, alarms of devices elsewhere are left out without reading the items of tasks', async () => {
  const [elsewhere] = a.devices
  await context.sql`
    insert into alarms (customer_id, rule_name, kind, severity, device_id, sn, device_name, group_id, group_name, started_at, last_at)
    values (${a.customerId}, 'Busy', 'load', 'major', ${elsewhere?.id ?? 0}, 'SN', 'D', ${a.groups.root}, 'G', now(), now())`
  const actor = {
    ...a.operator,
    userId: a.operator.id,
    type: 'normal',
    customerId: a.customerId,
    groupIds: [a.groups.branch],
  }
  const wall = visible(actor as never).alarms
  const [row] = await context.db.execute<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
    sql`explain (analyze, format json) select id from alarms where ${wall}`,
  )
  const plan = row?.['QUERY PLAN'][0].Plan
  const found = plan ? reads(plan) : []
  expect(found).toContainEqual(['alarms', 1])
  expect(found.filter(([name, loops]) => name === 'task_items' && loops > 0)).toEqual([])
})
