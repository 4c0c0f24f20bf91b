import { expect, it } from 'vitest'
import type { getMaintenanceList } from '#schema/alarm/maintenance'
import type { ReplyOf } from '#schema/kit/call'
import { apiTest } from '#test/api-client'

const { call, tenants, context } = await apiTest()
const { a } = tenants
const { sql } = context

const window = {
  scope: 'groups',
  groupIds: [a.groups.branch],
  startsAt: '2026-11-29T02:00:00Z',
  endsAt: '2026-11-29T05:00:00Z',
  timeZone: 'UTC',
}

it('a user confined to groups deletes the windows that they planned, and is told which others they cannot', async () => {
  await sql`update users set role_id = (select id from roles where customer_id is null and name = 'customerAdmin')
    where id = ${a.operator.id}`
  await call('alarm/createMaintenance', { ...window, name: 'of the customer' }, a.admin)
  await call('alarm/createMaintenance', { ...window, name: 'own' }, a.operator)
  const list = async (as: typeof a.admin) =>
    (await call<ReplyOf<typeof getMaintenanceList>>('alarm/getMaintenanceList', {}, as)).data?.list ?? []
  const shown = await list(a.operator)
  expect(shown.map(({ name, changeable }) => [name, changeable]).toSorted()).toEqual([
    ['of the customer', false],
    ['own', true],
  ])
  for (const { id, changeable } of shown) {
    const { code } = await call('alarm/deleteMaintenance', { maintenanceId: id }, a.operator)
    expect(code === 0).toBe(changeable)
  }
  expect((await list(a.admin)).map(({ name, changeable }) => [name, changeable])).toEqual([
    ['of the customer', true],
  ])
})
