/** A shell outlives the page that shows it: a reload, a lost network or a crashed browser does not end it. */
import { once } from 'node:events'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { heldTunnel } from '#api/remote/tunnels'
import { closeCodes } from '#schema/remote/forward-frame'
import { SHELLS_MAX } from '#schema/remote/terminal-frame'
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

beforeAll(async () => {
  ;({ system, tenants, device, token } = await bootRemote())
})
afterAll(() => system.close())
afterEach(() => endSessions(system))

const data = (name: string, body: Row = {}, as = token) => dataOf(system, name, body, as)
async function up(as = token): Promise<string> {
  const { sessionId } = await until('the session is accepted', () =>
    data('remote/openRemote', { deviceId: device.id, kind: 'terminal' }, as),
  )
  await until('the tunnel is up', async () => (await data('remote/getRemote', { sessionId }, as))['tunnelAt'])
  return String(sessionId)
}
const own = (as = token) => data('remote/getOwnRemote', { deviceId: device.id, kind: 'terminal' }, as)

type Given = { join?: { shell: string; from?: number }; as?: string }
async function terminal(sessionId: string, { join, as = token }: Given = {}) {
  const { ticket } = await data('remote/getRemoteTicket', { sessionId }, as)
  return openTerminal(system.url, String(ticket), { join })
}
const shellOf = ({ shown }: { shown: { said: Row[] } }) =>
  String(shown.said.find(({ t }) => t === 'open')?.['shell'])

it('is joined with its former output, in the size of the new page, and continues', async () => {
  const sessionId = await up()
  const first = await terminal(sessionId)
  await first.sees(':~# ')
  first.type('echo before-the-reload\r')
  await first.sees('\r\nbefore-the-reload\r\n')
  expect(await own()).toMatchObject({ sessionId, shown: true })
  first.type('seq 3\r')
  // As when the browser is killed: no word of goodbye.
  first.socket.terminate()
  await until('nobody shows it', async () => (await own())['shown'] === false)
  const { shells } = await own()
  expect(shells).toEqual([shellOf(first)])
  const second = await terminal(sessionId, { join: { shell: shellOf(first) } })
  await second.sees('\r\nbefore-the-reload\r\n')
  await second.sees('\r\n3\r\n')
  const [opened] = second.shown.said
  expect(opened).toMatchObject({ t: 'open', recorded: true, from: 0 })
  // What a page has shown before is marked: its questions to the terminal are not answered a second time.
  expect(Number(opened?.['seen'])).toBeGreaterThan(20)
  second.type('echo still-the-same\r')
  await second.sees('\r\nstill-the-same\r\n')
  const { list } = (await data('remote/getRecordingList', { deviceId: device.id })) as { list: Row[] }
  expect(list.filter((row) => row['sessionId'] === sessionId)).toHaveLength(1)
  second.socket.close()
})

it('sends a page that lost its network only what it has not got yet', async () => {
  const sessionId = await up()
  const first = await terminal(sessionId)
  await first.sees(':~# ')
  const from = first.shown.bytes
  first.socket.terminate()
  const second = await terminal(sessionId, { join: { shell: shellOf(first), from } })
  expect(second.shown.said[0]).toMatchObject({ t: 'open', from, seen: from })
  second.type('echo on\r')
  await second.sees('\r\non\r\n')
  expect(second.shown.text).not.toContain('BusyBox')
  second.socket.close()
})

it('notifies a page whose shell is taken over, and accepts input from the new one only', async () => {
  const sessionId = await up()
  const first = await terminal(sessionId)
  await first.sees(':~# ')
  const closed = once(first.socket, 'close')
  const second = await terminal(sessionId, { join: { shell: shellOf(first) } })
  expect(((await closed) as [number])[0]).toBe(closeCodes.takenOver)
  second.type('echo mine\r')
  await second.sees('\r\nmine\r\n')
  second.socket.close()
})

it('ends when its user says so, and is gone for who comes later', async () => {
  const sessionId = await up()
  const first = await terminal(sessionId)
  await first.sees(':~# ')
  first.ask({ t: 'end' })
  await until('it has ended', () => first.shown.said.some(({ t }) => t === 'ended'))
  const second = await terminal(sessionId, { join: { shell: shellOf(first) } })
  expect(second.shown.said).toEqual([{ t: 'refused', why: 'gone' }])
  expect((await own())['shells']).toEqual([])
  second.ask({ t: 'login', username: 'root', password: '', columns: 80, rows: 24 })
  await second.sees(':~# ')
  second.socket.close()
})

it('may be joined by any login of its user, by no API token that did not open it, and by no other user', async () => {
  const sessionId = await up()
  const first = await terminal(sessionId)
  await first.sees(':~# ')
  first.socket.terminate()
  const join = { shell: shellOf(first) }
  const { token: key } = await data('token/createApiToken', { name: 'script' })
  expect(await own(String(key))).toEqual({ sessionId: null, shown: false, shells: [] })
  const foreign = await terminal(sessionId, { join, as: String(key) })
  expect(foreign.shown.said).toEqual([{ t: 'refused', why: 'gone' }])
  foreign.socket.close()
  const colleague = await system.login(tenants.superAdmin.username, TEST_PASSWORD)
  expect(await own(colleague)).toEqual({ sessionId: null, shown: false, shells: [] })
  expect((await system.call('remote/getRemoteTicket', { sessionId }, colleague)).code).toBe(356)
  const again = await system.login(tenants.a.admin.username, TEST_PASSWORD)
  expect((await own(again))['sessionId']).toBe(sessionId)
  const second = await terminal(sessionId, { join, as: again })
  await second.sees(':~# ')
  // With the login that joined it, its page ends too.
  const closed = once(second.socket, 'close')
  await data('userLogout', {}, again)
  expect(((await closed) as [number])[0]).toBe(closeCodes.sessionEnded)
})

it('files of the device that a login has opened are there for any login of its user, and for no API token', async () => {
  const sessionId = await up()
  const { token: key } = await data('token/createApiToken', { name: 'script' })
  const files = async (name: string, as: string, more: Row = {}) =>
    (await system.call(`remote/${name}`, { sessionId, ...more }, as)).code
  const account = { username: 'root', password: '' }
  expect(await files('openFiles', token, account)).toBe(0)
  const again = await system.login(tenants.a.admin.username, TEST_PASSWORD)
  expect(await files('getFiles', again, { path: '/' })).toBe(0)
  expect(await files('getFiles', String(key), { path: '/' })).toBe(338)
  expect(await files('deleteFile', String(key), { path: '/tmp/x' })).toBe(338)
  expect(await files('openFiles', String(key), account)).toBe(0)
  expect(await files('getFiles', String(key), { path: '/' })).toBe(0)
  expect(await files('getFiles', token, { path: '/' })).toBe(0)
})

it('pauses unseen output, keeps it, and shows it to the next page', async () => {
  const sessionId = await up()
  const first = await terminal(sessionId)
  await first.sees(':~# ')
  first.socket.terminate()
  await until('nobody shows it', async () => (await own())['shown'] === false)
  const typing = await terminal(sessionId, { join: { shell: shellOf(first) } })
  typing.acknowledge(false)
  typing.type('seq 2000000\r')
  typing.socket.terminate()
  const taken = async () => Number((await data('remote/getRemote', { sessionId }))['fromDeviceBytes'])
  await until('the flood stands still', async () => {
    const before = await taken()
    await new Promise((done) => setTimeout(done, 2_500))
    return before > 1000 && (await taken()) === before
  })
  expect(await taken()).toBeLessThan(7_000_000)
  const third = await terminal(sessionId, { join: { shell: shellOf(first) } })
  await until('it goes on', () => third.shown.bytes > 9_000_000)
  third.type('\u0003')
  await third.sees('^C')
  third.socket.close()
})

it('has a maximum per session, and leaves nothing behind when its tunnel ends', async () => {
  const sessionId = await up()
  const pages = []
  for (let i = 0; i < SHELLS_MAX; i++) pages.push(await terminal(sessionId))
  const more = await terminal(sessionId)
  expect(more.shown.said).toEqual([{ t: 'refused', why: 'most' }])
  for (const { socket } of [...pages, more]) socket.terminate()
  const tunnel = heldTunnel(sessionId)
  await until('no page is left', () => tunnel?.pages.size === 0)
  expect(tunnel?.shells.size).toBe(SHELLS_MAX)
  await data('remote/closeRemote', { sessionId })
  await until('no shell is left', () => tunnel?.shells.size === 0)
  await until('no recording is open', async () => {
    const [row] = await system.context
      .sql`select count(*)::int as open from terminal_recordings where session_id = ${sessionId} and ended_at is null`
    return row?.['open'] === 0
  })
})
