/** Presence behind an external broker: from hello and will, and from silence. */
import { randomUUID } from 'node:crypto'
import { beforeEach, expect, it } from 'vitest'
import { sweepLostBrokers } from '#infra/presence'
import { afterFile } from '#test/after-file'
import { testContext } from '#test/harness'
import { addDevices, seedTenants, type TestDevice } from '#test/tenants'
import { until } from '#test/walks/until'
import { openWarnings } from '../warnings.ts'
import { openConnections } from './connections.ts'

const context = await testContext({
  BROKER: 'external',
  EXTERNAL_MQTT_URL: 'mqtt://127.0.0.1:1',
  EXTERNAL_MQTT_PASSWORD: 'none',
})
const { sql } = context
const { a } = await seedTenants(context)
const fleet = await addDevices(sql, a.customerId, a.groups.root, 'CONN-', 10)
const warnings = openWarnings(context)
let since: number | null = performance.now()
const open = () => openConnections(context, warnings, () => since, 20)
/** Two processes, as when sessions are shared. */
const [one, other] = [open(), open()]
afterFile(async () => {
  await one.close()
  await other.close()
  await warnings.close()
})

let next = 0
let device: TestDevice
beforeEach(async () => {
  device = fleet[next++] as TestDevice
  since = performance.now()
  await sql`insert into brokers (id, started_at, beat_at) values ('external', now(), now())
    on conflict (id) do update set beat_at = now()`
})
const state = async () =>
  (await sql`select online, offline_reason as reason from device_states where device_id = ${device.id}`)[0]
const is = (online: boolean, reason: string | null) =>
  until(`${online ? 'online' : reason}`, async () => {
    const now = await state()
    return now?.['online'] === online && now['reason'] === reason
  })
const records = async () =>
  (await sql`select reason from presence_records where device_id = ${device.id} order by online_at`).map(
    (row) => row['reason'],
  )
/** All that it has sent was long ago. */
const silence = (seconds: number) => sql`
  update device_states set last_seen_at = now() - make_interval(secs => ${seconds}) where device_id = ${device.id}`

it('hello in one process, will in the other', async () => {
  one.greeted(device.id, 'first')
  await is(true, null)
  await other.gone(device.id, { connection: 'first' })
  await is(false, 'socketClosed')
  expect(await records()).toEqual(['socketClosed'])
})

it('a hello that is said again on its connection is no new one', async () => {
  one.greeted(device.id, 'first')
  await is(true, null)
  one.greeted(device.id, 'first')
  await one.gone(device.id, { connection: 'first', leaving: true })
  await is(false, 'disconnected')
  expect(await records()).toEqual(['disconnected'])
})

it('the will of an earlier connection does not end the later one', async () => {
  one.greeted(device.id, 'first')
  await is(true, null)
  other.greeted(device.id, 'second')
  await until('the first is over', async () => (await records()).length === 2)
  await one.gone(device.id, { connection: 'first' })
  await is(true, null)
  await until('it is recorded', async () => (await records())[0] !== null)
  expect(await records()).toEqual([expect.stringMatching(/takenOver|socketClosed/), null])
})

it('a device without a will is online by its hello, and offline when it is silent for three minutes', async () => {
  one.greeted(device.id, undefined)
  await is(true, null)
  since = performance.now() - 181_000
  await silence(170)
  one.greeted(device.id, undefined)
  await silence(181)
  await is(false, 'keepalive')
  one.heard(device.id)
  await is(true, null)
  expect(await records()).toEqual(['keepalive', null])
})

it('one with a will is not: the broker watches its keepalive', async () => {
  one.greeted(device.id, 'first')
  await is(true, null)
  since = performance.now() - 181_000
  await silence(600)
  const [asked] = await sql`select now() as at`
  await until(
    'rounds have passed',
    async () =>
      (await sql`select now() - ${asked?.['at']}::timestamptz > interval '200 ms' as over`)[0]?.['over'],
  )
  expect(await state()).toEqual({ online: true, reason: null })
})

it('silence does not count while the ingest is not subscribed', async () => {
  one.greeted(device.id, undefined)
  await is(true, null)
  since = null
  await silence(600)
  await one.gone(device.id, { connection: randomUUID() })
  // Its connection had no name, so the will of this one can only be its own.
  await is(false, 'socketClosed')
})

it('devices are back with their next message after an outage, and a device that left is not', async () => {
  one.greeted(device.id, 'first')
  await is(true, null)
  await sql`update brokers set beat_at = now() - interval '1 minute' where id = 'external'`
  await sweepLostBrokers(sql, { silentMs: 6_000 })
  await is(false, 'brokerLost')
  await sql`insert into brokers (id, started_at, beat_at) values ('external', now(), now())`
  other.heard(device.id)
  await is(true, null)
  // Its end is announced under the name that it had before.
  await other.gone(device.id, { connection: 'first', leaving: true })
  await is(false, 'disconnected')
  expect(await records()).toEqual(['brokerLost', 'disconnected'])
  one.heard(device.id)
  other.heard(device.id)
  await one.gone(device.id, { connection: 'unknown' })
  expect(await state()).toEqual({ online: false, reason: 'disconnected' })
})

it('a hello without a connection counts, though the database fails when it is looked up', async () => {
  let fails = 1
  const sometimes = new Proxy(sql, {
    apply: (of, self, [text, ...values]) =>
      String(text).includes('not s.online') && fails-- > 0
        ? Promise.reject(new Error('connection closed'))
        : Reflect.apply(of, self, [text, ...values]),
  })
  one.greeted(device.id, 'first')
  await is(true, null)
  await one.gone(device.id, { connection: 'first', leaving: true })
  await is(false, 'disconnected')
  const third = openConnections({ ...context, sql: sometimes }, warnings, () => since, 20)
  third.greeted(device.id, undefined)
  await is(true, null)
  await third.close()
})
