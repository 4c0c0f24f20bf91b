/** Remote operation end to end: request, command, a tunnel over real SSH, and what its guards refuse. */
import { connect } from 'node:net'
import ssh2 from 'ssh2'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { KEEPALIVE_MS, LOGIN_MS, startSshServer } from '#api/remote/ssh-server'
import { heldTunnel, Tunnels } from '#api/remote/tunnels'
import type { SimDevice } from '#device-sim/start'
import { retryDeadlocks } from '#infra/deadlock'
import { freePort } from '#infra/embedded-postgres'
import { tunnelPassword } from '#infra/remote-key'
import type { Booted } from '../boot.ts'
import { stopwatch } from '../patience.ts'
import { openSilentLine } from '../silent-line.ts'
import { TEST_PASSWORD, type Tenants, type TestDevice } from '../tenants.ts'
import { bootRemote, dataOf, endSessions } from './remote-system.ts'
import { until } from './until.ts'

type Row = Record<string, unknown>
let system: Booted
let tenants: Tenants
let token: string
let device: TestDevice
let sim: SimDevice

beforeAll(async () => {
  ;({ system, tenants, device, sim, token } = await bootRemote())
})
afterAll(() => system.close())
afterEach(() => endSessions(system))

const data = (name: string, body: Row = {}, as = token) => dataOf(system, name, body, as)
const open = async (body: Row = {}, as = token) =>
  String(
    (await data('remote/openRemote', { deviceId: device.id, kind: 'terminal', ...body }, as))['sessionId'],
  )
const state = async (sessionId: string) => data('remote/getRemote', { sessionId })
const reaches = (sessionId: string, wanted: string) =>
  until(`the session is ${wanted}`, async () => {
    const found = await state(sessionId)
    if (found['state'] !== wanted && found['state'] === 'ended')
      throw new Error(`ended: ${found['endReason']} ${found['endDetail']}`)
    return found['state'] === wanted ? found : null
  })

it('goes from the request over the command to a tunnel, and is closed everywhere', async () => {
  const began = performance.now()
  const sessionId = await open()
  const up = await reaches(sessionId, 'tunnelUp')
  console.info(`tunnel up after ${(performance.now() - began).toFixed(0)} ms`)
  expect(up['steps']).toMatchObject([
    { step: 'requested', at: expect.any(String) },
    { step: 'sent', at: expect.any(String) },
    { step: 'tunnelUp', at: expect.any(String) },
    { step: 'ready', at: null },
  ])
  const [stored] = await system.context.sql`select args from commands where name = 'openTunnel'`
  expect(JSON.stringify(stored)).not.toContain('password')
  await data('remote/closeRemote', { sessionId })
  expect(await state(sessionId)).toMatchObject({ state: 'ended', endReason: 'closed' })
  await until('the operation log tells of it', async () => {
    const { list } = await data('log/getOperationList', { limit: 20 })
    return JSON.stringify(list).includes('remote/closeRemote')
  })
})

it('is for one user at a time, and says who has it since when', async () => {
  const sessionId = await open()
  await reaches(sessionId, 'tunnelUp')
  const other = await system.login(tenants.superAdmin.username, TEST_PASSWORD)
  const refused = await system.call('remote/openRemote', { deviceId: device.id, kind: 'terminal' }, other)
  expect(refused).toMatchObject({ code: 350, data: { who: tenants.a.admin.username } })
})

it('ends a request that the device cannot carry out with the device’s message', async () => {
  sim.down()
  await until(
    'offline',
    async () => !(await data('device/getDeviceDetail', { deviceId: device.id }))['online'],
  )
  const refused = await system.call('remote/openRemote', { deviceId: device.id, kind: 'terminal' }, token)
  expect(refused.code).toBe(112)
  sim.boot()
  await system.sim?.whenOnline(60_000)
})

type Attempt = {
  username: string
  password: string
  ask?: number
  direct?: boolean
  shell?: boolean
  /** Of another SSH server than the system's. */
  port?: number
}
/** What the SSH server says to a client. */
function knock({ username, password, ask, direct, shell, port }: Attempt): Promise<string> {
  const client = new ssh2.Client()
  return new Promise<string>((done) => {
    client.on('error', (error) => done(error.level ?? error.message))
    client.on('close', () => done('closed'))
    client.on('ready', () => {
      const said = (error: Error | undefined) => done(error ? 'refused' : 'accepted')
      if (direct) client.forwardOut('127.0.0.1', 1, '127.0.0.1', system.context.env.HTTP_PORT, said)
      else if (shell) client.shell(said)
      else client.forwardIn('127.0.0.1', ask ?? 2200, said)
    })
    client.connect({ host: '127.0.0.1', port: port ?? system.context.env.SSH_PORT, username, password })
  }).finally(() => client.destroy())
}

/** A session whose device never opens it. */
const commandOf = new Map<string, string>()
async function waiting(): Promise<string> {
  const { sql } = system.context
  const [made] = await sql<{ id: string; commandId: string }[]>`
    with c as (insert into commands (id, device_id, customer_id, name, args, state, created_at, deadline_at)
      values (gen_random_uuid(), ${device.id}, ${tenants.a.customerId}, 'openTunnel',
        '{"listenPort": 2200}'::jsonb, 'sent', now(), now() + interval '1 minute') returning id)
    insert into remote_sessions (id, device_id, customer_id, user_id, login_id, command_id, kind, scheme, host, port, expires_at)
    select gen_random_uuid(), ${device.id}, ${tenants.a.customerId}, u.id, (select id from sessions where user_id = u.id limit 1),
      c.id, 'terminal', 'ssh', '127.0.0.1', 22, now() + interval '1 hour'
    from c, users u where u.username = ${tenants.a.admin.username} returning id, command_id as "commandId"`
  commandOf.set(made?.id ?? '', made?.commandId ?? '')
  return made?.id ?? ''
}
const credential = (sessionId: string, sn = device.sn, ms = 60_000) => ({
  username: sn,
  password: tunnelPassword(system.context.env.JWT_SECRET, {
    sessionId,
    commandId: commandOf.get(sessionId) ?? '',
    sn,
    expiresAt: Date.now() + ms,
  }),
})

it('lets a credential in once, for its own device, in its minute, and for nothing but its forwarding', async () => {
  const one = credential(await waiting())
  expect(await knock({ ...one, ask: 2201 })).toBe('refused')
  expect(await knock(one)).toBe('client-authentication')
  const other = tenants.b.devices[0] as TestDevice
  const two = await waiting()
  expect(await knock({ ...credential(two), username: other.sn })).toBe('client-authentication')
  expect(await knock(credential(two, other.sn))).toBe('client-authentication')
  expect(await knock(credential(two, device.sn, -1))).toBe('client-authentication')
  expect(await knock(credential(two))).toBe('accepted')
  expect(await knock({ ...credential(await waiting()), direct: true })).toBe('refused')
  expect(await knock({ ...credential(await waiting()), shell: true })).toBe('refused')
})

it('of ten simultaneous logins with one credential lets one in', async () => {
  const one = credential(await waiting())
  const said = await Promise.all(Array.from({ length: 10 }, () => knock(one)))
  expect(said.filter((word) => word === 'accepted')).toHaveLength(1)
})

it('ends with the login of its user, within five seconds', async () => {
  const own = await system.login(tenants.a.admin.username, TEST_PASSWORD)
  const sessionId = await open({}, own)
  await reaches(sessionId, 'tunnelUp')
  await data('userLogout', {}, own)
  const ended = await until('the end', async () => {
    const found = await state(sessionId)
    return found['state'] === 'ended' ? found : null
  })
  expect(ended['endReason']).toBe('accessEnded')
})

it('is not there for another customer', async () => {
  const sessionId = await open()
  const theirs = await system.login(tenants.b.admin.username, TEST_PASSWORD)
  for (const name of ['getRemote', 'extendRemote', 'closeRemote', 'getRemoteTicket'])
    expect((await system.call(`remote/${name}`, { sessionId }, theirs)).code, name).toBe(5)
  expect(
    (await system.call('remote/openRemote', { deviceId: device.id, kind: 'terminal' }, theirs)).code,
  ).toBe(5)
  expect((await data('remote/getRemoteList', {}, theirs))['total']).toBe(0)
})

const ends = async (sessionId: string) =>
  until('the end', async () => {
    const found = await state(sessionId)
    return found['state'] === 'ended' ? found : null
  })

it('names a device that does not answer, one that cannot, and one that is too old', async () => {
  const { sql } = system.context
  const silent = await waiting()
  await sql`update remote_sessions set asked_at = now() - interval '61 seconds' where id = ${silent}`
  expect((await ends(silent))['endReason']).toBe('requestTimeout')
  const failing = async () => {
    const id = await waiting()
    await sql`update commands c set state = 'failed', error = 'no route to host', ended_at = now()
      from remote_sessions r where r.id = ${id} and c.id = r.command_id`
    return ends(id)
  }
  expect(await failing()).toMatchObject({ endReason: 'connectFailed', endDetail: 'no route to host' })
  await sql`update devices set features = null where id = ${device.id}`
  expect(await failing()).toMatchObject({ endReason: 'versionUnsupported' })
  await sql`update devices set features = '["openTunnel", "reboot"]' where id = ${device.id}`
})

it('ends when nothing goes through it, and when its time is over', async () => {
  const { sql } = system.context
  const idle = await open()
  await reaches(idle, 'tunnelUp')
  await sql`update remote_sessions set tunnel_at = now() - interval '1 day' where id = ${idle}`
  expect((await ends(idle))['endReason']).toBe('idle')
  const late = await until('the next one', () => open())
  await reaches(late, 'tunnelUp')
  await sql`update remote_sessions set expires_at = now() where id = ${late}`
  expect((await ends(late))['endReason']).toBe('expired')
})

it('is extended by its user, and closed by an administrator', async () => {
  const sessionId = await open()
  await reaches(sessionId, 'tunnelUp')
  await system.context
    .sql`update remote_sessions set expires_at = now() + interval '1 minute' where id = ${sessionId}`
  const { expiresAt } = await data('remote/extendRemote', { sessionId })
  expect(Date.parse(String(expiresAt)) - Date.now()).toBeGreaterThan(3_500_000)
  const other = await system.login(tenants.superAdmin.username, TEST_PASSWORD)
  expect((await system.call('remote/closeRemote', { sessionId }, other)).code).toBe(356)
  await data('remote/forceRemote', { sessionId }, other)
  expect(await state(sessionId)).toMatchObject({ state: 'ended', endReason: 'forced' })
})

it('survives a restart of the api and a broken tunnel: the device opens it again, the session stays', async () => {
  const { sql } = system.context
  const sessionId = await open()
  const first = await reaches(sessionId, 'tunnelUp')
  const again = async () =>
    until('the tunnel is back', async () => {
      const found = await state(sessionId)
      if (found['endedAt'] !== null) throw new Error(`ended: ${found['endReason']}`)
      return found['state'] === 'tunnelUp' && found['tunnelAt'] !== first['tunnelAt'] ? found : null
    })
  await system.stopApi()
  await system.startApi()
  const second = await again()
  // The device loses its power, not the session.
  sim.down()
  sim.boot()
  const third = await until('the tunnel is back once more', async () => {
    const found = await state(sessionId)
    return found['state'] === 'tunnelUp' && found['tunnelAt'] !== second['tunnelAt'] ? found : null
  })
  expect(third['createdAt']).toBe(first['createdAt'])
  // Each time by a command and a credential of its own.
  const [{ count } = { count: 0 }] = await sql<{ count: number }[]>`
    select count(distinct id)::int as count from commands where name = 'openTunnel' and args->>'sessionId' = ${sessionId}`
  expect(count).toBe(3)
  await data('remote/closeRemote', { sessionId })
  await until('nothing is held', () =>
    system.context.sql`select 1 from remote_sessions where ended_at is null`.then(
      (rows) => rows.length === 0,
    ),
  )
})

it('a credential of the command before opens nothing once the tunnel is asked for again', async () => {
  const { sql } = system.context
  const id = await waiting()
  const old = credential(id)
  await sql`update remote_sessions set state = 'tunnelUp', tunnel_at = now(), used_at = now(), beat_at = now() - interval '1 minute' where id = ${id}`
  await until('the device is asked again', async () => (await state(id))['state'] === 'requested')
  expect(await knock(old)).toBe('client-authentication')
})

/** A second SSH server of the system, less patient than the product's. */
async function serverWith(tunnels: Tunnels, patience: { keepaliveMs?: number; loginMs?: number }) {
  const SSH_PORT = await freePort()
  return startSshServer({ ...system.context, env: { ...system.context.env, SSH_PORT } }, tunnels, patience)
}

it('closes a tunnel whose connection is silent, and makes the device open it again', async () => {
  expect(KEEPALIVE_MS * 3).toBeLessThanOrEqual(30_000)
  // On a busy machine the answers to three of these must still come in time.
  const keepaliveMs = 500
  const closed: string[] = []
  const tunnels = new Tunnels((tunnel, how) => closed.push(`${tunnel.session.id} ${how}`))
  const { port, close } = await serverWith(tunnels, { keepaliveMs })
  const line = await openSilentLine(`http://127.0.0.1:${port}`)
  const id = await waiting()
  const client = new ssh2.Client()
  await new Promise<void>((done, fail) => {
    client.on('error', fail)
    client.on('ready', () => client.forwardIn('127.0.0.1', 2200, (error) => (error ? fail(error) : done())))
    client.connect({ host: '127.0.0.1', port: Number(new URL(line.url).port), ...credential(id) })
  })
  await until('the tunnel is held', () => tunnels.get(id))
  await new Promise((done) => setTimeout(done, 4.5 * keepaliveMs))
  expect(closed).toEqual([])
  const taken = stopwatch()
  line.silence()
  await until('it is closed', () => closed.length > 0)
  expect(taken()).toBeLessThan(3 * keepaliveMs + 1_000)
  expect(closed).toEqual([`${id} interrupted`])
  client.destroy()
  line.close()
  await close()
})

it('leaves no connection behind after a hundred logins that broke off', async () => {
  expect(LOGIN_MS).toBeLessThanOrEqual(10_000)
  const { port, close } = await serverWith(new Tunnels(() => undefined), { loginMs: 2_000 })
  const sockets = await Promise.all(
    Array.from({ length: 100 }, async (_, i) => {
      const socket = connect(port, '127.0.0.1')
      socket.on('error', () => undefined).resume()
      await new Promise((done) => socket.once('connect', done).once('error', done))
      socket.write(i % 2 ? 'SSH-2.0-x\r\n' : Buffer.alloc(40_000, i))
      return socket
    }),
  )
  // Of two kinds: cut at once, and too late.
  await until(
    'all are closed',
    () => sockets.every(({ destroyed, readyState }) => destroyed || readyState === 'closed'),
    15_000,
  )
  // A login may itself take too long on a busy machine.
  await until(
    'the next one is let in',
    async () => (await knock({ ...credential(await waiting()), port })) === 'accepted',
  )
  await close()
})

it('leaves no handle, timer or row behind after a thousand sessions that were broken off', async () => {
  const { sql, env } = system.context
  const count = (kind: string) => process.getActiveResourcesInfo().filter((name) => name === kind).length
  const ids: string[] = []
  /** Broken off at another place each: before the first byte, before and after the login, with a tunnel, by its user. */
  async function breakOff(i: number): Promise<void> {
    if (i % 5 < 2) {
      const socket = connect(env.SSH_PORT, '127.0.0.1').on('error', () => undefined)
      await new Promise((done) => socket.once('connect', done).once('error', done))
      if (i % 5 === 1) socket.write('SSH-2.0-x\r\n')
      return void socket.destroy()
    }
    const id = await waiting()
    ids.push(id)
    if (i % 5 === 2) return void (await knock({ ...credential(id), password: 'wrong' }))
    if (i % 5 === 3) return void (await knock({ ...credential(id), ask: 2201 }))
    expect(await knock(credential(id))).toBe('accepted')
    await sql`update remote_sessions set state = 'ended', ended_at = now(), end_reason = 'closed' where id = ${id}`
  }
  async function breakAll(many: number): Promise<void> {
    const turns = Array.from({ length: many }, (_, i) => i)
    await Promise.all(
      Array.from({ length: 20 }, async () => {
        for (let i = turns.pop(); i !== undefined; i = turns.pop()) await breakOff(i)
      }),
    )
  }
  // The pool of the database has all its connections from here on.
  await breakAll(60)
  await until('no tunnel is held', () => ids.every((id) => heldTunnel(id) === undefined))
  const before = { sockets: count('TCPSocketWrap'), timers: count('Timeout') }
  await breakAll(1000)
  // Sessions that end meanwhile are written in another order.
  await retryDeadlocks(
    () => sql`update remote_sessions set asked_at = now() - interval '61 seconds' where ended_at is null`,
  )
  await until('all rows have ended', async () => {
    const rows = await sql`select 1 from remote_sessions where ended_at is null limit 1`
    return rows.length === 0
  })
  await until('no tunnel is held', () => ids.every((id) => heldTunnel(id) === undefined))
  // Not one for each hundredth of them.
  await until('no handle is left', () => count('TCPSocketWrap') < before.sockets + 10)
  await until('no timer is left', () => count('Timeout') < before.timers + 10)
  // No device was ever sent them.
  await sql`update commands set state = 'failed', ended_at = now() where ended_at is null`
  await reaches(await until('the next one', () => open()), 'tunnelUp')
}, 120_000)
