/**
 * What unauthenticated clients can do to the API with request bodies, and how long a user waits meanwhile: eight
 * bodies of 4.7 MB with 400,000 keys at once, then 1,000 connections that send 4.9 of 5 announced MB and stop. The
 * baseline is the same call at rest.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { openContext } from '#infra/context'
import { freePort, startEmbeddedPostgres } from '#infra/embedded-postgres'
import { readEnv } from '#infra/env'
import { migrateDatabase } from '#infra/migrate'
import { seedTenants, TEST_PASSWORD } from '#test/tenants'
import { startChild } from './bench-fleet.ts'

const MB = 1024 * 1024
const BOMBS = 8
const BOMB_KEYS = 400_000
const UNFINISHED = 1_000
const ANNOUNCED_BYTES = 5 * MB
const SENT_BYTES = Math.round(4.9 * MB)
const PROBES = 20

const head = (bytes: number) =>
  `POST /api/userLogin HTTP/1.1\r\nHost: bench\r\nContent-Type: application/json\r\nContent-Length: ${bytes}\r\n\r\n`

/** Sends everything regardless of responses; resolves when the server responds or closes, or when all is sent. */
function send(port: number, ...parts: readonly (string | Buffer)[]): { socket: Socket; done: Promise<void> } {
  const socket = connect(port, '127.0.0.1')
  const done = new Promise<void>((resolve) => {
    socket
      .once('error', () => resolve())
      .once('close', () => resolve())
      .once('data', () => resolve())
    for (const part of parts.slice(0, -1)) socket.write(part)
    socket.write(parts.at(-1) ?? '', () => resolve())
  })
  return { socket, done }
}

/** Peak memory of the process since the last call [bytes]. */
function peakBytes(pid: number): number {
  const found = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  return Number(found?.[1] ?? 0) * 1024
}

async function post(url: string, body: object, token = ''): Promise<{ token: string }> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', token },
    body: JSON.stringify(body),
  })
  return ((await answer.json()) as { data: { token: string } }).data
}

async function measure(port: number, pid: number, username: string) {
  const api = `http://127.0.0.1:${port}/api`
  const { token } = await post(`${api}/userLogin`, { username, password: TEST_PASSWORD })
  const ask = async () => {
    const began = performance.now()
    await post(`${api}/device/getDeviceList`, { offset: 1, limit: 10 }, token)
    return performance.now() - began
  }
  const slowest = async () => {
    let most = 0
    for (let i = 0; i < PROBES; i++) most = Math.max(most, await ask())
    return Math.round(most)
  }
  await slowest()
  const atRest = await slowest()
  const restBytes = peakBytes(pid)

  const keys = Array.from({ length: BOMB_KEYS }, (_, i) => `"k${i}":1`).join(',')
  const bomb = Buffer.from(`{${keys}}`.padEnd(4_700_000))
  const bombs = Array.from({ length: BOMBS }, () => send(port, head(bomb.length), bomb))
  await sleep(50)
  const duringBombs = await slowest()
  await Promise.all(bombs.map(({ done }) => done))
  for (const { socket } of bombs) socket.destroy()

  const body = Buffer.alloc(SENT_BYTES, '{"username":"x", ')
  const held: Socket[] = []
  let duringBodies = 0
  // In portions, so that this process does not hold everything in memory.
  for (let i = 0; i < UNFINISHED; i += 50) {
    const some = Array.from({ length: 50 }, () => send(port, head(ANNOUNCED_BYTES), body))
    await Promise.race([Promise.all(some.map(({ done }) => done)), sleep(5_000)])
    held.push(...some.map(({ socket }) => socket))
    duringBodies = Math.max(duringBodies, Math.round(await ask()))
  }
  const bodiesBytes = peakBytes(pid)
  for (const socket of held) socket.destroy()
  return {
    'list at rest, slowest ms': atRest,
    'list during 8 bodies of 400,000 keys, slowest ms': duringBombs,
    'list during 1,000 unfinished bodies, slowest ms': duringBodies,
    'API at rest, peak MB': Math.round(restBytes / MB),
    'API after both, peak MB': Math.round(bodiesBytes / MB),
  }
}

export async function run(): Promise<{ name: string; figures: Record<string, number | string> }> {
  const dir = mkdtempSync(join(tmpdir(), 'iot-bench-'))
  const postgres = await startEmbeddedPostgres(join(dir, 'postgres'))
  const http = await freePort()
  const env = {
    DATABASE_URL: postgres.url,
    DATA_DIR: dir,
    JWT_SECRET: 'bench-'.repeat(8),
    HTTP_PORT: String(http),
    SSH_PORT: '0',
    HTTP_HOST: '127.0.0.1',
  }
  const context = openContext('bench', readEnv({ ...env, LOG_LEVEL: 'error' }), postgres.url)
  try {
    await migrateDatabase(postgres.url)
    const { a } = await seedTenants(context)
    const child = await startChild('api/main.ts', env)
    try {
      return {
        name: 'bodies of strangers',
        figures: await measure(http, child.child.pid ?? 0, a.admin.username),
      }
    } finally {
      await child.stop()
    }
  } finally {
    await context.close()
    await postgres.stop()
    rmSync(dir, { recursive: true, force: true })
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  process.stdout.write(`${JSON.stringify(await run(), null, 2)}\n`)
