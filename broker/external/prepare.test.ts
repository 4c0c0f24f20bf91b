/** Before the change to a Mosquitto our own broker stores the secrets that the Mosquitto will need. */
import { expect, it } from 'vitest'
import { unsealFor } from '#infra/broker-account'
import { hashSecret, makeSecret } from '#infra/secrets'
import { brokerTest } from '#test/broker-test'
import { until } from '#test/walks/until'
import { wantedAccounts } from './wanted.ts'

const test = await brokerTest('PREP-', 4, { EXTERNAL_MQTT_URL: 'mqtt://127.0.0.1:1' })
const { context } = test
const { sql, env } = context
const sealedOf = async (id: number): Promise<string | null> =>
  (await sql<{ sealed: string | null }[]>`select secret_sealed as sealed from devices where id = ${id}`)[0]
    ?.sealed ?? null

it('the secret of each device that logs in, encrypted', async () => {
  const device = test.device()
  const absent = test.device()
  await test.login(device)
  const sealed = await until('it is kept', () => sealedOf(device.id))
  expect(sealed).not.toContain(device.secret)
  expect(unsealFor(env, sealed, hashSecret(device.secret))).toBe(device.secret)
  expect(unsealFor(env, sealed, hashSecret(makeSecret()))).toBe(null)
  expect(unsealFor({ ...env, JWT_SECRET: makeSecret() }, sealed, hashSecret(device.secret))).toBe(null)
  const { wanted, missing } = await wantedAccounts(context)
  expect(wanted.get(device.sn)?.make()).toMatchObject({
    username: device.sn,
    password: device.secret,
    clientId: device.sn,
  })
  expect(missing).toContain(absent.sn)
  expect(wanted.has(absent.sn)).toBe(false)
})

it('an enrolment key that was made before is named: no device can enrol with it', async () => {
  const { id: deviceId } = test.device()
  const add = (label: string, sealed: string | null, used: number) =>
    sql`insert into enrolment_keys (customer_id, group_id, label, hash, key_sealed, max_count, used_count, expires_at)
      select customer_id, group_id, ${label}, ${hashSecret(makeSecret())}, ${sealed}, 10, ${used}, now() + interval '1 day'
      from devices where id = ${deviceId}`
  await add('Made before', null, 0)
  await add('Used up', null, 10)
  await add('By another key', 'not ours', 0)
  expect((await wantedAccounts(context)).missingKeys).toEqual(['Made before', 'By another key'])
})

it('and not of one that does not get in', async () => {
  const device = test.device()
  await expect(test.login({ ...device, secret: makeSecret() })).rejects.toThrow('CONNACK 4')
  expect(await sealedOf(device.id)).toBe(null)
})
