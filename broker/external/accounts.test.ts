/** The accounts at a Mosquitto, whose dynamic security plugin is played here: it takes no larger packets than a real one does. */
import { createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { generate, type Packet, parser } from 'mqtt-packet'
import { beforeEach, expect, it } from 'vitest'
import { freePort } from '#infra/embedded-postgres'
import { afterFile } from '#test/after-file'
import { type TestContext, testContext } from '#test/harness'
import { addDevices, seedTenants } from '#test/tenants'
import { openAccounts } from './accounts.ts'
import type { Command } from './dynamic-security.ts'

/** deploy/mosquitto.conf */
const PACKET_MAX = 262_144
const commands: Command[] = []

const answerOf = ({ command, correlationData }: Command) =>
  command === 'getClient'
    ? { command, correlationData, data: { client: { roles: [{ rolename: 'iot-platform' }] } } }
    : { command, correlationData, data: { clients: [] } }

function play(socket: Socket): void {
  const reader = parser({ protocolVersion: 5 })
  const send = (packet: Packet) => socket.write(generate(packet, { protocolVersion: 5 }))
  reader.on('packet', (packet) => {
    if (packet.cmd === 'connect') send({ cmd: 'connack', reasonCode: 0, sessionPresent: false })
    if (packet.cmd === 'subscribe')
      send({ cmd: 'suback', messageId: packet.messageId ?? 0, granted: [0], reasonCode: 0 })
    if (packet.cmd !== 'publish') return
    if (packet.payload.length > PACKET_MAX) return socket.destroy()
    send({ cmd: 'puback', messageId: packet.messageId ?? 0, reasonCode: 0 })
    const asked = (JSON.parse(packet.payload.toString()) as { commands: Command[] }).commands
    commands.push(...asked)
    send({
      cmd: 'publish',
      topic: '$CONTROL/dynamic-security/v1/response',
      payload: JSON.stringify({ responses: asked.map(answerOf) }),
      qos: 0,
      dup: false,
      retain: false,
    })
  })
  socket.on('data', (chunk) => reader.parse(chunk))
  socket.on('error', () => undefined)
}

async function openBroker(): Promise<TestContext> {
  const port = await freePort()
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    open.add(socket)
    play(socket)
  })
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done))
  afterFile(async () => {
    for (const socket of open) socket.destroy()
    server.close()
  })
  return testContext({ EXTERNAL_MQTT_URL: `mqtt://127.0.0.1:${port}` })
}
const cut = () =>
  new Set(commands.filter(({ command }) => command === 'disableClient').map(({ username }) => username))
beforeEach(() => {
  commands.length = 0
})

it('a thousand devices that are given to another customer are disconnected, in requests that a broker takes', async () => {
  const context = await openBroker()
  const { a } = await seedTenants(context)
  const devices = await addDevices(context.sql, a.customerId, a.groups.root, 'MOVED-SERIAL-NUMBER-', 1_000)
  const accounts = await openAccounts(context)
  afterFile(accounts.close)
  accounts.lead(true)
  for (let at = 0; at < devices.length; at += 500) {
    const ids = devices.slice(at, at + 500).map(({ id }) => id)
    await context.sql`select pg_notify('device_credentials', ${`moved ${ids.join(',')}`})`
  }
  await expect.poll(() => cut().size).toBe(5_000)
  expect(commands.at(-1)).toMatchObject({ command: 'enableClient' })
})

it('one that takes over disconnects those that were moved and have not connected since, and no others', async () => {
  const context = await openBroker()
  const { sql } = context
  const { a } = await seedTenants(context)
  const [back, waiting] = await addDevices(sql, a.customerId, a.groups.root, 'TAKEN-', 2)
  if (!back || !waiting) throw new Error('two devices')
  const accounts = await openAccounts(context)
  afterFile(accounts.close)
  const ids = [back.id, waiting.id]
  await sql`
    update devices set owned_since = now() - interval '1 hour',
      hello_at = now() - case when id = ${back.id} then interval '1 minute' else interval '2 hours' end
    where id = any(${ids}::int[])`
  // Another process led, and heard this, too.
  await sql`select pg_notify('device_credentials', ${`moved ${ids.join(',')}`})`
  await sleep(300)
  accounts.lead(true)
  await expect.poll(() => commands.some(({ command }) => command === 'listClients')).toBe(true)
  await accounts.settled()
  expect([...cut()].filter((name) => !String(name).includes(':'))).toEqual([waiting.sn])
})
