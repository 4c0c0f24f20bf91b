/**
 * Several brokers on one Redis compared with one broker without: durable ingest while every device listens for what the
 * platform sends it. The variants take turns; the load generator and PostgreSQL run on the same processors.
 */
import { spawn } from 'node:child_process'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { freePort } from '#infra/embedded-postgres'
import { type BenchBroker, benchDatabase, benchDevices, processorSeconds, startChild } from './bench-fleet.ts'
import { type Credential, dial, listen, pump } from './mqtt-load.ts'

type Options = { devices: number; talking: number; window: number; seconds: number; rounds: number }
type Measured = Awaited<ReturnType<typeof pump>>

const PARALLEL = 100
/** Many systems allow a process 20,000 open files; one broker alone, and the load generator, hold a socket for each device. */
const DEVICES = 19_500
const REDIS = 'redis-server'
const variants = [
  { name: 'without', brokers: 1, redis: false },
  { name: 'one', brokers: 1, redis: true },
  { name: 'two', brokers: 2, redis: true },
  { name: 'four', brokers: 4, redis: true },
] as const

function startRedis(port: number) {
  const child = spawn(REDIS, ['--port', String(port), '--save', '', '--appendonly', 'no'], {
    stdio: 'ignore',
  })
  return { pid: child.pid ?? 0, stop: () => child.kill('SIGKILL') }
}

/** Every device is connected and listens; the first ones talk. Brokers take turns. */
async function measure(
  brokers: BenchBroker[],
  { redis, postgres }: { redis: number; postgres: number },
  all: Credential[],
  options: Options,
) {
  const sockets: Socket[] = []
  const queue = all.entries()
  await Promise.all(
    Array.from({ length: PARALLEL }, async () => {
      for (const [i, who] of queue) {
        const socket = await dial(brokers[i % brokers.length]?.port ?? 0, who)
        await listen(socket, who)
        sockets[i] = socket
      }
    }),
  )
  const measured = await pump(sockets.slice(0, options.talking), all, {
    window: options.window,
    warmMs: 1500,
    ms: options.seconds * 1000,
    watch: () => [
      redis === 0 ? 0 : processorSeconds(redis),
      brokers.reduce((sum, { child }) => sum + processorSeconds(child.pid ?? 0), 0),
      processorSeconds(postgres, true),
    ],
  })
  const closed = sockets.slice(options.talking).filter((socket) => socket.closed).length
  for (const socket of sockets) socket.destroy()
  return { ...measured, cut: measured.cut + closed }
}

const round = (figure: number, digits: number) => Number(figure.toFixed(digits))
const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
const rate = (of: Measured[] | undefined) => median((of ?? []).map(({ perSecond }) => perSecond))

export async function run(
  over: Partial<Options> = {},
): Promise<{ name: string; figures: Record<string, number | string> }> {
  const options: Options = { devices: DEVICES, talking: 1_000, window: 5, seconds: 4, rounds: 3, ...over }
  const database = await benchDatabase()
  const found = new Map<string, Measured[]>()
  try {
    const all = await benchDevices(database.sql, options.devices)
    for (let round = 0; round < options.rounds; round++)
      for (const { name, brokers: count, redis: withRedis } of variants) {
        const port = await freePort()
        const redis = withRedis ? startRedis(port) : { pid: 0, stop: () => true }
        await sleep(300)
        const env = {
          DATABASE_URL: database.url,
          DATA_DIR: database.dir,
          ...(withRedis ? { REDIS_URL: `redis://127.0.0.1:${port}` } : {}),
        }
        const brokers: BenchBroker[] = []
        for (let i = 0; i < count; i++) brokers.push(await startChild('broker/main.ts', env))
        const measured = await measure(brokers, { redis: redis.pid, postgres: database.pid }, all, options)
        found.set(name, [...(found.get(name) ?? []), measured])
        for (const broker of brokers) await broker.stop('SIGKILL')
        redis.stop()
        await database.sql`truncate status_samples`
      }
  } finally {
    await database.close()
  }
  const without = found.get('without')
  const costOf = (of: Measured[] | undefined, which: number) =>
    median((of ?? []).map(({ microsPerMessage }) => microsPerMessage[which] ?? 0))
  const figures: Record<string, number> = {
    devicesListening: options.devices,
    devicesTalking: options.talking,
  }
  for (const { name, redis } of variants) {
    const of = found.get(name)
    figures[`${name}: messages per second`] = Math.round(rate(of))
    figures[`${name}: microseconds of the brokers per message`] = round(costOf(of, 1), 1)
    figures[`${name}: microseconds of postgres per message`] = round(costOf(of, 2), 1)
    if (!redis) continue
    figures[`${name}: rate to that without Redis`] = round(rate(of) / rate(without), 2)
    figures[`${name}: processor time of brokers and postgres to that without Redis`] = round(
      (costOf(of, 1) + costOf(of, 2)) / (costOf(without, 1) + costOf(without, 2)),
      2,
    )
    figures[`${name}: share of a core of Redis`] = round(
      median((of ?? []).map(({ share }) => share[0] ?? 0)),
      3,
    )
  }
  figures['connectionsCut'] = [...found.values()].flat().reduce((sum, { cut }) => sum + cut, 0)
  return { name: 'several brokers', figures }
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      devices: { type: 'string' },
      talking: { type: 'string' },
      window: { type: 'string' },
      seconds: { type: 'string' },
      rounds: { type: 'string' },
    },
  })
  const given = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, Number(value)]))
  process.stdout.write(`${JSON.stringify(await run(given), null, 2)}\n`)
}
