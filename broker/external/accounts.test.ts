/** The accounts at a Mosquitto, whose dynamic security plugin is played here: it takes no larger packets than a real one does. */
import { createServer, type Socket } from 'node:net'
import { generate, type Packet, parser } from 'mqtt-packet'
import { expect, it } from 'vitest'
import { freePort } from '#infra/embedded-postgres'
import { afterFile } from '#test/after-file'
import { testContext } from '#test/harness'
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

it('a thousand devices that are given to another customer are disconnected, in requests that a broker takes', async () => {
  const port = await freePort()
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    open.add(socket)
    play(socket)
  })
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done))
  const context = await testContext({ EXTERNAL_MQTT_URL: `mqtt://127.0.0.1:${port}` })
  const { a } = await seedTenants(context)
  const devices = await addDevices(context.sql, a.customerId, a.groups.root, 'MOVED-SERIAL-NUMBER-', 1_000)
  const accounts = await openAccounts(context)
  afterFile(async () => {
    await accounts.close()
    for (const socket of open) socket.destroy()
    server.close()
  })
  for (let at = 0; at < devices.length; at += 500) {
    const ids = devices.slice(at, at + 500).map(({ id }) => id)
    await context.sql`select pg_notify('device_credentials', ${`moved ${ids.join(',')}`})`
  }
  accounts.lead(true)
  const cut = () =>
    new Set(commands.filter(({ command }) => command === 'disableClient').map(({ username }) => username))
  await expect.poll(() => cut().size).toBe(5_000)
  expect(commands.at(-1)).toMatchObject({ command: 'enableClient' })
})
