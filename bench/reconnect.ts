/**
 * A whole fleet on one broker: resident memory per connection, and the time from kill -9 and restart of the broker
 * until every device is online again, according to `device_states`. Raw connections that retry immediately.
 */
import { parseArgs } from 'node:util'
import { benchDatabase, benchDevices, residentBytes, startChild } from './bench-fleet.ts'
import { type Credential, dial, dialAll } from './mqtt-load.ts'

type Options = { connections: number }
const RETRY_MS = 200
const LIMIT_MS = 60_000

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms))

/** Connects until it is accepted. */
async function comeBack(port: number, who: Credential) {
  for (;;) {
    try {
      return await dial(port, who)
    } catch {
      await pause(RETRY_MS + Math.random() * RETRY_MS)
    }
  }
}

export async function run(
  over: Partial<Options> = {},
): Promise<{ name: string; figures: Record<string, number | string> }> {
  const { connections }: Options = { connections: 10_000, ...over }
  const database = await benchDatabase()
  const online = async () => {
    const [row] = await database.sql<
      { n: number }[]
    >`select count(*)::int as n from device_states where online`
    return row?.n ?? 0
  }
  const until = async (begun: number, reached: () => Promise<boolean>) => {
    while (!(await reached()) && performance.now() - begun < LIMIT_MS) await pause(50)
    return (performance.now() - begun) / 1000
  }
  try {
    const all = await benchDevices(database.sql, connections)
    const env = { DATABASE_URL: database.url, DATA_DIR: database.dir }
    let broker = await startChild('broker/main.ts', env)
    await pause(1000)
    const empty = residentBytes(broker.child.pid ?? 0)
    const begun = performance.now()
    const sockets = await dialAll(broker.port, all)
    const firstS = await until(begun, async () => (await online()) === connections)
    await pause(3000)
    const full = residentBytes(broker.child.pid ?? 0)

    await broker.stop('SIGKILL')
    for (const socket of sockets) socket.destroy()
    const killed = performance.now()
    const returning = all.map((who) => comeBack(broker.port, who))
    broker = await startChild('broker/main.ts', env, broker.port)
    const readyS = (performance.now() - killed) / 1000
    const againS = await until(killed, async () => {
      const [row] = await database.sql<{ n: number }[]>`
        select count(*)::int as n from presence_records where offline_at is null`
      return row?.n === connections && (await online()) === connections
    })
    const [lost] = await database.sql<{ n: number }[]>`
      select count(*)::int as n from presence_records where reason = 'brokerLost'`
    const back = await Promise.all(returning)
    for (const socket of back) socket.destroy()
    await broker.stop('SIGKILL')
    return {
      name: 'fleet reconnect',
      figures: {
        connections,
        brokerBytesPerConnection: Math.round((full - empty) / connections),
        brokerResidentBytes: full,
        firstOnlineSeconds: Number(firstS.toFixed(1)),
        restartSeconds: Number(readyS.toFixed(1)),
        againOnlineSeconds: Number(againS.toFixed(1)),
        closedAsBrokerLost: lost?.n ?? 0,
      },
    }
  } finally {
    await database.close()
  }
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { connections: { type: 'string' } } })
  const figures = await run(values.connections ? { connections: Number(values.connections) } : {})
  process.stdout.write(`${JSON.stringify(figures, null, 2)}\n`)
}
