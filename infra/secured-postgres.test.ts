/** A PostgreSQL that takes only connections over TLS, with each of the drivers (docs/decisions/202). */
import { once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import pg from 'pg'
import { generate } from 'selfsigned'
import { afterEach, expect, it } from 'vitest'
import { sweepTasks } from '#schema/task/task'
import { afterFile } from '#test/after-file'
import { stopwatch } from '#test/patience'
import { databaseFolder } from '#test/scratch'
import { openSilentLine } from '#test/silent-line'
import { openCopyIn } from './copy-in.ts'
import { startEmbeddedPostgres } from './embedded-postgres.ts'
import { openLog } from './log.ts'
import { migrateDatabase } from './migrate.ts'
import { openDatabase } from './postgres.ts'
import { openQueue } from './queue.ts'
import { tlsFault } from './settings/database-url.ts'

const dir = databaseFolder('iot-tls-')
afterFile(() => rmSync(dir, { recursive: true, force: true }))
const server = await startEmbeddedPostgres(join(dir, 'data'), { durable: false })
afterFile(() => server.stop())

const certificate = (ip: string) =>
  generate([{ name: 'commonName', value: 'database' }], {
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip }] }],
  })
const file = (name: string, text: string) => {
  const path = join(dir, name)
  writeFileSync(path, text, { mode: 0o600 })
  return path
}
const own = await certificate('127.0.0.1')
const ca = file('ca.pem', own.cert)
const otherCa = file('other.pem', (await certificate('127.0.0.1')).cert)
file('data/server.crt', own.cert)
file('data/server.key', own.private)
file('data/pg_hba.conf', 'hostssl all all 127.0.0.1/32 trust\n')
const begin = new pg.Client({ connectionString: server.url })
await begin.connect()
await begin.query('alter system set ssl = on')
await begin.query('select pg_reload_conf()')
await begin.end()

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})
const secured = (parameters: string, url = server.url) => `${url}?${parameters}`
const word = (error: unknown) => (error as { code?: string }).code ?? String(error)
function pool(url: string, options: Parameters<typeof openDatabase>[1] = {}) {
  const opened = openDatabase(url, { max: 1, ...options })
  ends.push(opened.close)
  return opened.sql
}
const isSecured = async (url: string) =>
  (await pool(url)<{ ssl: boolean }[]>`select ssl from pg_stat_ssl where pid = pg_backend_pid()`)[0]?.ssl

it('is not reached without TLS', async () => {
  await expect.poll(() => isSecured(server.url).then(String, word)).toBe('28000')
})

it.each([
  'sslmode=require&channel_binding=require',
  `sslmode=verify-ca&sslrootcert=${ca}`,
  `sslmode=verify-full&sslrootcert=${ca}`,
])('carries the whole platform with %s', async (parameters) => {
  const url = secured(parameters)
  await migrateDatabase(url)
  expect(await isSecured(url)).toBe(true)
  const sql = pool(url)
  const queue = openQueue({ databaseUrl: url }, openLog('test', 'silent'))
  ends.push(queue.close)
  await queue.add(sweepTasks, {})
  expect(await queue.answers()).toBe(true)
  const copies = openCopyIn(url, { max: 1, applicationName: 'copies', answerMs: 5_000 })
  ends.push(copies.close)
  await sql`create table copied (n int)`
  ends.push(() => sql`drop table copied`)
  await copies.copy('copy copied from stdin', Buffer.from('1\n2\n'))
  expect((await sql`select * from copied`).length).toBe(2)
  const heard: string[] = []
  await sql.listen('room', (said) => heard.push(said))
  await sql.notify('room', 'hello')
  await expect.poll(() => heard).toEqual(['hello'])
})

it.each([
  [
    'an authority that did not sign',
    `sslmode=verify-full&sslrootcert=${otherCa}`,
    'DEPTH_ZERO_SELF_SIGNED_CERT',
  ],
  ['no authority', 'sslmode=verify-full', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
])('is refused with %s, each time, and says so at once', async (_name, parameters, code) => {
  const sql = pool(secured(parameters))
  const taken = stopwatch()
  for (let attempt = 0; attempt < 3; attempt++)
    expect(await sql`select 1`.then(() => 'answered', word)).toBe(code)
  expect(taken()).toBeLessThan(5_000)
})

it('is refused under another name with verify-full only', async () => {
  const named = server.url.replace('127.0.0.1', 'localhost')
  const parameters = `&sslrootcert=${ca}`
  expect(await isSecured(secured(`sslmode=verify-ca${parameters}`, named))).toBe(true)
  expect(await isSecured(secured(`sslmode=verify-full${parameters}`, named)).then(String, word)).toBe(
    'ERR_TLS_CERT_ALTNAME_INVALID',
  )
})

it('that goes silent fails what waits on it and what is sent before it is closed; the next one works', async () => {
  const line = await openSilentLine(server.url)
  ends.push(line.close)
  const sql = pool(secured('sslmode=require', line.url), { answerMs: 500, silentAfterMs: 300 })
  await sql`select 1`
  line.silence('both')
  const taken = stopwatch()
  const lost = await sql`select 2`.then(() => 'answered', word)
  const retried = await sql`select 3`.then(() => 'answered', word)
  expect([lost, retried]).toEqual(['CONNECTION_SILENT', 'CONNECTION_CLOSED'])
  expect(taken()).toBeLessThan(2_500)
  expect([...(await sql`select 4 as four`)]).toEqual([{ four: 4 }])
})

it('that goes silent during a COPY fails it, and the next one works', async () => {
  const line = await openSilentLine(server.url)
  ends.push(line.close)
  const sql = pool(secured('sslmode=require'))
  await sql`create table silent (n int)`
  ends.push(() => sql`drop table silent`)
  const copies = openCopyIn(secured('sslmode=require', line.url), {
    max: 1,
    applicationName: 'copies',
    answerMs: 500,
  })
  ends.push(copies.close)
  const copy = () => copies.copy('copy silent from stdin', Buffer.from('1\n')).then(() => 'stored', word)
  expect(await copy()).toBe('stored')
  line.silence('both')
  expect(await copy()).toBe('CONNECTION_SILENT')
  expect(await copy()).toBe('stored')
  expect((await sql`select * from silent`).length).toBe(2)
})

it('a server that offers no TLS is not given anything', async () => {
  const received: Buffer[] = []
  const plain = createServer((socket) => {
    socket.on('data', (bytes) => {
      received.push(bytes)
      socket.write('N')
    })
  }).listen(0, '127.0.0.1')
  ends.push(() => plain.close())
  await once(plain, 'listening')
  const { port } = plain.address() as AddressInfo
  const sql = pool(`postgres://iot:password@127.0.0.1:${port}/iot?sslmode=require`)
  for (let attempt = 0; attempt < 2; attempt++)
    await expect(sql`select 1`).rejects.toThrow('the database server at 127.0.0.1 offers no TLS')
  // Twice what asks for TLS.
  expect(Buffer.concat(received).length).toBe(16)
})

it.each([
  ['sslmode=prefer', 'sslmode must be one of disable, require, verify-ca, verify-full'],
  ['sslmode=verify-ca', expect.stringContaining('verify-ca requires specifying a CA')],
  ['sslmode=verify-full&sslrootcert=/not/there.pem', 'cannot read /not/there.pem (ENOENT)'],
  [`sslmode=verify-full&sslrootcert=${ca}`, null],
  ['sslmode=disable', null],
  ['application_name=x', null],
])('DATABASE_URL with %s: %s', (parameters, fault) => {
  expect(tlsFault(secured(parameters))).toEqual(fault)
})
