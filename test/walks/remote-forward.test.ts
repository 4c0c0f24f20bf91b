/** TCP through a tunnel from the operator's own machine: the command line, a real Modbus client, and what sockets do. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { hostsOf, isController } from '#device-sim/hosts'
import type { SimDevice } from '#device-sim/start'
import { openLocalPort } from '#ops/forward'
import { simulatedEquipment } from '#schema/monitor/simulated'
import { remoteOperationPermission } from '#schema/remote/remote-access'
import type { Booted } from '../boot.ts'
import { TEST_PASSWORD, type Tenants, type TestDevice } from '../tenants.ts'
import { playDevice } from './played-device.ts'
import { bootRemote, dataOf, endSessions } from './remote-system.ts'
import { until } from './until.ts'

type Row = Record<string, unknown>
const SSH = '/usr/bin/ssh'
const MBPOLL = '/usr/bin/mbpoll'
if (!existsSync(MBPOLL)) console.warn('SKIPPED: mbpoll through ops forward, because it is not installed')
const run = promisify(execFile)
const main = fileURLToPath(new URL('../../ops/main.ts', import.meta.url))

let system: Booted
let tenants: Tenants
let token: string
let device: TestDevice
let sim: SimDevice
const [known] = simulatedEquipment.flatMap(({ unit, template }) =>
  template.variables.flatMap(({ registerType, address }) =>
    registerType === 'holding' ? [{ unit, address }] : [],
  ),
)
const { unit: UNIT, address: REGISTER } = known ?? { unit: 0, address: 0 }
const running = new Set<ChildProcess>()
const endings: (() => void)[] = []

beforeAll(async () => {
  ;({ system, tenants, device, sim, token } = await bootRemote())
  token = await apiToken()
})
afterEach(async () => {
  for (const child of running) if (child.exitCode === null) child.kill('SIGKILL')
  running.clear()
  for (const end of endings.splice(0)) end()
  await endSessions(system)
})
afterAll(() => system.close())

const data = (name: string, body: Row = {}, as = token) => dataOf(system, name, body, as)

async function apiToken(functionIds: number[] = []): Promise<string> {
  const login = await system.login(tenants.a.admin.username, TEST_PASSWORD)
  const made = await data(
    'token/createApiToken',
    { name: `t${randomBytes(4).toString('hex')}`, functionIds },
    login,
  )
  return String(made['token'])
}

/** The command line as an operator runs it. */
function ops(args: string[], as = token, more: Record<string, string> = {}) {
  const child = spawn(process.execPath, [main, ...args], {
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: system.context.env.DATA_DIR,
      LANG: 'en_US.UTF-8',
      IOT_URL: system.url,
      IOT_TOKEN: as,
      ...more,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  const said = { out: '', err: '' }
  child.stdout.on('data', (part) => (said.out += String(part)))
  child.stderr.on('data', (part) => (said.err += String(part)))
  const ended = new Promise<number | null>((done) => child.on('close', (code) => done(code)))
  return { child, said, ended }
}
const controller = () => {
  const found = hostsOf(sim, sim.now()).find((host) => isController(host, sim))
  if (!found?.ip) throw new Error('the LAN has no controller')
  return found.ip
}
const portIn = (text: string) => Number(/127\.0\.0\.1:(\d+) leads/.exec(text)?.[1]) || null

/** Reads a holding register as any Modbus master does. */
async function readRegister(port: number, address: number): Promise<Buffer> {
  const socket = connect(port, '127.0.0.1')
  socket.write(Buffer.from([0, 7, 0, 0, 0, 6, UNIT, 3, address >> 8, address & 255, 0, 1]))
  const [answer] = (await once(socket, 'data')) as [Buffer]
  socket.end()
  await once(socket, 'close')
  return answer
}

it('leads a port of this machine to a controller behind the device, for several masters at once', async () => {
  const { child, said, ended } = ops(['forward', device.sn, `${controller()}:502`])
  const port = await until('the port', () => portIn(said.err), 20_000)
  const answers = await Promise.all([0, 1, 2, 3].map(() => readRegister(port, REGISTER)))
  // Transaction 7, five bytes of this unit: function 3 with two bytes, and no exception.
  for (const answer of answers) expect([...answer.subarray(0, 9)]).toEqual([0, 7, 0, 0, 0, 5, UNIT, 3, 2])
  if (existsSync(MBPOLL)) {
    const { stdout } = await run(MBPOLL, [
      '-m',
      'tcp',
      '-a',
      String(UNIT),
      '-p',
      String(port),
      '-0',
      '-1',
      '-r',
      String(REGISTER),
      '-c',
      '1',
      '127.0.0.1',
    ])
    expect(stdout).toContain(`[${REGISTER}]:`)
  }
  const { list } = await data('remote/getRemoteList', { open: 'yes' })
  expect(list).toMatchObject([{ kind: 'forward', scheme: 'tcp', host: controller(), port: 502, own: true }])
  child.kill('SIGINT')
  expect(await ended).toBe(0)
  const [shown] = (await data('remote/getRemoteList', {}))['list'] as Row[]
  expect(shown).toMatchObject({ state: 'ended', endReason: 'closed' })
  // Counted once a second, also what went through in the last one.
  await until('the bytes are counted', async () => {
    const [row] = (await data('remote/getRemoteList', {}))['list'] as Row[]
    return Number(row?.['fromDeviceBytes']) > 0
  })
  const log = await data('log/getOperationList', { limit: 20 })
  expect(JSON.stringify(log)).toContain('remote/openRemoteForward')
})

it('survives a restart of the api: open connections are reset, new ones wait for the tunnel', async () => {
  const { child, said, ended } = ops(['forward', device.sn, `${controller()}:502`])
  const port = await until('the port', () => portIn(said.err), 20_000)
  const before = connect(port, '127.0.0.1')
  before.on('error', () => undefined)
  before.write(Buffer.from([0, 7, 0, 0, 0, 6, UNIT, 3, REGISTER >> 8, REGISTER & 255, 0, 1]))
  await once(before, 'data')
  const cut = once(before, 'close')
  await system.stopApi()
  await cut
  const next = readRegister(port, REGISTER)
  await system.startApi()
  expect([...(await next).subarray(0, 9)]).toEqual([0, 7, 0, 0, 0, 5, UNIT, 3, 2])
  child.kill('SIGINT')
  expect(await ended, said.err).toBe(0)
  const [shown] = (await data('remote/getRemoteList', {}))['list'] as Row[]
  expect(shown).toMatchObject({ state: 'ended', endReason: 'closed' })
})

it('runs a command with the port and ends as it does, and ends when the session does', async () => {
  const quick = ops([
    'forward',
    device.sn,
    '80',
    '--',
    process.execPath,
    '-e',
    'process.exit({port} > 0 ? 7 : 8)',
  ])
  expect(await quick.ended, quick.said.err).toBe(7)
  const { said, ended } = ops(['forward', device.sn, '80'])
  await until('the port', () => portIn(said.err), 20_000)
  await system.context.sql`update remote_sessions set expires_at = now() where ended_at is null`
  expect(await ended).toBe(4)
  expect(said.err).toContain('the session has ended: expired')
})

it.skipIf(!existsSync(SSH))("runs the system's ssh on the device, and ends as its command does", async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ops-ssh-'))
  const askpass = join(folder, 'askpass')
  // The factory's account: no password.
  writeFileSync(askpass, '#!/bin/sh\necho\n', { mode: 0o700 })
  const known = join(folder, 'known_hosts')
  const options = [
    'StrictHostKeyChecking=accept-new',
    `UserKnownHostsFile=${known}`,
    'NumberOfPasswordPrompts=1',
    'HashKnownHosts=no',
  ]
  const { said, ended } = ops(
    ['ssh', device.sn, '--', ...options.flatMap((option) => ['-o', option]), 'uname'],
    token,
    { SSH_ASKPASS: askpass, SSH_ASKPASS_REQUIRE: 'force' },
  )
  expect(await ended, said.err).toBe(0)
  expect(said.out).toContain('Linux')
  // Its key is known under the serial number, not as one of many that are 127.0.0.1.
  expect(readFileSync(known, 'utf8')).toMatch(new RegExp(`^${device.sn} `, 'im'))
  const [shown] = (await data('remote/getRemoteList', {}))['list'] as Row[]
  expect(shown).toMatchObject({ kind: 'forward', port: 22, state: 'ended', endReason: 'closed' })
  rmSync(folder, { recursive: true })
})

it('prints the address of the web page of a device, which opens it once', async () => {
  const { said, ended } = ops(['web', device.sn])
  expect(await ended, said.err).toBe(0)
  const url = new URL(said.out.trim())
  const visit = () =>
    run('curl', ['-s', '-i', '--resolve', `${url.host}:127.0.0.1`, url.href]).then(({ stdout }) => stdout)
  const first = await visit()
  expect(first).toMatch(/^HTTP\/1.1 302/)
  expect(first).toContain('set-cookie: remote_session=')
  expect(await visit()).toMatch(/^HTTP\/1.1 403/)
  await endSessions(system)
  const host = hostsOf(sim, sim.now()).find((one) => one.ip !== undefined)
  const lan = ops(['web', device.sn, '--lan', `${host?.ip}:80`, '--output', 'json'])
  expect(await lan.ended, lan.said.err).toBe(0)
  expect(JSON.parse(lan.said.out)).toMatchObject({
    url: expect.stringMatching(/^http/),
    expiresAt: expect.any(String),
  })
})

it('is refused without the right to the LAN, to names and public or own addresses, and to other customers', async () => {
  const narrow = await apiToken([remoteOperationPermission.id])
  const asked = (body: Row, as: string) =>
    system.call('remote/openRemoteForward', { deviceId: device.id, port: 502, ...body }, as)
  expect((await asked({ host: controller() }, narrow)).code).toBe(5)
  for (const host of ['127.0.0.1', 'localhost', '169.254.169.254', '8.8.8.8'])
    expect(await asked({ host }, token), host).toMatchObject({ field: 'host' })
  const theirs = await system.login(tenants.b.admin.username, TEST_PASSWORD)
  expect((await asked({}, theirs)).code).toBe(5)
  const { said, ended } = ops(['forward', device.sn, '192.168.1.10:502'], narrow)
  expect(await ended).toBe(3)
  expect(said.err).toContain('[code 5]')
})

it('does not lead past a recording that is required', async () => {
  const { sql } = system.context
  const policy = (value: string) =>
    sql`update customers set terminal_recording = ${value} where id = ${tenants.a.customerId}`
  await policy('required')
  const answer = await system.call('remote/openRemoteForward', { deviceId: device.id, port: 22 }, token)
  await policy('off')
  expect(answer.code).toBe(472)
})

async function serve(talk: (socket: Socket) => void): Promise<Server> {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => socket.destroy())
    talk(socket)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return server
}

/** Reset or closed. */
const closed = (socket: Socket) =>
  new Promise<void>((done) => {
    socket.resume().once('end', () => socket.end())
    socket.once('close', () => done())
  })

/** A played device, and connections to a local port that leads to its server. */
async function line(server: Server): Promise<() => Socket> {
  const { port } = server.address() as AddressInfo
  const played = await playDevice(system, tenants, { device, port, kind: 'forward' })
  vi.stubEnv('IOT_URL', system.url)
  vi.stubEnv('IOT_TOKEN', token)
  const here = await openLocalPort(0)
  here.lead(played.sessionId)
  const sockets: Socket[] = []
  endings.push(() => {
    for (const socket of sockets) socket.destroy()
    here.close()
    played.close()
    server.close()
    vi.unstubAllEnvs()
  })
  return () => {
    const socket = connect({ port: here.port, host: '127.0.0.1', allowHalfOpen: true })
    sockets.push(socket.on('error', () => undefined))
    return socket
  }
}

it('keeps half of a connection open: an answer that comes after the end of the question arrives', async () => {
  const open = await line(
    await serve((socket) => {
      let asked = ''
      socket.on('data', (chunk) => (asked += String(chunk)))
      socket.on('end', () => setTimeout(() => socket.end(`you asked ${asked}`), 100))
    }),
  )
  const socket = open()
  let said = ''
  socket.on('data', (chunk) => (said += String(chunk)))
  socket.end('why')
  await once(socket, 'end')
  expect(said).toBe('you asked why')
})

it('carries bytes both ways unchanged', async () => {
  const sent = randomBytes(3 * 1024 * 1024)
  const open = await line(await serve((socket) => void socket.pipe(socket)))
  const socket = open()
  socket.end(sent)
  const chunks: Buffer[] = []
  for await (const chunk of socket) chunks.push(chunk as Buffer)
  expect(Buffer.concat(chunks).equals(sent)).toBe(true)
})

it('pauses output that is not read, and resumes when it is', async () => {
  const flood = Buffer.alloc(65_536)
  let written = 0
  const open = await line(
    await serve((socket) => {
      const fill = () => {
        do written += flood.length
        while (socket.write(flood))
      }
      socket.on('drain', fill)
      fill()
    }),
  )
  const socket = open()
  await until('the flood stands still', async () => {
    const before = written
    await new Promise((done) => setTimeout(done, 500))
    return before > flood.length && written === before
  })
  const held = written
  console.info(`${(held / 1e6).toFixed(1)} MB were on their way while nobody read`)
  // Mostly buffers of the operating system: four sockets of up to 10 MB.
  expect(held).toBeLessThan(60_000_000)
  socket.resume()
  await until('it goes on', () => written > held + 10_000_000)
})

it('breaks a connection off where the other side breaks it off', async () => {
  const sockets: Socket[] = []
  const open = await line(await serve((socket) => void sockets.push(socket)))
  const broken = closed(open())
  const served = await until('it has arrived', () => sockets[0])
  served.resetAndDestroy()
  await broken
  const mine = open()
  await until('the next one', () => sockets[1])
  const gone = once((sockets[1] as Socket).resume(), 'end')
  mine.resetAndDestroy()
  await gone
})

it('breaks off what leads nowhere', async () => {
  const nowhere = await serve(() => undefined)
  const open = await line(nowhere)
  await new Promise<void>((done) => nowhere.close(() => done()))
  await closed(open())
})

it('walks through the files of a device, and carries them up and down, from where they broke off', async () => {
  const login = await system.login(tenants.a.admin.username, TEST_PASSWORD)
  const { sessionId } = await data('remote/openRemote', { deviceId: device.id, kind: 'terminal' }, login)
  await until('the tunnel', async () => (await data('remote/getRemote', { sessionId }, login))['tunnelAt'])
  const asked = (name: string, body: Row) => system.call(`remote/${name}`, { sessionId, ...body }, login)
  expect((await asked('getFiles', { path: '/' })).code).toBe(338)
  const account = { username: 'root', password: '' }
  expect(await asked('openFiles', { ...account, password: 'wrong' })).toMatchObject({
    code: 335,
    field: 'password',
  })
  expect(await asked('openFiles', account)).toMatchObject({ code: 0, data: { by: 'sftp' } })
  const { entries } = (await asked('getFiles', { path: '/etc/config' })).data as { entries: Row[] }
  expect(entries.map(({ name }) => name)).toContain('network')

  const content = randomBytes(300_000)
  const put = async (from: number, bytes: Buffer, sizeBytes = content.length, path = '/tmp/up.bin') => {
    const query = new URLSearchParams({
      sessionId: String(sessionId),
      path,
      from: String(from),
      sizeBytes: String(sizeBytes),
    })
    const response = await fetch(`${system.url}/api/remote/uploadFile?${query}`, {
      method: 'POST',
      headers: { token: login, 'content-type': 'application/octet-stream' },
      body: new Uint8Array(bytes),
    })
    return (await response.json()) as { code: number; message: string }
  }
  const get = async (from: number) => {
    const response = await fetch(`${system.url}/api/remote/downloadFile`, {
      method: 'POST',
      headers: { token: login, 'content-type': 'application/json' },
      body: JSON.stringify({ sessionId, path: '/tmp/up.bin', from }),
    })
    return Buffer.from(await response.arrayBuffer())
  }
  // A part of it only: what is there stays as a part, and the rest follows.
  expect((await put(0, content.subarray(0, 100_000))).code).toBe(336)
  expect((await put(5, content.subarray(5))).message).toContain('100000')
  expect((await put(100_000, content.subarray(100_000))).code).toBe(0)
  expect((await get(0)).equals(content)).toBe(true)
  expect((await get(299_990)).equals(content.subarray(299_990))).toBe(true)
  expect((await put(0, content, 10)).code).toBe(336)
  expect((await put(0, Buffer.alloc(1), 600_000_000)).code).toBe(337)
  expect((await put(0, Buffer.alloc(1), 1, '/etc/config/network')).code).toBe(336)
  expect((await asked('getFiles', { path: '/tmp/../etc' })).code).not.toBe(0)
  await asked('deleteFile', { path: '/tmp/up.bin' })
  expect((await asked('downloadFile', { path: '/tmp/up.bin' })).code).toBe(336)
  const other = await system.login(tenants.superAdmin.username, TEST_PASSWORD)
  expect((await system.call('remote/getFiles', { sessionId, path: '/' }, other)).code).toBe(356)
  const log = JSON.stringify(await data('log/getOperationList', { limit: 50 }, login))
  for (const name of ['openFiles', 'uploadFile', 'downloadFile', 'deleteFile'])
    expect(log).toContain(`remote/${name}`)
})
