/**
 * Durable ingest compared with bare Aedes: QoS 1 status messages from 1,000 connections, each acknowledged only when
 * it is in PostgreSQL (fsync on); the baselines are an Aedes and, where it is installed, a Mosquitto that store and check nothing. Alternating rounds.
 */
import { parseArgs } from 'node:util'
import { startBareMosquitto } from './bare-mosquitto.ts'
import { type BenchBroker, benchDatabase, benchDevices, processorSeconds, startChild } from './bench-fleet.ts'
import { type Credential, dialAll, pump } from './mqtt-load.ts'

type Options = { connections: number; window: number; seconds: number; rounds: number }

type Measured = Awaited<ReturnType<typeof pump>>

async function measure(
  broker: BenchBroker,
  postgres: number,
  all: Credential[],
  options: Options,
): Promise<Measured> {
  const sockets = await dialAll(broker.port, all)
  const watch = () => [processorSeconds(broker.child.pid ?? 0), processorSeconds(postgres, true)]
  const measured = await pump(sockets, all, {
    window: options.window,
    warmMs: 1500,
    ms: options.seconds * 1000,
    watch,
  })
  for (const socket of sockets) socket.destroy()
  return measured
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
const rateOf = (all: Measured[]) => median(all.map((one) => one.perSecond))
const costOf = (all: Measured[], which: number) => median(all.map((one) => one.microsPerMessage[which] ?? 0))

/**
 * The rates share the machine with other programs; processor time per message does not: its ratio is what a broker
 * with its own core reaches.
 */
export async function run(
  over: Partial<Options> = {},
): Promise<{ name: string; figures: Record<string, number | string> }> {
  const options: Options = { connections: 1000, window: 5, seconds: 4, rounds: 3, ...over }
  const database = await benchDatabase()
  const durable: Measured[] = []
  const bare: Measured[] = []
  const mosquitto: Measured[] = []
  try {
    const all = await benchDevices(database.sql, options.connections)
    for (let round = 0; round < options.rounds; round++) {
      const baseline = await startChild('bench/bare-aedes.ts', {})
      bare.push(await measure(baseline, database.pid, all, options))
      await baseline.stop('SIGKILL')
      const other = await startBareMosquitto()
      if (other) mosquitto.push(await measure(other, database.pid, all, options))
      await other?.stop('SIGKILL')
      const ours = await startChild('broker/main.ts', { DATABASE_URL: database.url, DATA_DIR: database.dir })
      durable.push(await measure(ours, database.pid, all, options))
      await ours.stop('SIGKILL')
      await database.sql`truncate status_samples`
    }
  } finally {
    await database.close()
  }
  return {
    name: 'durable ingest',
    figures: {
      connections: options.connections,
      inFlightPerConnection: options.window,
      durableMessagesPerSecond: Math.round(rateOf(durable)),
      bareAedesMessagesPerSecond: Math.round(rateOf(bare)),
      ratio: Number((rateOf(durable) / rateOf(bare)).toFixed(2)),
      ...(mosquitto.length > 0
        ? {
            bareMosquittoMessagesPerSecond: Math.round(rateOf(mosquitto)),
            ratioToMosquitto: Number((rateOf(durable) / rateOf(mosquitto)).toFixed(2)),
            bareMosquittoMicrosecondsPerMessage: Number(costOf(mosquitto, 0).toFixed(1)),
          }
        : {}),
      connectionsCut: [...durable, ...bare, ...mosquitto].reduce((sum, one) => sum + one.cut, 0),
      durableBrokerMicrosecondsPerMessage: Number(costOf(durable, 0).toFixed(1)),
      bareAedesMicrosecondsPerMessage: Number(costOf(bare, 0).toFixed(1)),
      processorRatio: Number((costOf(bare, 0) / costOf(durable, 0)).toFixed(2)),
      durablePostgresMicrosecondsPerMessage: Number(costOf(durable, 1).toFixed(1)),
    },
  }
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      connections: { type: 'string' },
      window: { type: 'string' },
      seconds: { type: 'string' },
      rounds: { type: 'string' },
    },
  })
  const given = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, Number(value)]))
  process.stdout.write(`${JSON.stringify(await run(given), null, 2)}\n`)
}
