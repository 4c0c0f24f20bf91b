/**
 * Devices that connect and leave repeatedly, like a fleet on a bad network: peak resident memory of the broker for
 * connections that send nothing, that have a wrong secret, and that log in. Bounded in number, concurrency and time.
 */
import { connect } from 'node:net'
import { parseArgs } from 'node:util'
import { generate } from 'mqtt-packet'
import { benchDatabase, benchDevices, residentBytes, startChild } from './bench-fleet.ts'
import { type Credential, dial } from './mqtt-load.ts'

type Options = { connections: number; parallel: number }
const DEVICES = 500
const LIMIT_MS = 90_000
const SAMPLE_MS = 50
const TARGET_BYTES = 300 * 1024 * 1024
const DISCONNECT = generate({ cmd: 'disconnect' })

/** Resolves when the connection is closed by either side. */
const silent = (port: number) =>
  new Promise<void>((done) => {
    const socket = connect({ port, host: '127.0.0.1' }, () => socket.end())
    socket.on('error', () => undefined)
    socket.once('close', () => done())
    socket.resume()
  })

const refused = (port: number, who: Credential) =>
  dial(port, { ...who, secret: 'x'.repeat(43) }).then(
    (socket) => void socket.destroy(),
    () => undefined,
  )

const loggedIn = async (port: number, who: Credential) => {
  const socket = await dial(port, who)
  await new Promise<void>((done) => {
    socket.once('close', () => done())
    socket.end(DISCONNECT)
  })
}

const ways = { silent, refused, 'logged in': loggedIn } as const

/** One kind of connection, on a new broker. */
async function churn(
  env: Record<string, string>,
  all: Credential[],
  way: keyof typeof ways,
  options: Options,
) {
  const broker = await startChild('broker/main.ts', env)
  const pid = broker.child.pid ?? 0
  const empty = residentBytes(pid)
  let most = empty
  const timer = setInterval(() => {
    most = Math.max(most, residentBytes(pid))
  }, SAMPLE_MS)
  const began = performance.now()
  let made = 0
  let failed = 0
  await Promise.all(
    Array.from({ length: options.parallel }, async (_, lane) => {
      // Each lane has its own devices: takeovers are not measured here.
      for (let turn = 0; made < options.connections && performance.now() - began < LIMIT_MS; turn++) {
        made++
        const mine = Math.floor(all.length / options.parallel)
        const who = all[lane * mine + (turn % mine)]
        if (who) await ways[way](broker.port, who).catch(() => void failed++)
      }
    }),
  )
  const seconds = (performance.now() - began) / 1000
  clearInterval(timer)
  const left = residentBytes(pid)
  await broker.stop('SIGKILL')
  return { made, failed, perSecond: Math.round(made / seconds), empty, most, left }
}

export async function run(
  over: Partial<Options> = {},
): Promise<{ name: string; figures: Record<string, number | string> }> {
  // Below the limit per minute of one address: connections closed without a response would cost nothing.
  const options: Options = { connections: 40_000, parallel: 100, ...over }
  const database = await benchDatabase()
  try {
    const all = await benchDevices(database.sql, DEVICES)
    const env = { DATABASE_URL: database.url, DATA_DIR: database.dir }
    const figures: Record<string, number | string> = { ...options }
    const tooMuch: string[] = []
    for (const way of Object.keys(ways) as (keyof typeof ways)[]) {
      // A wrong secret gets its response after a second: fewer connections, so that the run ends.
      const connections = way === 'refused' ? Math.round(options.connections / 10) : options.connections
      const result = await churn(env, all, way, { ...options, connections })
      const MB = (bytes: number) => Math.round(bytes / 1024 / 1024)
      figures[`${way}, connections`] = result.made
      figures[`${way}, failed`] = result.failed
      figures[`${way}, per second`] = result.perSecond
      figures[`${way}, resident MB before / highest / after`] =
        `${MB(result.empty)} / ${MB(result.most)} / ${MB(result.left)}`
      if (result.most > TARGET_BYTES) tooMuch.push(way)
    }
    figures['verdict'] = tooMuch.length > 0 ? `${tooMuch.join(', ')} ABOVE 300 MB` : 'all below 300 MB'
    return { name: 'memory of a broker under connect churn', figures }
  } finally {
    await database.close()
  }
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { connections: { type: 'string' } } })
  const figures = await run(values.connections ? { connections: Number(values.connections) } : {})
  process.stdout.write(`${JSON.stringify(figures, null, 2)}\n`)
}
