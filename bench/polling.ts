/**
 * One gateway polls 200 true Modbus slaves, each once a second, ten values a request, all reported; the slaves are in
 * the same process. The baseline is the same number of sequential requests over bare connections.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { Registers } from '#device-sim/gateway/registers'
import { slave } from '#device-sim/gateway/slave'
import { type SlaveServer, startSlaves } from '#device-sim/gateway/slave-server'
import { tryGateway } from '#device-sim/gateway/try-gateway'
import { Wire } from '#device-sim/gateway/wire'
import { startWheel } from '#device-sim/wheel'

const BUSES = 20
const SLAVES_A_BUS = 10
const VALUES = 10
const SECONDS = 15
const SETTLE_MS = 3_000

function livingSlave(unit: number) {
  const registers = new Registers()
  for (let value = 0; value < VALUES; value++)
    registers.put('holding', 2 * value, { words: () => [0x4366, Date.now() & 0xffff] })
  return slave(unit, registers)
}

/** Requests a second, one behind the other on each bus. */
async function bare(servers: readonly SlaveServer[]): Promise<number> {
  const wheel = startWheel()
  const until = performance.now() + 3_000
  let answers = 0
  await Promise.all(
    servers.map(async ({ port }) => {
      const wire = new Wire({ host: '127.0.0.1', port, isTcp: true, wheel })
      await wire.open()
      for (let i = 0; performance.now() < until; i++) {
        const { answer } = await wire.ask(
          1 + (i % SLAVES_A_BUS),
          { fn: 3, address: 0, count: 2 * VALUES },
          1_000,
        )
        if (answer) answers += 1
      }
      wire.close()
    }),
  )
  wheel.close()
  return answers / 3
}

export async function run() {
  const units = Array.from({ length: SLAVES_A_BUS }, (_, i) => i + 1)
  const servers = await Promise.all(
    Array.from({ length: BUSES }, () => startSlaves({ framing: 'tcp', slaves: units.map(livingSlave) })),
  )
  const bareRequests = await bare(servers)
  const gateway = await tryGateway()
  const vars = Array.from({ length: VALUES }, (_, slot) => ({
    slot,
    read: 0,
    at: 2 * slot,
    type: 'float32' as const,
    order: 'ABCD' as const,
    report: 'cycle' as const,
    cycleMs: 1_000,
  }))
  const read = { fn: 3 as const, address: 0, count: 2 * VALUES, everyMs: 1_000 }
  const terminals = servers.flatMap((_, bus) =>
    units.map((unit) => ({
      t: 1 + bus * 100 + unit,
      bus,
      unit,
      timeoutMs: 1_000,
      retries: 1,
      reads: [read],
      vars,
    })),
  )
  const buses = servers.map(({ port }) => ({ kind: 'tcp' as const, host: '127.0.0.1', port }))
  await gateway.run({ revision: 1, buses, terminals })
  await sleep(SETTLE_MS)
  const askedBefore = servers.flatMap((server) => units.map((unit) => server.slave(unit).asked))
  const reportsBefore = gateway.reports().length
  const missed = () => gateway.device().collector.slaves.reduce((sum, one) => sum + one.missed, 0)
  const missedBefore = missed()
  const used = process.cpuUsage()
  await sleep(SECONDS * 1_000)
  const { user, system } = process.cpuUsage(used)
  const polls = servers.flatMap((server, bus) =>
    units.map((unit, i) => server.slave(unit).asked - (askedBefore[bus * SLAVES_A_BUS + i] ?? 0)),
  )
  const reports = gateway.reports().length - reportsBefore
  const figures = {
    slaves: polls.length,
    pollsPerSecond: Math.round(polls.reduce((sum, one) => sum + one, 0) / SECONDS),
    wantedPerSecond: polls.length,
    fewestPollsOfASlave: Math.min(...polls),
    seconds: SECONDS,
    missed: missed() - missedBefore,
    reportsPerSecond: Math.round(reports / SECONDS),
    processorShare: Number(((user + system) / 1e6 / SECONDS).toFixed(2)),
    bareRequestsPerSecond: Math.round(bareRequests),
  }
  await gateway.close()
  for (const server of servers) await server.close()
  return { name: 'polling', figures }
}
