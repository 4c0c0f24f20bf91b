/** Differences of a device's firewall, whose rules have no names of their own in UCI. */
import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { docOf, unsealTexts } from '#infra/config/config-store'
import { sampleDoc } from '#schema/config/sample-doc'
import type { UciDoc } from '#schema/config/uci'
import { apiTest } from '#test/api-client'
import { configure } from '#test/configured'
import { meanwhile } from '#test/meanwhile'

const { context, call, tenants } = await apiTest()
const { sql, env } = context
const deviceId = tenants.a.devices[0]?.id ?? 0
const firewall = sampleDoc['firewall']?.sections ?? []
const isPing = ({ options }: (typeof firewall)[number]) => options.some(({ value }) => value === 'Allow-Ping')
const lost: UciDoc = {
  ...sampleDoc,
  firewall: { name: 'firewall', sections: firewall.filter((section) => !isPing(section)) },
}

async function settle(how: 'overwrite' | 'adopt', { set, running }: { set: UciDoc; running: UciDoc }) {
  await configure(context, deviceId, { doc: running, desired: set, drift: 1 })
  const { data } = await call<{ changes: { difference: string }[] }>(
    'config/getConfigDrift',
    { deviceId },
    tenants.a.admin,
  )
  const differences = data?.changes.map(({ difference }) => difference)
  expect(await call('config/settleDrift', { deviceId, differences, how }, tenants.a.admin)).toMatchObject({
    code: 0,
  })
  const [row] = await sql<{ next: string; desired: string }[]>`
    select next, desired from device_configs where device_id = ${deviceId}`
  const stored = how === 'overwrite' ? row?.next : row?.desired
  return docOf(unsealTexts(stored ?? null, env.JWT_SECRET))['firewall']?.sections
}

it('a firewall rule that somebody has removed comes back at its place, and no other one is lost', async () => {
  expect(await settle('overwrite', { set: sampleDoc, running: lost })).toEqual(firewall)
})

it('a firewall rule that somebody has added is adopted at its place, and no other one is lost', async () => {
  expect(await settle('adopt', { set: lost, running: sampleDoc })).toEqual(firewall)
})

it('a difference is neither adopted nor ignored while a change is under way, whose end would bring it back', async () => {
  await configure(context, deviceId, { doc: lost, desired: sampleDoc, drift: 1 })
  const { a } = tenants
  const ask = () =>
    call<{ changes: { difference: string }[] }>('config/getConfigDrift', { deviceId }, a.admin)
  const differences = (await ask()).data?.changes.map(({ difference }) => difference)
  await sql`update device_configs set item_id = ${randomUUID()} where device_id = ${deviceId}`
  for (const how of ['adopt', 'ignore'])
    expect(await call('config/settleDrift', { deviceId, differences, how }, a.admin)).toMatchObject({
      code: 345,
    })
  expect((await ask()).data?.changes.map(({ difference }) => difference)).toEqual(differences)
})

it('says when the set configuration was last changed, and by whom, also after the user was deleted', async () => {
  await settle('adopt', { set: lost, running: sampleDoc })
  const ask = () =>
    call<{ desiredAt: string; desiredBy: string }>('config/getConfigDrift', { deviceId }, tenants.a.admin)
  expect((await ask()).data).toMatchObject({
    desiredAt: expect.any(String),
    desiredBy: tenants.a.admin.username,
  })
  await configure(context, deviceId, { doc: lost, desired: sampleDoc, drift: 1 })
  await sql`update device_configs set desired_at = '2026-01-02T00:00:00Z' where device_id = ${deviceId}`
  const differences = ['firewall.@rule[0]']
  await call('config/settleDrift', { deviceId, differences, how: 'ignore' }, tenants.a.admin)
  expect((await ask()).data).toMatchObject({ desiredAt: '2026-01-02T00:00:00.000Z', ignored: differences })
  await sql`update device_configs set desired_by = 999999 where device_id = ${deviceId}`
  expect((await ask()).data).toMatchObject({ desiredBy: null })
  await sql`insert into former_users (id, username, customer_id) values (999999, 'former', ${tenants.a.customerId})`
  expect((await ask()).data).toMatchObject({ desiredBy: 'former' })
})

it('a difference that is adopted while the device is given to another customer changes nothing of its configuration', async () => {
  const { a, b } = tenants
  await configure(context, deviceId, { doc: sampleDoc, desired: lost, drift: 1 })
  const { data } = await call<{ changes: { difference: string }[] }>(
    'config/getConfigDrift',
    { deviceId },
    a.admin,
  )
  const differences = data?.changes.map(({ difference }) => difference)
  const set = () => sql`select desired from device_configs where device_id = ${deviceId}`
  const before = await set()
  const adopted = await meanwhile(
    sql,
    () => call('config/settleDrift', { deviceId, differences, how: 'adopt' }, a.admin),
    // As `moveDevices` does.
    async (tx) => {
      await tx`update devices set customer_id = ${b.customerId}, group_id = ${b.groups.root} where id = ${deviceId}`
      await tx`update device_configs set own = '{}' where device_id = ${deviceId}`
    },
  )
  const after = await set()
  await sql`update devices set customer_id = ${a.customerId}, group_id = ${a.groups.root} where id = ${deviceId}`
  expect([...after]).toEqual([...before])
  expect(adopted.code).toBe(5)
})
