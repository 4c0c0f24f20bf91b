/** The gateway against true slaves on loopback ports: what it reads, reports, keeps, and what a dead slave costs. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import { until } from '../fake-cloud.ts'
import { Registers, settable } from './registers.ts'
import { type Slave, slave } from './slave.ts'
import { type SlaveServer, startSlaves } from './slave-server.ts'
import { type TryGateway, tryGateway } from './try-gateway.ts'

const GOOD = 0
const SLAVE_OFFLINE = 3
const UNCERTAIN = 5
const BAD_ADDRESS = 6
const held = { words: [0x4366, 0x8000] }

function meter(unit: number): Slave {
  const registers = new Registers()
  registers.put('holding', 0, settable(held.words))
  registers.put('holding', 4, settable([7]))
  registers.put('coil', 16, settable([1]))
  return slave(unit, registers)
}

let gateway: TryGateway
let tcp: SlaveServer
let rtu: SlaveServer

const lines = () => ({ serial: () => ({ host: '127.0.0.1', port: rtu.port }), allows: () => true })

beforeEach(async () => {
  tcp = await startSlaves({ framing: 'tcp', slaves: [meter(1), meter(2), meter(3)] })
  rtu = await startSlaves({ framing: 'rtu', slaves: [meter(17), meter(18)] })
  gateway = await tryGateway({ lines: lines() })
})
afterEach(async () => {
  expect(gateway.cloud.invalid).toEqual([])
  await gateway.close()
  await tcp.close()
  await rtu.close()
})

const everyMs = 100
const terminal = (t: number, bus: number, unit: number, more: object = {}) => ({
  t,
  bus,
  unit,
  timeoutMs: 100,
  retries: 1,
  reads: [
    { fn: 3 as const, address: 0, count: 2, everyMs },
    { fn: 1 as const, address: 16, count: 1, everyMs },
  ],
  vars: [
    {
      slot: 0,
      read: 0,
      at: 0,
      type: 'float32' as const,
      order: 'ABCD' as const,
      report: 'change' as const,
      cycleMs: everyMs,
    },
    {
      slot: 3,
      read: 1,
      at: 0,
      type: 'bool' as const,
      order: 'ABCD' as const,
      report: 'change' as const,
      cycleMs: everyMs,
    },
  ],
  ...more,
})
const buses = () => [
  { kind: 'tcp' as const, host: '127.0.0.1', port: tcp.port },
  { kind: 'rtu' as const, serial: 'bus1', baud: 9600 },
]
const set = (server: SlaveServer, unit: number, words: number[]) =>
  server.slave(unit).registers.write('holding', 0, words)

it('reads slaves over TCP and over a serial line, and reports what changes', async () => {
  await gateway.run({ revision: 5, buses: buses(), terminals: [terminal(7, 0, 1), terminal(9, 1, 17)] })
  await until('both have reported', () => [7, 9].every((t) => gateway.values(t, 0).length > 0))
  expect(gateway.reports()[0]).toMatchObject({ plan: 5, i: [0, 3], v: [230.5, 1] })
  set(tcp, 1, [0x4366, 0x0000])
  set(rtu, 17, [0x42c8, 0x0000])
  await until('both have reported the change', () => [7, 9].every((t) => gateway.values(t, 0).length > 1))
  expect(gateway.values(7, 0)).toEqual([
    [230.5, GOOD],
    [230, GOOD],
  ])
  expect(gateway.values(9, 0).at(-1)).toEqual([100, GOOD])
  expect(gateway.values(9, 3)).toHaveLength(1)
  expect([7, 9].map(gateway.state)).toEqual(['answering', 'answering'])
})

it('a dead slave does not stall the others, and is polled again when it responds', async () => {
  rtu.slave(18).faults.silent = true
  const live = terminal(9, 1, 17, { vars: [{ ...terminal(9, 1, 17).vars[0], report: 'cycle' }] })
  await gateway.run({ revision: 1, buses: buses(), terminals: [live, terminal(10, 1, 18)] })
  await until('it is given up', () => gateway.state(10) === 'silent')
  await until('its variables say so', () => gateway.values(10, 0).at(-1)?.[1] === SLAVE_OFFLINE)
  const before = { live: rtu.slave(17).asked, dead: rtu.slave(18).asked }
  await new Promise((done) => setTimeout(done, 2_000))
  expect(rtu.slave(17).asked - before.live).toBeGreaterThan(15)
  expect(rtu.slave(18).asked).toBe(before.dead)
  rtu.slave(18).faults.silent = false
  await until('it answers again', () => gateway.state(10) === 'answering')
  await until('its value is reported', () => gateway.values(10, 0).at(-1)?.[1] === GOOD)
})

it('a request over a gap is split, and missing registers are distinguished from existing ones', async () => {
  const reads = [{ fn: 3 as const, address: 0, count: 9, everyMs }]
  const at = (slot: number, where: number, type: 'float32' | 'uint16') => ({
    slot,
    read: 0,
    at: where,
    type,
    order: 'ABCD' as const,
    report: 'change' as const,
    cycleMs: everyMs,
  })
  const vars = [at(0, 0, 'float32'), at(1, 4, 'uint16'), at(2, 8, 'uint16')]
  await gateway.run({ revision: 1, buses: buses(), terminals: [terminal(7, 0, 1, { reads, vars })] })
  await until('all have reported', () => [0, 1, 2].every((slot) => gateway.values(7, slot).length > 0))
  expect([0, 1, 2].map((slot) => gateway.values(7, slot))).toEqual([
    [[230.5, GOOD]],
    [[7, GOOD]],
    [[null, BAD_ADDRESS]],
  ])
})

it('an answer that comes late is never taken for that of the next request', async () => {
  const vars = terminal(9, 1, 17).vars.map((variable) => ({ ...variable, report: 'cycle' as const }))
  await gateway.run({
    revision: 1,
    buses: buses(),
    terminals: [terminal(9, 1, 17, { vars }), terminal(10, 1, 18, { vars })],
  })
  set(rtu, 18, [0x42c8, 0x0000])
  await until('values', () => gateway.values(9, 0).length > 2)
  rtu.slave(17).faults.late = { answers: 2, ms: 150 }
  rtu.slave(17).faults.damaged = 1
  const seen = gateway.values(9, 0).length
  await until('more values', () => gateway.values(9, 0).length > seen + 5)
  const distinct = new Set(gateway.values(9, 0).map(([value]) => value))
  distinct.delete(null)
  expect([...distinct]).toEqual([230.5])
})

it('values read while the platform was unavailable arrive late, once and in order, after the live values', async () => {
  const vars = terminal(7, 0, 1).vars.map((variable) => ({ ...variable, report: 'cycle' as const }))
  await gateway.run({ revision: 1, buses: buses(), terminals: [terminal(7, 0, 1, { vars })] })
  await until('live values', () => gateway.reports().length > 1)
  gateway.device().goOffline(2_000)
  await until('it is offline', () => !gateway.device().online)
  let n = 0
  const timer = setInterval(() => {
    n += 16
    set(tcp, 1, [0x4366, n])
  }, 100)
  await until('it is back', () => gateway.device().online)
  clearInterval(timer)
  await until('nothing is kept any more', () => gateway.device().collector.forwarder.kept === 0)
  const late = gateway.reports().filter((report) => report.late)
  expect(late.length).toBeGreaterThan(5)
  expect(late.map(({ at }) => at)).toEqual(late.map(({ at }) => at).toSorted((one, other) => one - other))
  const times = gateway.reports().map(({ at }) => at)
  // One that was under way when the line broke may come again: the platform takes it once.
  expect(times.length - new Set(times).size).toBeLessThanOrEqual(1)
})

it('a full buffer drops the oldest, and says once how many, and of which time', async () => {
  const small = await tryGateway({ lines: lines(), backlogLimit: 8 })
  try {
    const vars = terminal(7, 0, 1).vars.map((variable) => ({ ...variable, report: 'cycle' as const }))
    await small.run({ revision: 1, buses: buses(), terminals: [terminal(7, 0, 1, { vars })] })
    await until('live values', () => small.reports().length > 1)
    // Some fifty cycles; a busy machine may poll far more slowly, and drops fewer.
    small.device().goOffline(5_000)
    await until('it is offline', () => !small.device().online)
    const leftAt = Date.now()
    await until('it is full', () => small.device().collector.forwarder.kept === 8)
    await until('it is back', () => small.device().online)
    await until('nothing is kept any more', () => small.device().collector.forwarder.kept === 0)
    const reported = small.reports().flatMap(({ dropped }) => dropped ?? [])
    const late = small.reports().filter((report) => report.late)
    const oldest = Math.min(...late.map(({ at }) => at))
    // Missing values are exactly those reported as missed.
    expect(reported.reduce((sum, { n }) => sum + n, 0)).toBeGreaterThan(0)
    expect(Math.min(...reported.map(({ from }) => from))).toBeGreaterThan(leftAt - 1_500)
    expect(Math.max(...reported.map(({ to }) => to))).toBeLessThan(oldest)
    const seen = small.reports().length
    await until('live values go on', () => small.reports().length > seen + 3)
    expect(
      small
        .reports()
        .slice(seen)
        .flatMap(({ dropped }) => dropped ?? []),
    ).toEqual([])
  } finally {
    await small.close()
  }
})

it('without a clock it buffers readings, and timestamps them once the platform has sent the time', async () => {
  const clockless = await tryGateway({ lines: lines(), models: ['S20'] })
  const begun = Date.now()
  try {
    await clockless.run({ revision: 1, buses: buses(), terminals: [terminal(7, 0, 1)] })
    await until('live values', () => clockless.reports().length > 0)
    const device = clockless.device()
    device.goOffline(3_000)
    device.down()
    device.boot()
    const former = device.collector.forwarder.kept
    await until('it reads before it knows the time', () => device.collector.forwarder.kept > former)
    expect(device.clock.isSet).toBe(false)
    const kept = device.collector.forwarder.kept - former
    await until('it is back', () => device.online)
    await until('nothing is kept any more', () => device.collector.forwarder.kept === 0)
    const late = clockless.reports().filter((report) => report.late)
    // On a busy machine live values of the former boot may not have been acknowledged: they come, too.
    expect(late.length).toBeGreaterThanOrEqual(former + kept)
    for (const { at, q } of late) {
      expect(at).toBeGreaterThan(begun - 5_000)
      expect(at).toBeLessThanOrEqual(Date.now())
      // The boot that read them has learned the time itself: nothing is uncertain.
      expect(q ?? []).not.toContain(UNCERTAIN)
    }
  } finally {
    await clockless.close()
  }
})

it('a plan survives a restart, and one that cannot be run is refused with its reason', async () => {
  await gateway.run({ revision: 3, buses: buses(), terminals: [terminal(7, 0, 1)] })
  await gateway.run({ revision: 4, buses: [], terminals: [terminal(7, 0, 1)] })
  const refused = gateway.cloud.of(gateway.sn, 'collection').at(-1)?.payload
  expect(refused).toMatchObject({ plan: 3, refused: { plan: 4, reason: 'terminal 7: there is no bus 0' } })
  await gateway.restart()
  expect(gateway.device().collector.revision).toBe(3)
  const before = gateway.reports().length
  await until('it polls again', () => gateway.reports().length > before)
})

it('reports its own inputs and outputs together with the registers of a slave in the same terminal', async () => {
  const variable = (slot: number, read: number, type: 'bool' | 'float32' | 'uint32') => ({
    slot,
    read,
    at: 0,
    type,
    order: 'ABCD' as const,
    report: 'change' as const,
    cycleMs: everyMs,
  })
  const own = (fn: 1 | 2 | 4, address: number, count = 1) => ({ fn, address, count, everyMs, bus: 2 })
  const reads = [
    { fn: 3 as const, address: 0, count: 2, everyMs },
    own(1, 1000),
    own(2, 0),
    own(4, 0, 2),
    own(4, 1000, 2),
    own(1, 1007),
  ]
  const vars = (['float32', 'bool', 'bool', 'float32', 'uint32', 'bool'] as const).map((type, at) =>
    variable(at, at, type),
  )
  await gateway.run({
    revision: 1,
    buses: [...buses(), { kind: 'own' }],
    terminals: [terminal(7, 0, 1, { reads, vars })],
  })
  await until('all are reported', () =>
    [0, 1, 2, 3, 4, 5].every((slot) => gateway.values(7, slot).length > 0),
  )
  expect(gateway.values(7, 0)[0]).toEqual([230.5, GOOD])
  expect(gateway.values(7, 1)[0]).toEqual([0, GOOD])
  const [milliamperes] = gateway.values(7, 3)[0] ?? []
  expect(milliamperes).toBeGreaterThan(4)
  expect(milliamperes).toBeLessThan(20)
  // It has two relays.
  expect(gateway.values(7, 5)[0]).toEqual([null, BAD_ADDRESS])
  const answer = await gateway.ask('writeVariable', {
    kind: 'own',
    unit: 0,
    timeoutMs: 1_000,
    table: 'coil',
    address: 1000,
    type: 'bool',
    order: 'ABCD',
    value: 1,
  })
  expect(answer.result).toMatchObject({ outcome: 'confirmed', before: 0, after: 1 })
  await until('the relay is reported as on', () => gateway.values(7, 1).at(-1)?.[0] === 1)
  // Its slave dies, and the gateway still reports its own interfaces.
  tcp.slave(1).faults.silent = true
  await until('the slave is silent', () => gateway.state(7) === 'silent')
  expect(gateway.values(7, 0).at(-1)).toEqual([null, SLAVE_OFFLINE])
  expect(gateway.values(7, 1).at(-1)).toEqual([1, GOOD])
})
