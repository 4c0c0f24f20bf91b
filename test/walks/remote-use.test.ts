/** What goes through a tunnel: a terminal over WebSocket, and the web page of a device under an origin of its own. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { renameSync } from 'node:fs'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { hostsOf } from '#device-sim/hosts'
import type { SimDevice } from '#device-sim/start'
import { remoteParameters } from '#schema/remote/remote-parameters'
import { TERMINAL_PATH, TERMINAL_PROTOCOL } from '#schema/remote/terminal-frame'
import type { Booted } from '../boot.ts'
import { TEST_PASSWORD, type Tenants, type TestDevice } from '../tenants.ts'
import { openTerminal } from './open-terminal.ts'
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

const data = (name: string, body: Row = {}) => dataOf(system, name, body, token)
async function up(name: string, body: Row): Promise<string> {
  const { sessionId, commandId } = await until('the session is accepted', () =>
    data(name, { deviceId: device.id, ...body }),
  )
  await until('the tunnel is up', async () => (await data('remote/getRemote', { sessionId }))['tunnelAt'])
  await until('the command has ended', async () => {
    const [row] = await system.context
      .sql`select 1 from commands where id = ${String(commandId)} and ended_at is not null`
    return row
  })
  return String(sessionId)
}
const ticketOf = async (sessionId: string) => data('remote/getRemoteTicket', { sessionId })

async function terminal(
  sessionId: string,
  given: { password?: string; origin?: string; ticket?: string } = {},
) {
  const { ticket } = given.ticket === undefined ? await ticketOf(sessionId) : given
  return openTerminal(system.url, String(ticket), given)
}
/** The HTTP status of a WebSocket that is refused. */
async function refusal(ticket: string, origin?: string): Promise<number> {
  const socket = new WebSocket(
    system.url.replace('http', 'ws') + TERMINAL_PATH,
    [TERMINAL_PROTOCOL, ticket],
    {
      ...(origin && { origin }),
    },
  )
  socket.on('error', () => undefined)
  const [, response] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage]
  return response.statusCode ?? 0
}

it('gives a shell of the device: commands, Chinese text, resize, and the end', async () => {
  const sessionId = await up('remote/openRemote', { kind: 'terminal' })
  const { socket, shown, type, sees, ask } = await terminal(sessionId)
  expect(shown.said).toMatchObject([{ t: 'open', recorded: true, from: 0, seen: 0 }])
  await sees(':~# ')
  type('uci get system.@system[0].hostname\r')
  type('echo 路由器重启\r')
  await sees('\r\n路由器重启\r\n')
  ask({ t: 'size', columns: 132, rows: 43 })
  type('ip route show\r')
  await sees(' dev br-lan scope link  src ')
  type('ls -l /etc\r')
  await sees(' openwrt_release\r\n')
  type('nonsense\r')
  await sees('-ash: nonsense: not found')
  await until(
    'the session is ready',
    async () => (await data('remote/getRemote', { sessionId }))['state'] === 'ready',
  )
  type('exit\r')
  await until('the shell has ended', () => shown.said.some(({ t }) => t === 'ended'))
  // Before it is asked for: the answer may come after it.
  const closed = once(socket, 'close') as Promise<[number]>
  await data('remote/closeRemote', { sessionId })
  const [code] = await closed
  expect(code).toBe(4001)
  const { fromDeviceBytes } = await data('remote/getRemote', { sessionId })
  expect(fromDeviceBytes).toBeGreaterThan(1000)
})

it('asks for the password that was set on the device', async () => {
  await data('command/sendCommand', {
    deviceId: device.id,
    name: 'setDevicePassword',
    args: { account: 'root', password: 'correct-horse' },
  })
  await until('the password is set', () => sim.settings.get('rootPassword') !== null)
  const sessionId = await up('remote/openRemote', { kind: 'terminal' })
  const wrong = await terminal(sessionId, { password: 'wrong-horse' })
  expect(wrong.shown.said).toEqual([{ t: 'refused', why: 'password' }])
  wrong.ask({ t: 'login', username: 'root', password: 'correct-horse', columns: 80, rows: 24 })
  await wrong.sees(':~# ')
  wrong.socket.close()
  await sim.settings.put('rootPassword', null)
})

it('pauses output that the browser does not show, and resumes when it does', async () => {
  const sessionId = await up('remote/openRemote', { kind: 'terminal' })
  const { socket, shown, type, sees, acknowledge, ask } = await terminal(sessionId)
  await sees(':~# ')
  acknowledge(false)
  type('seq 2000000\r')
  await until('the flood stands still', async () => {
    const before = shown.bytes
    await new Promise((done) => setTimeout(done, 400))
    return before > 0 && shown.bytes === before
  })
  expect(shown.bytes).toBeLessThan(1_000_000)
  const stood = shown.bytes
  acknowledge(true)
  ask({ t: 'shown', bytes: 262_144 })
  await until('it goes on', () => shown.bytes > stood + 1_000_000)
  type('\u0003')
  await sees('^C')
  socket.close()
})

it('pauses output for a browser that acknowledges more than it has received', async () => {
  const sessionId = await up('remote/openRemote', { kind: 'terminal' })
  const { socket, shown, type, sees, ask } = await terminal(sessionId)
  await sees(':~# ')
  socket.pause()
  type('seq 5000000\r')
  const lies = setInterval(() => ask({ t: 'shown', bytes: 524_288 }), 1)
  const taken = async () => Number((await data('remote/getRemote', { sessionId }))['fromDeviceBytes'])
  await until('the flood stands still', async () => {
    const before = await taken()
    await new Promise((done) => setTimeout(done, 2_500))
    return before > 100_000 && (await taken()) === before
  })
  // What the buffers of both ends take, and not the 38 MB of the flood.
  expect(await taken()).toBeLessThan(20_000_000)
  socket.resume()
  await until('it goes on when it is taken', () => shown.text.includes('5000000'))
  clearInterval(lies)
  socket.close()
}, 120_000)

it('opens for its own user, once, from our pages only', async () => {
  const sessionId = await up('remote/openRemote', { kind: 'terminal' })
  const { ticket } = (await ticketOf(sessionId)) as { ticket: string }
  expect(await refusal(ticket, 'https://evil.example')).toBe(403)
  expect(await refusal('forged')).toBe(403)
  expect(await refusal(`${ticket}x`)).toBe(403)
  const own = await terminal(sessionId, { ticket, origin: system.url })
  expect(await refusal(ticket)).toBe(403)
  own.socket.close()
})

it('closes connections with oversized frames, and does not wait for one that never ends', async () => {
  const sessionId = await up('remote/openRemote', { kind: 'terminal' })
  const closeOf = async (frame: Buffer | string) => {
    const { ticket } = (await ticketOf(sessionId)) as { ticket: string }
    const socket = new WebSocket(system.url.replace('http', 'ws') + TERMINAL_PATH, [
      TERMINAL_PROTOCOL,
      ticket,
    ])
    await once(socket, 'open')
    socket.send(frame)
    const [code] = (await once(socket, 'close')) as [number]
    return code
  }
  expect(await closeOf(Buffer.alloc(64 * 1024 + 1))).toBe(1009)
  for (const frame of ['{', '[]', '{"t":"login"}', '{"t":"shown","bytes":1e99}', 'x'.repeat(60_000)])
    expect(await closeOf(frame), frame.slice(0, 20)).toBe(4002)
  // A frame of 60,000 bytes of which one arrives each second: only its own connection waits.
  const { ticket } = (await ticketOf(sessionId)) as { ticket: string }
  const { host, port } = new URL(system.url)
  const slow = connect(Number(port), '127.0.0.1')
  slow.on('error', () => undefined)
  slow.write(
    `GET ${TERMINAL_PATH} HTTP/1.1\r\nhost: ${host}\r\nconnection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n` +
      `sec-websocket-key: ${randomBytes(16).toString('base64')}\r\nsec-websocket-protocol: ${TERMINAL_PROTOCOL}, ${ticket}\r\n\r\n`,
  )
  const [head] = (await once(slow, 'data')) as [Buffer]
  expect(String(head)).toMatch(/^HTTP\/1.1 101/)
  const length = Buffer.alloc(2)
  length.writeUInt16BE(60_000)
  slow.write(Buffer.concat([Buffer.from([0x82, 0xfe]), length, randomBytes(4), Buffer.from('x')]))
  const other = await terminal(sessionId)
  other.type('uname\r')
  await other.sees('Linux')
  expect(slow.destroyed).toBe(false)
  other.socket.close()
  slow.destroy()
})

type Got = { status: number; headers: IncomingMessage['headers']; text: string; body: Buffer }
function web(
  origin: string,
  path: string,
  init: { method?: string; headers?: Row; body?: string; host?: string } = {},
) {
  return new Promise<Got>((done, fail) => {
    const asked = httpRequest({
      host: '127.0.0.1',
      port: system.context.env.REMOTE_WEB_PORT,
      path,
      method: init.method ?? 'GET',
      headers: { host: init.host ?? new URL(origin).host, ...(init.headers as object) },
    })
    asked.on('error', fail)
    asked.on('response', async (response) => {
      const chunks: Buffer[] = []
      for await (const chunk of response) chunks.push(chunk as Buffer)
      const body = Buffer.concat(chunks)
      done({ status: response.statusCode ?? 0, headers: response.headers, text: String(body), body })
    })
    asked.end(init.body)
  })
}
/** The origin of a session, and the cookie that opens it. */
async function enter(sessionId: string) {
  const { url } = (await ticketOf(sessionId)) as { url: string }
  const { origin, pathname } = new URL(url)
  const entered = await web(origin, pathname)
  expect(entered).toMatchObject({ status: 302, headers: { location: '/' } })
  expect((await web(origin, pathname)).status).toBe(403)
  const [cookie = ''] = (entered.headers['set-cookie']?.[0] ?? '').split(';')
  return { origin, cookie }
}

it('shows the web page of the device: login, form, download and WebSocket under an origin of its own', async () => {
  const { origin, cookie } = await enter(await up('remote/openRemote', { kind: 'web' }))
  const first = await web(origin, '/', { headers: { cookie } })
  expect(first).toMatchObject({ status: 302, headers: { location: `${origin}/cgi-bin/luci` } })
  expect((await web(origin, '/cgi-bin/luci', { headers: { cookie } })).text).toContain('luci_password')
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const logged = await web(origin, '/cgi-bin/luci', {
    method: 'POST',
    headers: { cookie, ...form, origin },
    body: 'luci_username=root&luci_password=',
  })
  const sysauth = logged.headers['set-cookie']?.[0] ?? ''
  expect(sysauth).toMatch(/^sysauth_http=[\w-]+; path=\/cgi-bin\/luci/)
  const headers = { cookie: `${cookie}; ${sysauth.split(';')[0]}` }
  const page = await web(origin, '/cgi-bin/luci', { headers })
  expect(page.text).toContain('R200')
  expect(page.headers['content-security-policy']).toContain("frame-ancestors 'self'")
  await web(origin, '/cgi-bin/luci/admin/note', {
    method: 'POST',
    headers: { ...headers, ...form },
    body: `text=${encodeURIComponent('从平台写入')}`,
  })
  expect(sim.logbook.lines.some(({ text }) => text === '从平台写入')).toBe(true)
  const backup = await web(origin, '/cgi-bin/luci/admin/backup', { headers })
  expect(backup.body.subarray(0, 2)).toEqual(Buffer.from([0x1f, 0x8b]))

  const live = new WebSocket(`ws://127.0.0.1:${system.context.env.REMOTE_WEB_PORT}/cgi-bin/luci/live`, {
    headers: { host: new URL(origin).host, cookie: headers.cookie },
    origin,
  })
  const [hello] = (await once(live, 'message')) as [Buffer]
  expect(String(hello)).toContain('up')
  live.send('ping')
  const [echo] = (await once(live, 'message')) as [Buffer]
  expect(String(echo)).toBe('echo ping')
  live.close()
})

it('shows the page to the same browser through the tunnel reopened after a restart of the api, and lets no other request wait', async () => {
  const sessionId = await up('remote/openRemote', { kind: 'web' })
  const { origin, cookie } = await enter(sessionId)
  const headers = { cookie }
  expect((await web(origin, '/', { headers })).status).toBe(302)
  await system.stopApi()
  await system.startApi()
  // Asked before the device has dug again: they wait for it.
  const [page, strangers] = await Promise.all([
    web(origin, '/', { headers }),
    Promise.all([web(origin, '/'), web(origin, '/', { headers: { cookie: `${cookie}x` } })]),
  ])
  expect(page).toMatchObject({ status: 302, headers: { location: `${origin}/cgi-bin/luci` } })
  expect(strangers.map(({ status }) => status)).toEqual([404, 404])
  const after = await web(origin, '/cgi-bin/luci', { headers })
  expect(after.text).toContain('luci_password')
  await data('remote/closeRemote', { sessionId })
  await until('it is over', async () => (await web(origin, '/', { headers })).status === 404)
})

it('answers fifty requests at the same time', async () => {
  const { origin, cookie } = await enter(await up('remote/openRemote', { kind: 'web' }))
  const began = performance.now()
  const all = await Promise.all(
    Array.from({ length: 50 }, () => web(origin, '/cgi-bin/luci', { headers: { cookie } })),
  )
  console.info(`50 requests in ${(performance.now() - began).toFixed(0)} ms`)
  expect(new Set(all.map(({ status }) => status))).toEqual(new Set([403]))
})

it('leads nowhere else: without its cookie, under another name, or to another session', async () => {
  const { origin, cookie } = await enter(await up('remote/openRemote', { kind: 'web' }))
  expect((await web(origin, '/')).status).toBe(403)
  const headers = { cookie }
  for (const host of [
    'localhost',
    'evil.example',
    `x.${new URL(origin).host}`,
    `127.0.0.1:${system.context.env.HTTP_PORT}`,
    '',
  ])
    expect((await web(origin, '/', { headers, host })).status, host).toBeGreaterThanOrEqual(400)
  expect((await web(origin, `http://127.0.0.1:${system.context.env.HTTP_PORT}/`, { headers })).status).toBe(
    404,
  )
  const foreign = new WebSocket(`ws://127.0.0.1:${system.context.env.REMOTE_WEB_PORT}/cgi-bin/luci/live`, {
    headers: { host: new URL(origin).host, cookie },
    origin: 'https://evil.example',
  })
  foreign.on('error', () => undefined)
  const [, response] = (await once(foreign, 'unexpected-response')) as [unknown, IncomingMessage]
  expect(response.statusCode).toBe(403)
  const second = await enter(await up('remote/openRemote', { kind: 'web' }))
  expect(second.origin).not.toBe(origin)
  expect((await web(second.origin, '/', { headers })).status).toBe(403)
})

it('reaches a machine in the LAN that is there, and says when there is none', async () => {
  const there = hostsOf(sim, sim.now()).find(({ ip }) => ip !== undefined)
  const found = await enter(await up('remote/openRemoteLan', { host: there?.ip }))
  const page = await web(found.origin, '/status', { headers: { cookie: found.cookie } })
  expect(page).toMatchObject({ status: 200, text: expect.stringContaining(`<h1>${there?.name}</h1>`) })
  const refused = await system.call('remote/openRemoteLan', { deviceId: device.id, host: '127.0.0.1' }, token)
  expect(refused).toMatchObject({ field: 'host' })
  const { origin, cookie } = await enter(await up('remote/openRemoteLan', { host: '192.168.250.250' }))
  expect((await web(origin, '/', { headers: { cookie } })).status).toBe(502)
})

const recordingOf = (sessionId: string) =>
  until('the recording has ended', async () => {
    const { list } = await data('remote/getRecordingList', { sessionId })
    const [row] = list as Row[]
    return row && row['state'] !== 'recording' ? row : null
  })
async function castOf(recordingId: unknown): Promise<string> {
  const response = await fetch(`${system.url}/api/remote/downloadRecording`, {
    method: 'POST',
    headers: { token, 'content-type': 'application/json' },
    body: JSON.stringify({ recordingId }),
  })
  expect(response.headers.get('content-disposition')).toContain('.cast')
  return response.text()
}

it('records what a terminal shows, and no password that was typed at a prompt', async () => {
  const sessionId = await up('remote/openRemote', { kind: 'terminal' })
  const { shown, type, sees, ask } = await terminal(sessionId)
  expect(shown.said).toMatchObject([{ t: 'open', recorded: true, from: 0, seen: 0 }])
  await sees(':~# ')
  type('echo 路由器\r')
  await sees('\r\n路由器\r\n')
  ask({ t: 'size', columns: 132, rows: 43 })
  type('passwd\r')
  await sees('New password: ')
  type('hunter-2-secret\r')
  await sees('Retype password: ')
  type('hunter-2-secret\r')
  await sees('password for root changed')
  ask({ t: 'end' })
  await sim.settings.put('rootPassword', null)
  const row = await recordingOf(sessionId)
  expect(row).toMatchObject({ deviceSn: device.sn, createdBy: tenants.a.admin.username, account: 'root' })
  const cast = await castOf(row['recordingId'])
  expect(Buffer.byteLength(cast)).toBe(row['sizeBytes'])
  const [header, ...events] = cast
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(header).toMatchObject({ version: 2, width: 80, height: 24 })
  const output = events.flatMap(([, code, text]: [number, string, string]) => (code === 'o' ? [text] : []))
  expect(output.join('')).toContain('New password: \r\nRetype password: ')
  expect(output.join('')).toContain('路由器')
  expect(events).toContainEqual([expect.any(Number), 'r', '132x43'])
  expect(cast).not.toContain('hunter')
  const theirs = await system.login(tenants.b.admin.username, TEST_PASSWORD)
  for (const name of ['getRecording', 'downloadRecording', 'deleteRecording'])
    expect((await system.call(`remote/${name}`, { recordingId: row['recordingId'] }, theirs)).code).toBe(5)
  expect(await dataOf(system, 'remote/getRecordingList', {}, theirs)).toMatchObject({ list: [], total: 0 })
  await data('remote/deleteRecording', { recordingId: row['recordingId'] })
  const [stored] = await system.context.sql`select 1 from operations where call = 'remote/deleteRecording'`
  expect(stored).toBeDefined()
})

it('tells the length of a running recording also when the last output was followed by silence', async () => {
  const sessionId = await up('remote/openRemote', { kind: 'terminal' })
  const { sees, type, socket } = await terminal(sessionId)
  await sees(':~# ')
  type('echo before-the-silence\r')
  await sees('\r\nbefore-the-silence\r\n')
  const row = await until('it is told', async () => {
    const [one] = (await data('remote/getRecordingList', { sessionId }))['list'] as Row[]
    return one && Number(one['durationMs']) > 0 ? one : null
  })
  expect(row['state']).toBe('recording')
  expect(row['sizeBytes']).toBe(Buffer.byteLength(await castOf(row['recordingId'])))
  socket.close()
})

it('opens no terminal that must be recorded but cannot be, and shows when one is not recorded', async () => {
  const { sql, env } = system.context
  const store = join(env.DATA_DIR, 'files')
  const policy = (wanted: string) =>
    sql`update customers set terminal_recording = ${wanted} where id = ${tenants.a.customerId}`
  renameSync(store, `${store}.away`)
  try {
    const unrecorded = await terminal(await up('remote/openRemote', { kind: 'terminal' }))
    await until('it is said', () => unrecorded.shown.said.length === 2)
    expect(unrecorded.shown.said).toMatchObject([
      { t: 'open', recorded: false },
      { t: 'unrecorded', why: 'notRecorded' },
    ])
    unrecorded.socket.close()
    await policy('required')
    const { shown, socket } = await terminal(await up('remote/openRemote', { kind: 'terminal' }))
    expect(shown.said).toEqual([{ t: 'refused', why: 'notRecorded' }])
    expect(shown.text).toBe('')
    socket.close()
  } finally {
    renameSync(`${store}.away`, store)
  }
  // The limit of a session: what must be recorded ends there. All but a little of it was used before.
  const sessionId = await up('remote/openRemote', { kind: 'terminal' })
  const most = remoteParameters.recordingMaxMb.initial * 1024 * 1024
  await sql`
    insert into terminal_recordings (id, session_id, device_id, customer_id, user_id, account, started_at, ended_at, state, size_bytes, file_key)
    select gen_random_uuid(), id, device_id, customer_id, user_id, 'root', created_at, created_at, 'ended', ${most - 500_000}, 'gone'
    from remote_sessions where id = ${sessionId}`
  const full = await terminal(sessionId)
  full.type('seq 400000\r')
  await until('it is full', () => full.shown.said.some(({ why }) => why === 'recordingFull'))
  expect(await recordingOf(sessionId)).toMatchObject({ state: 'full' })
  full.ask({ t: 'login', username: 'root', password: '', columns: 80, rows: 24 })
  await until('a second answer', () => full.shown.said.filter(({ t }) => t === 'refused').length === 2)
  full.socket.close()
  await policy('on')
})

it('ends what is open without a recording when its customer begins to require one', async () => {
  const policy = (wanted: string) =>
    system.context.sql`update customers set terminal_recording = ${wanted} where id = ${tenants.a.customerId}`
  await policy('off')
  const open = await terminal(await up('remote/openRemote', { kind: 'terminal' }))
  await open.sees(':~# ')
  const forward = await up('remote/openRemoteForward', { port: 22 })
  const behind = await up('remote/openRemoteForward', { host: '192.168.77.10', port: 22 })
  await policy('required')
  await until('the shell has ended', () => open.shown.said.some(({ t }) => t === 'refused'))
  await until(
    'the forwarding has ended',
    async () => (await data('remote/getRemote', { sessionId: forward }))['endedAt'],
  )
  expect((await data('remote/getRemote', { sessionId: behind }))['endedAt']).toBeNull()
  // What is recorded goes on, also in the same page.
  open.ask({ t: 'login', username: 'root', password: '', columns: 80, rows: 24 })
  await until('it is recorded', () => open.shown.said.some(({ recorded }) => recorded === true))
  await new Promise((done) => setTimeout(done, 2_500))
  expect(open.shown.said.at(-1)).toMatchObject({ t: 'open', recorded: true })
  open.socket.close()
  await policy('on')
})

it('is watched by a second user, read-only, whom the first sees, until that login ends', async () => {
  const sessionId = await up('remote/openRemote', { kind: 'terminal' })
  const own = await terminal(sessionId)
  await own.sees(':~# ')
  own.type('echo before\r')
  await own.sees('\r\nbefore\r\n')
  const other = await system.login(tenants.superAdmin.username, TEST_PASSWORD)
  const answer = await system.call('remote/getWatchTicket', { sessionId }, other)
  const { ticket } = answer.data as { ticket: string }
  const watching = new WebSocket(system.url.replace('http', 'ws') + TERMINAL_PATH, [
    TERMINAL_PROTOCOL,
    ticket,
  ])
  const seen = { text: '', said: [] as Row[] }
  watching.on('message', (chunk: Buffer, isBinary: boolean) => {
    if (isBinary) seen.text += String(chunk)
    else seen.said.push(JSON.parse(String(chunk)))
  })
  await once(watching, 'open')
  await until('what was shown before is seen', () => seen.text.includes('\r\nbefore\r\n'))
  expect(seen.said).toContainEqual({ t: 'size', columns: 80, rows: 24 })
  // Platform staff is not named to customers.
  await until('who watches is told', () => own.shown.said.some(({ t }) => t === 'watchers'))
  expect(own.shown.said).toContainEqual({ t: 'watchers', names: ['@platform'] })
  watching.send(Buffer.from('echo typed by the watcher\r'))
  watching.send(JSON.stringify({ t: 'size', columns: 20, rows: 5 }))
  own.ask({ t: 'size', columns: 100, rows: 30 })
  own.type('echo after\r')
  await until('it goes on live', () => seen.text.includes('\r\nafter\r\n'))
  expect(seen.said).toContainEqual({ t: 'size', columns: 100, rows: 30 })
  expect(own.shown.text).not.toContain('typed by the watcher')
  // The ticket is good once, and the other customer gets none.
  expect(await refusal(ticket)).toBe(403)
  const theirs = await system.login(tenants.b.admin.username, TEST_PASSWORD)
  expect((await system.call('remote/getWatchTicket', { sessionId }, theirs)).code).toBe(5)
  const closed = once(watching, 'close')
  await system.call('userLogout', {}, other)
  expect((await closed)[0]).toBe(4001)
  await until('nobody watches', () => JSON.stringify(own.shown.said.at(-1)) === '{"t":"watchers","names":[]}')
  own.socket.close()
})
