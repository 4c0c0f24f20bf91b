/** What a hostile device, or a stranger, sends to the SSH door: it costs them their connection, and nobody else anything. */
import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import ssh2 from 'ssh2'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { heldTunnel, type Tunnel } from '#api/remote/tunnels'
import { tunnelPassword } from '#infra/remote-key'
import type { Booted } from '../boot.ts'
import { stopwatch } from '../patience.ts'
import type { Tenants, TestDevice } from '../tenants.ts'
import { bootRemote, endSessions } from './remote-system.ts'
import { until } from './until.ts'

let system: Booted
let tenants: Tenants
let device: TestDevice

beforeAll(async () => {
  ;({ system, tenants, device } = await bootRemote())
})
afterAll(() => system.close())
afterEach(() => endSessions(system))

/** A session that its device was asked for, with what opens it. */
async function asked() {
  const { sql, env } = system.context
  const [made] = await sql<{ id: string; commandId: string }[]>`
    with c as (insert into commands (id, device_id, customer_id, name, args, state, created_at, deadline_at)
      values (gen_random_uuid(), ${device.id}, ${tenants.a.customerId}, 'openTunnel',
        '{"listenPort": 2200}'::jsonb, 'sent', now(), now() + interval '1 minute') returning id)
    insert into remote_sessions (id, device_id, customer_id, user_id, login_id, command_id, kind, scheme, host, port, expires_at)
    select gen_random_uuid(), ${device.id}, ${tenants.a.customerId}, u.id, (select id from sessions where user_id = u.id limit 1),
      c.id, 'terminal', 'ssh', '127.0.0.1', 22, now() + interval '1 hour'
    from c, users u where u.username = ${tenants.a.admin.username} returning id, command_id as "commandId"`
  const { id = '', commandId = '' } = made ?? {}
  const expiresAt = Date.now() + 60_000
  const password = tunnelPassword(env.JWT_SECRET, { sessionId: id, commandId, sn: device.sn, expiresAt })
  return { id, username: device.sn, password }
}

type Wire = {
  _cipher: { encrypt(packet: Buffer): void }
  _packetRW: {
    write: { alloc(size: number): Buffer; allocStart: number; finalize(packet: Buffer): Buffer }
  }
}
/** Any packet at all, as the library itself would never send it. */
function sendPacket(client: ssh2.Client, payload: Buffer): void {
  const wire = (client as unknown as { _protocol: Wire })._protocol
  const { write } = wire._packetRW
  const packet = write.alloc(payload.length)
  payload.copy(packet, write.allocStart)
  wire._cipher.encrypt(write.finalize(packet))
}
const text = (value: string) => {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(Buffer.byteLength(value))
  return Buffer.concat([length, Buffer.from(value)])
}

type Opened = { client: ssh2.Client; isOver: () => boolean; id: string }
async function connected(credential: { username: string; password: string }, dig: boolean) {
  const client = new ssh2.Client()
  let over = false
  client.on('error', () => undefined)
  client.on('close', () => {
    over = true
  })
  await new Promise<void>((done, fail) => {
    client.once('error', fail)
    client.on('ready', () => {
      if (!dig) return done()
      client.forwardIn('127.0.0.1', 2200, (error) => (error ? fail(error) : done()))
    })
    client.connect({ host: '127.0.0.1', port: system.context.env.SSH_PORT, ...credential })
  })
  return { client, isOver: () => over }
}
/** A tunnel that is up. */
async function tunnel(): Promise<Opened> {
  const { id, ...credential } = await asked()
  const opened = await connected(credential, true)
  await until('the tunnel is held', () => heldTunnel(id))
  return { ...opened, id }
}
const stopReading = (client: ssh2.Client) => (client as unknown as { _sock: Socket })._sock.pause()
const windowOf = (channel: unknown) => (channel as { outgoing: { window: number } }).outgoing.window
/** Sends it without end, until the tunnel is closed. */
async function flooded(id: string, client: ssh2.Client, ask: Buffer): Promise<void> {
  const { _sock: socket } = client as unknown as { _sock: Socket }
  const fill = () => {
    for (let i = 0; i < 5_000 && !socket.destroyed && !socket.writableNeedDrain; i++) sendPacket(client, ask)
  }
  const flood = setInterval(fill, 1)
  try {
    await until(`it is closed: ${String(ask.subarray(5, 20))}`, () => heldTunnel(id) === undefined, 25_000)
  } finally {
    clearInterval(flood)
    client.destroy()
  }
}
/** Others get a tunnel, and quickly. */
async function othersGetIn(): Promise<void> {
  const taken = stopwatch()
  const { client, id } = await tunnel()
  expect(taken()).toBeLessThan(3_000)
  client.destroy()
  await until('it is let go', () => heldTunnel(id) === undefined)
}

it('bears packets of every type with whatever is in them, before the login and in a tunnel', async () => {
  for (let type = 0; type < 256; type += 1)
    for (const length of [0, 5, 40]) {
      const isIn = type % 16 === 0 && length === 40
      const client = new ssh2.Client()
      client.on('error', () => undefined)
      if (isIn) {
        const opened = await tunnel()
        for (let i = 0; i < 16; i++)
          sendPacket(opened.client, Buffer.concat([Buffer.from([type + i]), randomBytes(length)]))
        opened.client.end()
        continue
      }
      if (length !== 5 || type % 4 !== 0) continue
      await new Promise<void>((done) => {
        client.on('close', () => done())
        client.on('handshake', () => {
          for (let i = 0; i < 4; i++)
            for (const size of [0, 5, 40, 200])
              sendPacket(client, Buffer.concat([Buffer.from([type + i]), randomBytes(size)]))
          client.end()
          setTimeout(() => client.destroy(), 50)
        })
        client.connect({ host: '127.0.0.1', port: system.context.env.SSH_PORT, username: 'x', password: 'x' })
      })
    }
  await othersGetIn()
})

it('closes a tunnel that asks for keys anew without end', async () => {
  const { client, isOver } = await tunnel()
  let done = 0
  const wire = (client as unknown as { _protocol: { rekey(): void } })._protocol
  client.on('handshake', () => {
    done++
    setImmediate(() => isOver() || wire.rekey())
  })
  wire.rekey()
  await until('it is closed', isOver, 20_000)
  expect(done).toBeLessThan(20)
  await othersGetIn()
})

it('closes a tunnel that asks for more than its forwarding without end, whether or not it reads the replies', async () => {
  for (const ask of [
    // A request of which the library itself says that it does not know it.
    Buffer.concat([Buffer.from([80]), text('unknown@example.org'), Buffer.from([1])]),
    Buffer.concat([
      Buffer.from([80]),
      text('tcpip-forward'),
      Buffer.from([1]),
      text('0.0.0.0'),
      Buffer.alloc(4),
    ]),
    Buffer.concat([Buffer.from([90]), text('session'), Buffer.alloc(12, 1)]),
    Buffer.concat([
      Buffer.from([90]),
      text('direct-tcpip'),
      Buffer.alloc(12, 1),
      text('127.0.0.1'),
      Buffer.alloc(4, 1),
      text('127.0.0.1'),
      Buffer.alloc(4, 1),
    ]),
  ]) {
    for (const reads of [true, false]) {
      const { client, id } = await tunnel()
      if (!reads) stopReading(client)
      await flooded(id, client, ask)
    }
  }
  await othersGetIn()
})

it('holds little for a device that announces a window without end, and does not read what comes', async () => {
  const { client, id } = await tunnel()
  client.on('tcp connection', (_from, accept) => accept().pause())
  const channel = await (heldTunnel(id) as Tunnel).open()
  const { id: mine } = (channel as unknown as { outgoing: { id: number } }).outgoing
  const adjust = Buffer.alloc(9)
  adjust[0] = 93
  adjust.writeUInt32BE(mine, 1)
  adjust.writeUInt32BE(0x7fff_0000, 5)
  sendPacket(client, adjust)
  await until('the window is large', () => windowOf(channel) > 1e9)
  stopReading(client)
  const chunk = randomBytes(65_536)
  let taken = 0
  const next = () => {
    taken += chunk.length
    if (taken < 200_000_000) channel.write(chunk, next)
  }
  next()
  await until('it stands still', async () => {
    const before = taken
    await new Promise((done) => setTimeout(done, 500))
    return taken === before
  })
  // Mostly buffers of the operating system.
  expect(taken).toBeLessThan(30_000_000)
  client.destroy()
  await othersGetIn()
})

it('limits login attempts, with any method', async () => {
  const { id, ...credential } = await asked()
  for (const method of ['none', 'publickey', 'hostbased', 'password'] as const) {
    const client = new ssh2.Client()
    let refused = 0
    const left = await new Promise<number>((done) => {
      client.on('error', () => undefined)
      client.on('close', () => done(refused))
      const request = Buffer.concat([
        Buffer.from([50]),
        text('root'),
        text('ssh-connection'),
        text(method),
        Buffer.from([0]),
        ...(method === 'none' ? [] : [text('ssh-ed25519'), text('x'.repeat(51))]),
      ])
      client.on('handshake', () => {
        const flood = setInterval(() => {
          if (client.listenerCount('close') === 0 || refused > 100_000) clearInterval(flood)
          for (let i = 0; i < 50; i++, refused++) sendPacket(client, request)
        }, 5)
        client.on('close', () => clearInterval(flood))
      })
      client.connect({
        host: '127.0.0.1',
        port: system.context.env.SSH_PORT,
        ...credential,
        authHandler: (() => undefined) as never,
        readyTimeout: 30_000,
      })
    })
    expect(left, method).toBeLessThan(20_000)
  }
  expect(heldTunnel(id)).toBeUndefined()
})
