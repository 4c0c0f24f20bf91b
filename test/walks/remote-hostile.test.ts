/** What a hostile device, or a stranger, sends to the SSH door: it costs them their connection, and nobody else anything. */
import { randomBytes } from 'node:crypto'
import ssh2 from 'ssh2'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { heldTunnel } from '#api/remote/tunnels'
import { tunnelPassword } from '#infra/remote-key'
import type { Booted } from '../boot.ts'
import type { Tenants, TestDevice } from '../tenants.ts'
import { bootRemote, endSessions } from './remote-system.ts'
import { until } from './until.ts'

let system: Booted
let tenants: Tenants
let device: TestDevice

beforeAll(async () => {
  ;({ system, tenants, device } = await bootRemote())
}, 60_000)
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
/** Others get a tunnel, and quickly. */
async function othersGetIn(): Promise<void> {
  const began = performance.now()
  const { client, id } = await tunnel()
  expect(performance.now() - began).toBeLessThan(3_000)
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
}, 60_000)

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

it('closes a tunnel that asks for more than its forwarding without end', async () => {
  for (const ask of [
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
    const { client, isOver } = await tunnel()
    const flood = setInterval(() => {
      for (let i = 0; i < 500 && !isOver(); i++) sendPacket(client, ask)
    }, 1)
    try {
      await until(`it is closed: ${String(ask.subarray(5, 20))}`, isOver, 20_000)
    } finally {
      clearInterval(flood)
      client.destroy()
    }
  }
  await othersGetIn()
}, 60_000)

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
}, 60_000)
