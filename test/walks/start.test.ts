/** First contact: `npm start` in an empty folder, Ctrl-C, and the next start. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import postgres from 'postgres'
import { afterAll, expect, it } from 'vitest'
import { freePort, startEmbeddedPostgres } from '#infra/embedded-postgres'
import { testSettings } from '../harness.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const dir = mkdtempSync(join(tmpdir(), 'iot-start-'))
const children: ChildProcess[] = []
afterAll(() => {
  for (const child of children) child.kill('SIGKILL')
  rmSync(dir, { recursive: true, force: true })
})

type Started = { child: ChildProcess; output(): string; exit: Promise<number | null> }

function launch(settings: Record<string, string>): Started {
  const { NODE_ENV: _test, VITEST: _vitest, ...inherited } = process.env
  const child = spawn(process.execPath, ['launch/main.ts'], {
    cwd: root,
    env: { ...inherited, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A process group of its own, as a shell gives it: Ctrl-C reaches all of it.
    detached: true,
  })
  children.push(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
  return {
    child,
    output: () => output,
    exit: new Promise((done) => child.once('exit', (code) => done(code))),
  }
}

async function ready(started: Started): Promise<string> {
  for (let i = 0; i < 1200; i++) {
    const line = started
      .output()
      .split('\n')
      .find((text) => text.startsWith('Ready:'))
    if (line) return line
    if (started.child.exitCode !== null) break
    await sleep(100)
  }
  throw new Error(`it did not start:\n${started.output()}`)
}

async function post<T>(url: string, body: object, token?: string): Promise<{ code: number; data: T }> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token ? { token } : {}) },
    body: JSON.stringify(body),
  })
  return (await response.json()) as { code: number; data: T }
}

async function online(url: string, token: string, wanted: number): Promise<string[]> {
  for (let i = 0; i < 300; i++) {
    const answer = await post<{ list: { deviceSn: string }[]; total: number }>(
      `${url}/api/device/getDeviceList`,
      { online: 'online', limit: 50, sort: 'deviceSn' },
      token,
    )
    if (answer.data.total === wanted) return answer.data.list.map((row) => row.deviceSn)
    await sleep(100)
  }
  throw new Error('the fleet did not come online')
}

it('starts in an empty folder, stops on Ctrl-C, and uses the same data again', async () => {
  const settings = await testSettings({
    NODE_ENV: 'development',
    DATA_DIR: dir,
    SIM_DEVICES: '3',
    LOG_LEVEL: 'info',
  })
  const first = launch(settings)
  const line = await ready(first)
  const [, url, user, password] = /^Ready: (\S+) {2}user (\S+) {2}password (\S+)$/.exec(line) ?? []
  expect(first.output().trimEnd().split('\n').at(-1)).toBe(line)
  const login = await post<{ token: string }>(`${url}/api/userLogin`, { username: user, password })
  expect(login.code).toBe(0)
  const fleet = await online(url ?? '', login.data.token, 3)
  expect(await (await fetch(`${url}/readyz`)).json()).toEqual({
    postgres: true,
    broker: true,
    queue: true,
    workers: true,
    mail: 'outbox',
  })
  expect((await fetch(`${url}/login`)).headers.get('content-type')).toContain('text/html')

  process.kill(-(first.child.pid ?? 0), 'SIGINT')
  expect(await first.exit).toBe(0)
  expect(first.output().trimEnd().split('\n').at(-1)).toBe(line)
  await expect(fetch(`${url}/healthz`)).rejects.toThrow()

  const second = launch(settings)
  expect(await ready(second)).toContain('as shown at the first start')
  expect(await online(url ?? '', login.data.token, 3)).toEqual(fleet)
  second.child.kill('SIGTERM')
  expect(await second.exit).toBe(0)
}, 180_000)

it('a first start that is stopped while it writes the demonstration shows the password of admin, and the next one makes the demonstration', async () => {
  const settings = {
    NODE_ENV: 'development',
    DATA_DIR: mkdtempSync(join(dir, 'cut-off-')),
    SIM_DEVICES: '10',
    SIM_MODBUS_PORT: '0',
  }
  const first = launch(await testSettings(settings))
  await expect.poll(first.output, { timeout: 60_000 }).toContain('writing the past')
  process.kill(-(first.child.pid ?? 0), 'SIGINT')
  expect(await first.exit).toBe(0)
  expect(first.output()).toMatch(/^ {2}user admin {2}password \S+ {2}\(shown once\)$/m)

  const second = launch(await testSettings(settings))
  await ready(second)
  expect(second.output().match(/^ {2}demonstration user .*/gm)).toHaveLength(3)
  second.child.kill('SIGTERM')
  expect(await second.exit).toBe(0)
}, 240_000)

it.each([
  ['gets the signal first', 0],
  ['notices the end of a child first', 50],
])(
  'a first start that is stopped before it is ready, and %s, shows the passwords that it made',
  async (_when, laterMs) => {
    // A folder of its own for each try: the password is only shown once.
    const settings = {
      NODE_ENV: 'development',
      DATA_DIR: mkdtempSync(join(dir, 'stopped-')),
      SIM_DEVICES: '0',
    }
    const first = launch(await testSettings(settings))
    const pid = first.child.pid ?? 0
    await expect.poll(first.output, { timeout: 60_000 }).toContain('starting api')
    if (laterMs > 0) {
      const [room] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').slice(-1)
      process.kill(Number(room), 'SIGINT')
      await sleep(laterMs)
    }
    process.kill(-pid, 'SIGINT')
    expect(await first.exit).toBe(0)
    expect(first.output()).toMatch(/^ {2}user admin {2}password \S+ {2}\(shown once\)$/m)
  },
  120_000,
)

it.each([
  ['a busy port', 'HTTP_PORT'],
  ['a broken setting', 'LOG_LEVEL'],
  ['a data folder that cannot be written', 'DATA_DIR'],
])('%s gives one clear line that names what to change, and a non-zero exit', async (_what, setting) => {
  const port = await freePort()
  const blocker = createServer().listen(port, '127.0.0.1')
  const all: Record<string, Record<string, string>> = {
    HTTP_PORT: { HTTP_PORT: String(port) },
    LOG_LEVEL: { LOG_LEVEL: 'loud' },
    DATA_DIR: { DATA_DIR: '/etc/hostname/below' },
  }
  const broken = all[setting] ?? {}
  const started = launch(await testSettings({ NODE_ENV: 'development', ...broken }))
  expect(await started.exit).toBe(1)
  blocker.close()
  const lines = started.output().trim().split('\n')
  expect(lines).toHaveLength(1)
  expect(lines[0]).toContain(setting)
})

it('data of the previous version: one message with its location and what to do; nothing is changed', async () => {
  const dataDir = join(dir, 'before')
  const folder = join(dataDir, 'postgres')
  const before = await startEmbeddedPostgres(folder)
  const sql = postgres(before.url, { max: 1, onnotice: () => undefined })
  await sql`create table customers (name text)`
  await sql`insert into customers values ('kept')`
  await sql.end()
  await before.stop()

  const started = launch(await testSettings({ NODE_ENV: 'development', DATA_DIR: dataDir }))
  expect(await started.exit).toBe(1)
  const said = started.output().split('\n')
  expect(said.filter((line) => line.startsWith('cannot start:'))).toEqual([
    `cannot start: the data in DATA_DIR ${dataDir} was made by another version, and this version cannot read it: nothing was changed there. Move the folder aside (mv ${dataDir} ${dataDir}-old) and start again, which makes a new one, or go on with the version that made it`,
  ])

  const after = await startEmbeddedPostgres(folder)
  const again = postgres(after.url, { max: 1, onnotice: () => undefined })
  expect(await again`select name from customers`).toEqual([{ name: 'kept' }])
  await again.end()
  await after.stop()
})
