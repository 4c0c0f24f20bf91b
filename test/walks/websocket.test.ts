/** MQTT over WebSocket on the HTTP port, as used by a browser or a firewalled device. */
import { once } from 'node:events'
import { connectAsync } from 'mqtt'
import { afterAll, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { status } from '#schema/device/status'
import { uplinkTopic } from '#schema/kit/message'
import { bootAll } from '../boot.ts'
import { seedTenants } from '../tenants.ts'

const system = await bootAll()
afterAll(system.close)
const { a } = await seedTenants(system.context)
const [device] = a.devices
if (!device) throw new Error('tenants have devices')
const url = `${system.url.replace('http', 'ws')}/mqtt`

it('works for a device through the API’s port: connect, acknowledged status, presence', async () => {
  const client = await connectAsync(url, {
    clientId: device.sn,
    username: device.sn,
    password: device.secret,
    protocolVersion: 4,
    reconnectPeriod: 0,
  })
  await client.publishAsync(
    uplinkTopic(device.sn, 'status'),
    JSON.stringify({ ...status.example, at: Date.now() }),
    { qos: 1 },
  )
  const [stored] = await system.context.sql<
    { n: number }[]
  >`select count(*)::int as n from status_samples where device_id = ${device.id}`
  expect(stored?.n).toBe(1)
  await expect
    .poll(async () => {
      const [state] = await system.context.sql<
        { online: boolean; remoteIp: string }[]
      >`select online, remote_ip as "remoteIp" from device_states where device_id = ${device.id}`
      return state
    })
    .toMatchObject({ online: true, remoteIp: expect.stringContaining('127.0.0.1') })
  await client.endAsync()
})

it('refuses a wrong secret there as well', async () => {
  await expect(
    connectAsync(url, {
      clientId: device.sn,
      username: device.sn,
      password: 'x'.repeat(43),
      protocolVersion: 4,
      reconnectPeriod: 0,
    }),
  ).rejects.toThrow(/Bad username|Not authorized/i)
})

it('opens no other path', async () => {
  const socket = new WebSocket(url.replace('/mqtt', '/other'), 'mqtt')
  const [error] = (await once(socket, 'error')) as [Error]
  expect(error.message).toMatch(/Unexpected server response/)
})
