/** The stored password of a target goes only to the host that it was entered for. */
import { expect, it } from 'vitest'
import { unseal } from '#infra/secrets'
import { apiTest } from '#test/api-client'

const { call, tenants, context } = await apiTest({ WEBHOOK_ALLOW_PRIVATE: 'true' })
const { sql } = context
const { a } = tenants
const [project] = await sql<{ id: number }[]>`
  insert into projects (customer_id, group_id, name, type) values (${a.customerId}, ${a.groups.root}, 'North hall', 'energy') returning id`

const own = { username: 'plant', topic: 'plant/values', values: true, alarms: false }
const target = {
  ...own,
  projectId: project?.id,
  kind: 'mqtt',
  name: 'Broker',
  secretAddress: 'mqtts://broker.example.test:8883',
  password: 'of this broker',
}
const added = await call<{ id: number }>('north/addNorth', target, a.admin)
const id = added.data?.id ?? 0

const stored = async () => {
  const [row] = await sql<{ sealed: string | null }[]>`
    select secret_sealed as sealed from north_targets where id = ${id}`
  return row?.sealed ? unseal(row.sealed, context.env.JWT_SECRET) : null
}
const modify = async (more: object) => {
  const [row] = await sql<{ name: string }[]>`select name from north_targets where id = ${id}`
  return call('north/modifyNorth', { ...own, id, name: row?.name, ...more }, a.admin)
}

it('keeps the password while the host stays the same', async () => {
  expect(await modify({ name: 'The broker' })).toMatchObject({ code: 0 })
  expect(await stored()).toBe('of this broker')
  expect(await modify({ secretAddress: 'mqtts://broker.example.test:8883/path' })).toMatchObject({ code: 0 })
  expect(await stored()).toBe('of this broker')
})

it('forgets the password when the address names another host, unless it is entered again', async () => {
  expect(await modify({ secretAddress: 'mqtts://other.example.test:8883' })).toMatchObject({ code: 0 })
  expect(await stored()).toBeNull()
  expect(
    await modify({ secretAddress: 'mqtts://third.example.test:8883', password: 'of the third' }),
  ).toMatchObject({ code: 0 })
  expect(await stored()).toBe('of the third')
})

it('sends what was stored from now on, if values or alarms are switched on later; the other stays where it is', async () => {
  const positions = async () => {
    const [row] = await sql<{ values: number; alarms: number }[]>`
      select stored_by::float8 as values, alarms_by::float8 as alarms from north_targets where id = ${id}`
    return row ?? { values: 0, alarms: 0 }
  }
  await sql`update north_targets set stored_by = 1, alarms_by = 1 where id = ${id}`
  expect(await modify({ alarms: true })).toMatchObject({ code: 0 })
  const later = await positions()
  expect(later.values).toBe(1)
  expect(later.alarms).toBeGreaterThan(1)
  expect(await modify({ alarms: true, values: false })).toMatchObject({ code: 0 })
  expect(await positions()).toEqual(later)
  expect(await modify({ alarms: true, values: true })).toMatchObject({ code: 0 })
  expect((await positions()).values).toBeGreaterThan(1)
})
