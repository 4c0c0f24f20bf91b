/** Several ingests share what devices send to one Mosquitto, and take over from each other. */
import { connectAsync, type MqttClient } from 'mqtt'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sealFor } from '#infra/broker-account'
import { type Context, openContext } from '#infra/context'
import { type TestContext, testContext } from '#test/harness'
import { noMosquitto, startMosquitto } from '#test/programs/debian-mosquitto'
import { addDevices, seedTenants, type TestDevice } from '#test/tenants'
import { until } from '#test/walks/until'
import { startIngest } from './start.ts'

const PART = 200

describe.skipIf(noMosquitto)('two ingests', () => {
  let mosquitto: Awaited<ReturnType<typeof startMosquitto>>
  let context: TestContext
  let device: TestDevice
  let client: MqttClient
  const rooms: { context: Context; room: Awaited<ReturnType<typeof startIngest>> }[] = []
  let sent = 0

  async function join() {
    const own = openContext('broker', context.env, context.databaseUrl)
    rooms.push({ context: own, room: await startIngest(own) })
  }
  async function leave() {
    const first = rooms.shift()
    await first?.room.close()
    await first?.context.close()
  }
  const takenBy = async (index: number) => {
    const text = (await rooms[index]?.context.metrics.metrics()) ?? ''
    return Number(/^mqtt_messages_total\{class="hot".*\} (\d+)$/m.exec(text)?.[1] ?? 0)
  }
  const stored = async () =>
    (await context.sql`select count(*)::int as n from status_samples where device_id = ${device.id}`)[0]?.[
      'n'
    ]
  async function send() {
    const from = Date.now() - 3_600_000
    const one = () => {
      const body = JSON.stringify({ at: from + sent++, uptimeS: 1, rxBytes: 1, txBytes: 1 })
      return client.publishAsync(`v1/${device.sn}/up/status`, body, { qos: 1 })
    }
    await Promise.all(Array.from({ length: PART }, one))
  }

  beforeAll(async () => {
    mosquitto = await startMosquitto()
    context = await testContext({ ...mosquitto.settings, EXTERNAL_MQTT_SESSIONS: '2' })
    const { a } = await seedTenants(context)
    const [made] = await addDevices(context.sql, a.customerId, a.groups.root, 'SHARED-', 1)
    device = made as TestDevice
    await context.sql`
      update devices set secret_sealed = ${sealFor(context.env, device.secret)} where id = ${device.id}`
    await join()
    const options = { clientId: device.sn, username: device.sn, password: device.secret }
    client = await until('the account is there', () =>
      connectAsync(mosquitto.url, { ...options, protocolVersion: 4, reconnectPeriod: 0 }),
    )
  })
  afterAll(async () => {
    await client?.endAsync(true)
    while (rooms.length > 0) await leave()
    await mosquitto?.stop()
  })

  it('store everything once, each its share, and the second all when the first stops', async () => {
    await until('the first has both sessions', () => rooms[0]?.room.lacks().length === 0)
    await send()
    await until('all is stored', async () => (await stored()) === sent)
    await join()
    await until(
      'the second has its share',
      async () => {
        await send()
        return (await takenBy(1)) > 0
      },
      10_000,
      200,
    )
    await until('all is stored', async () => (await stored()) === sent)
    expect(await takenBy(0)).toBeGreaterThan(PART)
    const leaving = leave()
    await send()
    await leaving
    await send()
    await until('all is stored', async () => (await stored()) === sent)
  })
})
