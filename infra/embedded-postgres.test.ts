import { spawn } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  awaitConnections,
  cause,
  endServer,
  freePort,
  startEmbeddedPostgres,
  whyNotCreated,
} from './embedded-postgres.ts'

let root: string
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'iot-cluster-'))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

describe('the folder of the embedded PostgreSQL', () => {
  it('is left unchanged if it contains something else, or a damaged cluster', async () => {
    const dir = join(root, 'damaged')
    mkdirSync(join(dir, 'base'), { recursive: true })
    writeFileSync(join(dir, 'base', '16384'), 'rows of ten years')
    await expect(startEmbeddedPostgres(dir)).rejects.toThrow(/nothing was changed there/)
    expect(readFileSync(join(dir, 'base', '16384'), 'utf8')).toBe('rows of ten years')
    expect(readdirSync(dir)).toEqual(['base'])
  })

  it('is created completely or not at all: remains of an interrupted start are replaced', async () => {
    const dir = join(root, 'fresh')
    mkdirSync(`${dir}.new`)
    writeFileSync(join(`${dir}.new`, 'PG_VERSION'), 'half')
    const postgres = await startEmbeddedPostgres(dir, { durable: false })
    await postgres.stop()
    expect(readFileSync(join(dir, 'PG_VERSION'), 'utf8').trim()).toMatch(/^\d+$/)
    expect(existsSync(`${dir}.new`)).toBe(false)
  })

  it('is not held by another process that has the number of a server which lost its power', async () => {
    const dir = join(root, 'fresh')
    const sleeper = spawn('sleep', ['60'])
    writeFileSync(
      join(dir, 'postmaster.pid'),
      [sleeper.pid, dir, 1_795_875_808, 20_189, '', '127.0.0.1', '  2621635    819233', 'ready', ''].join(
        '\n',
      ),
    )
    const postgres = await startEmbeddedPostgres(dir, { durable: false })
    await expect(startEmbeddedPostgres(dir)).rejects.toThrow(/in use by another PostgreSQL/)
    await postgres.stop()
    sleeper.kill()
  })

  it.each([process.getuid?.() ?? 0, ...(process.getuid?.() === 0 ? [65_534] : [])])(
    'is given up when the process that started the server is killed: user %i',
    async (uid) => {
      const dir = join(root, `left-${uid}`)
      mkdirSync(dir)
      chmodSync(root, 0o755)
      chownSync(dir, uid, process.getgid?.() ?? 0)
      const module = new URL('./embedded-postgres.ts', import.meta.url).href
      const program = `const { startEmbeddedPostgres } = await import('${module}')
        const { pid } = await startEmbeddedPostgres('${dir}/postgres', { durable: false })
        process.stdout.write(String(pid))
        setInterval(() => {}, 1000)`
      const starter = spawn(process.execPath, ['--input-type=module', '-e', program], { uid })
      const pid = await new Promise<number>((done) =>
        starter.stdout.once('data', (data) => done(Number(data))),
      )
      starter.kill('SIGKILL')
      await expect.poll(() => existsSync(`/proc/${pid}`)).toBe(false)
    },
  )

  it('says why it did not start if its port is taken', async () => {
    const taken = createServer()
    await new Promise<void>((done) => taken.listen(0, '127.0.0.1', done))
    const { port } = taken.address() as AddressInfo
    await expect(startEmbeddedPostgres(join(root, 'fresh'), { port })).rejects.toThrow(/FATAL|could not/)
    taken.close()
  })
})

describe('a server after a crash', () => {
  it('is given as long as it recovers, however long it may be silent at most, and the machine may stand still', async () => {
    const postgres = await startEmbeddedPostgres(mkdtempSync(join(root, 'slow-')), { durable: false })
    onTestFinished(postgres.stop)
    const until = Date.now() + 6_000
    const fields = 'SFATAL\0C57P03\0Mthe database system is starting up\0\0'
    const refusal = Buffer.concat([Buffer.from('E\0\0\0\0'), Buffer.from(fields)])
    refusal.writeUInt32BE(fields.length + 4, 1)
    const recovering = createServer((socket) => {
      socket.on('error', () => undefined)
      if (Date.now() < until) return void socket.once('data', () => socket.end(refusal))
      const server = connect(Number(new URL(postgres.url).port), '127.0.0.1')
      server.on('error', () => socket.destroy())
      socket.pipe(server).pipe(socket)
    })
    await new Promise<void>((done) => recovering.listen(0, '127.0.0.1', done))
    const { port } = recovering.address() as AddressInfo
    const url = Object.assign(new URL(postgres.url), { port }).href
    const alive = { exitCode: null, signalCode: null }
    // The machine stands still for longer than the server may be silent.
    setTimeout(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 4_500), 1_000)
    await awaitConnections(url, alive, () => '', undefined, 4_000)
    expect(Date.now()).toBeGreaterThanOrEqual(until)
    recovering.close()
    await postgres.stop()
    await expect(awaitConnections(url, alive, () => '', undefined, 200)).rejects.toThrow('did not answer')
  })

  it('that was killed needs not be stopped', async () => {
    const postgres = await startEmbeddedPostgres(mkdtempSync(join(root, 'killed-')), { durable: false })
    process.kill(postgres.pid, 'SIGKILL')
    await postgres.exited
    await postgres.stop()
  })
})

it('that is frozen, or does not end as it is told to, is ended all the same', async () => {
  const child = spawn('sh', ['-c', 'trap "" INT QUIT; echo ready; sleep 30 & wait'])
  const exited = new Promise<void>((done) => child.once('exit', () => done()))
  await new Promise((done) => child.stdout.once('data', done))
  child.kill('SIGSTOP')
  await endServer(child, exited, { orderlyMs: 50, leftMs: 1_000 }).finally(() => child.kill('SIGKILL'))
  expect(child.signalCode).toBe('SIGKILL')
})

it('the cause of a stop is not what connections were told during the start', () => {
  const log = `2026-11-28 14:46:29.300 UTC [32620] LOG:  database system was interrupted
2026-11-28 14:46:29.347 UTC [32624] FATAL:  the database system is not yet accepting connections
2026-11-28 14:46:29.351 UTC [32622] FATAL:  could not write to file "pg_wal/xlogtemp.32622": No space left on device
2026-11-28 14:46:29.355 UTC [32620] LOG:  shutting down due to startup process failure`
  expect(cause(log)).toMatch(/No space left on device/)
})

it('the cause of a stop is the full disk, not what could not be done because of it', () => {
  const log = `2026-11-28 23:09:24.170 UTC [25139] ERROR:  could not write to file "pg_logical/snapshot.tmp": No space left on device
2026-11-28 23:09:24.181 UTC [25141] FATAL:  checkpoint request failed`
  expect(cause(log)).toMatch(/snapshot.tmp": No space left on device \(free some space\)$/)
})

it('a database that cannot be created for lack of space says so, and not that namespaces are forbidden', () => {
  const said = `initdb: error: could not write to file "/d/postgres.new/base/1/1247": No space left on device
initdb: removing contents of data directory "/d/postgres.new"
`
  expect(whyNotCreated('/d/postgres', said)).toBe(
    'the embedded PostgreSQL cannot be created in /d/postgres (initdb: error: could not write to file "/d/postgres.new/base/1/1247": No space left on device): free some space, or set another DATA_DIR',
  )
  expect(whyNotCreated('/d/postgres', 'unshare: unshare failed: Operation not permitted\n')).toMatch(
    /\(unshare: unshare failed: Operation not permitted\): set DATABASE_URL, or allow user namespaces$/,
  )
})

// Others need no program to become another user.
it.skipIf(process.getuid?.() !== 0)(
  'a server whose process cannot be made says so, and ends nothing else',
  async () => {
    const dir = join(root, 'no-process')
    mkdirSync(dir)
    writeFileSync(join(dir, 'PG_VERSION'), '18')
    vi.stubEnv('PATH', dir)
    onTestFinished(() => void vi.unstubAllEnvs())
    await expect(startEmbeddedPostgres(dir, { durable: false })).rejects.toThrow(
      'the embedded PostgreSQL stopped at once: spawn unshare ENOENT',
    )
  },
)

describe('a free port', () => {
  it('is another one each time, and never one that an outgoing connection may take', async () => {
    const ports = await Promise.all(Array.from({ length: 20 }, freePort))
    expect(new Set(ports).size).toBe(20)
    expect(Math.max(...ports)).toBeLessThan(32_768)
  })
})
