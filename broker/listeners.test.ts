import { connectAsync } from 'mqtt'
import { describe, expect, it } from 'vitest'
import { status } from '#schema/device/status'
import { brokerTest } from '#test/broker-test'
import type { TestDevice } from '#test/tenants'
import { addressOf } from './listeners.ts'

const { context, broker, devices } = await brokerTest('LI-', 3)

describe('each listener', () => {
  it.each([
    ['tcp', 0, () => `mqtt://127.0.0.1:${broker.ports.mqtt}`, '127.0.0.1'],
    ['tls', 1, () => `mqtts://127.0.0.1:${broker.ports.mqtts}`, '127.0.0.1'],
    ['ws', 2, () => `ws://127.0.0.1:${broker.ports.ws}/mqtt`, '203.0.113.9'],
  ])(
    '%s carries a device, big messages included, and shows its address',
    async (transport, index, url, ip) => {
      const { sn, id, secret } = devices[index] as TestDevice
      const client = await connectAsync(url(), {
        clientId: sn,
        username: sn,
        password: secret,
        protocolVersion: 4,
        rejectUnauthorized: false,
        wsOptions: { headers: { 'x-forwarded-for': '198.51.100.1, 203.0.113.9' } },
      })
      const received = new Promise<Buffer>((done) => client.on('message', (_topic, payload) => done(payload)))
      await client.subscribeAsync(`v1/${sn}/big`, { qos: 1 })
      const big = Buffer.alloc(200_000, 7)
      await client.publishAsync(`v1/${sn}/big`, big, { qos: 1 })
      expect((await received).equals(big)).toBe(true)
      await client.publishAsync(`v1/${sn}/up/status`, JSON.stringify({ ...status.example, at: Date.now() }), {
        qos: 1,
      })
      expect((await context.sql`select 1 from status_samples where device_id = ${id}`).length).toBe(1)
      await expect
        .poll(() => context.sql`select ip, transport from presence_records where device_id = ${id}`)
        .toEqual([{ ip, transport }])
      await client.endAsync()
    },
  )

  it('serves health and metrics beside the WebSocket', async () => {
    const url = `http://127.0.0.1:${broker.ports.ws}`
    expect(await (await fetch(`${url}/healthz`)).text()).toBe('ok\n')
    const text = await (await fetch(`${url}/metrics`)).text()
    for (const name of [
      'mqtt_connections',
      'mqtt_messages_total',
      'mqtt_refused_total',
      'mqtt_commit_rows',
      'mqtt_commit_seconds',
      'mqtt_held_acknowledgements',
    ])
      expect(text).toContain(name)
    expect((await fetch(`${url}/other`)).status).toBe(404)
  })

  it('trusts X-Forwarded-For from this machine only, and only its last entry', () => {
    const of = (remoteAddress: string, named?: string) =>
      addressOf({ headers: named ? { 'x-forwarded-for': named } : {}, socket: { remoteAddress } as never })
    expect(of('127.0.0.1', '1.1.1.1, 2.2.2.2')).toBe('2.2.2.2')
    expect(of('::ffff:127.0.0.1', '2001:db8::1')).toBe('2001:db8::1')
    expect(of('127.0.0.1', '<script>')).toBe('127.0.0.1')
    expect(of('198.51.100.7', '2.2.2.2')).toBe('198.51.100.7')
  })
})
