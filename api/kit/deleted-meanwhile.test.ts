import { expect, it } from 'vitest'
import { sayIn } from '#infra/say'
import { absent } from '#schema/people/session-refusals'
import { apiTest } from '#test/api-client'
import { until } from '#test/walks/until'

const { call, tenants, context } = await apiTest()
const { sql } = context
const { a, b } = tenants
const notThere = { code: absent.code, message: sayIn('en-US')(absent.text) }

it('a row that another user deletes while a call that names it is handled is refused like one that is not there', async () => {
  const made = await call<{ id: number }>(
    'collectionTemplate/addTemplate',
    { name: 'Deleted meanwhile', type: 'powerMeter' },
    a.admin,
  )
  const variable = await call<{ id: number }>(
    'variable/addVariable',
    {
      templateId: made.data?.id,
      name: 'U',
      unit: 'V',
      registerType: 'input',
      address: 0,
      dataType: 'float32',
      byteOrder: 'ABCD',
      reportType: 'both',
    },
    a.admin,
  )
  const variableId = variable.data?.id ?? 0
  const saved = await sql.begin(async (tx) => {
    await tx`delete from variables where id = ${variableId}`
    const saving = call(
      'variableNotice/createVariableNotice',
      { name: 'Too high', variableId, terminalScope: 'all', operator: 'gt', low: 250 },
      a.admin,
    )
    await until('the notice waits for the deletion', async () => {
      const waiting = await sql`
        select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      return waiting.length > 0
    })
    return { saving }
  })
  expect(await saved.saving).toMatchObject(notThere)
})

it('what another user has deleted is said not to exist, and what another customer has in the same words', async () => {
  const group = async (of: typeof a) => {
    const [row] = await sql<{ id: number }[]>`
      insert into groups (customer_id, name, level) values (${of.customerId}, 'Short-lived', 1) returning id`
    return { groupId: row?.id ?? 0 }
  }
  const [deleted, foreign] = [await group(a), await group(b)]
  expect(await call('device/deleteGroup', deleted, a.admin)).toMatchObject({ code: 0 })
  expect(await call('device/deleteGroup', deleted, a.admin)).toMatchObject(notThere)
  expect(await call('device/deleteGroup', foreign, a.admin)).toMatchObject(notThere)
})

const GONE = 2_000_000_000
it.each<[string, object]>([
  ['device/moveDevices', { dids: [a.devices[0]?.id, GONE], groupId: a.groups.root }],
  ['device/getDeviceDetail', { deviceId: GONE }],
  ['alarm/acknowledgeAlarms', { alarmIds: [GONE] }],
  [
    'alarm/createMaintenance',
    {
      name: 'Works',
      scope: 'devices',
      deviceIds: [GONE],
      startsAt: '2100-01-01T00:00:00Z',
      endsAt: '2100-01-02T00:00:00Z',
    },
  ],
  ['configTemplate/addConfigTemplate', { name: 'Wide', pages: {}, groupIds: [GONE] }],
  ['group/uid/list', { uid: GONE }],
])('%s says so of what was chosen and is not there any more', async (name, body) => {
  expect(await call(name, body, a.admin)).toMatchObject(notThere)
})
