import { createServer, type Server } from 'node:http'
import { type AddressInfo, createServer as createPlain, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Aedes } from 'aedes'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { openKafkaLine } from '#infra/monitor/outbound-kafka'
import { seal } from '#infra/secrets'
import type { NorthKind } from '#schema/monitor/north-kinds'
import { noKafka, startCluster } from '#test/programs/kafka'
import { until } from '#test/walks/until'
import { type Bench, openBench } from '#test/worker-bench'
import { forwardReportsJob } from './forward-reports.ts'
import { closeNorthLines } from './north-send.ts'

let bench: Bench
let terminal = 0
let project = 0
let web: Server
let webUrl = ''
let answer = 200
/** Instead of `answer`, by the body. */
let judge: ((body: string) => number) | null = null
let largest = 0
let refusals = 0
let got: { values?: Record<string, unknown>; type: string; state?: string; rule?: string }[] = []
/** Of bodies that are no JSON. */
let lines: string[] = []
const aedes = await Aedes.createBroker()
const mqtt = createPlain(aedes.handle)
let mqttUrl = ''
const heard: { topic: string; body: { values: Record<string, unknown> } }[] = []

beforeAll(async () => {
  bench = await openBench()
  bench.ctx.env.WEBHOOK_ALLOW_PRIVATE = true
  const { sql } = bench.ctx
  const device = bench.tenants.a.devices[0]
  if (!device) throw new Error('no device')
  const [place] = await sql`select customer_id, group_id from devices where id = ${device.id}`
  const [root] = await sql`
    select coalesce(g.parent_id, g.id) as id from groups g where g.id = ${place?.['group_id']}`
  const [made] = await sql`
    insert into projects (customer_id, group_id, name, type) values (${place?.['customer_id']}, ${root?.['id']}, 'Plant', 'energy')
    returning id`
  project = made?.['id']
  const [template] = await sql`
    insert into collection_templates (customer_id, name, type) values (${place?.['customer_id']}, 'Meter', 'powerMeter') returning id`
  await sql`insert into variables (template_id, slot, name, unit, data_type) values (${template?.['id']}, 0, 'Voltage', 'V', 'float32'),
    (${template?.['id']}, 1, 'Flow', 'l', 'float32')`
  const [added] = await sql`
    insert into terminals (device_id, name, template_id, template_since, protocol, slave_id, slave_address)
    values (${device.id}, 'Meter 1', ${template?.['id']}, now() - interval '1 day', 'modbusTcp', 1, '192.0.2.1') returning id`
  terminal = added?.['id']
  web = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const body = Buffer.concat(parts).toString()
      largest = Math.max(largest, Buffer.byteLength(body))
      const status = judge?.(body) ?? answer
      if (status !== 200) refusals++
      else if (request.headers['content-type'] === 'application/json') got.push(...JSON.parse(body))
      else lines.push(...body.split('\n'))
      response.writeHead(status).end()
    })
  })
  await new Promise<void>((done) => web.listen(0, '127.0.0.1', done))
  webUrl = `http://127.0.0.1:${(web.address() as AddressInfo).port}/in`
  await new Promise<void>((done) => mqtt.listen(0, '127.0.0.1', done))
  mqttUrl = `mqtt://127.0.0.1:${(mqtt.address() as AddressInfo).port}`
  aedes.on('publish', ({ topic, payload }, client) => {
    if (client) heard.push({ topic, body: JSON.parse(String(payload)) })
  })
})
afterAll(async () => {
  closeNorthLines()
  web.close()
  mqtt.close()
  await new Promise<void>((done) => aedes.close(() => done()))
})
beforeEach(async () => {
  await bench.ctx.sql`truncate north_targets, variable_reports, alarms cascade`
  got = []
  lines = []
  heard.length = 0
  answer = 200
  judge = null
  largest = 0
  refusals = 0
})

const aim = async (kind: NorthKind, address: string, name: string = kind) => {
  const [made] = await bench.ctx.sql`
    insert into north_targets (customer_id, project_id, name, kind, address_sealed, address_shown, topic, caught_up_at, due_at)
    select customer_id, id, ${name}, ${kind}, ${seal(address, bench.ctx.env.JWT_SECRET)}, 'shown', 'plant/{sn}/{terminal}/{type}',
      ${bench.ctx.now()}, ${bench.ctx.now()} from projects where id = ${project} returning id`
  return made?.['id'] as number
}
/** Reports of consecutive seconds, each in a transaction of its own. */
const store = async (from: number, to: number) => {
  for (let i = from; i <= to; i++)
    await bench.ctx.sql`insert into variable_reports (terminal_id, at, plan, slots, vals, quality)
      values (${terminal}, ${new Date(Math.floor(bench.ctx.now().getTime() / 1000) * 1000 + i * 1000)}, 1, '{0,1}', ${`{${i},null}`}::float8[], '{0,1}')`
}
/** Transactions of other tests on the same PostgreSQL may still be open: what is behind them waits. */
const run = async (isDone: () => boolean = () => true) => {
  for (let i = 0; i < 100; i++) {
    bench.pass(2_000)
    await forwardReportsJob.run(bench.ctx, {})
    if (isDone()) return
    await sleep(50)
  }
}
/** Begins a run. While such a transaction is open nothing is due, and a run ends at once: then the next one begins. */
const beginRun = async (hasBegun: () => boolean) => {
  for (let i = 0; i < 500; i++) {
    await forwardReportsJob.run(bench.ctx, {})
    if (hasBegun()) return
    await sleep(25)
  }
}
/** During a run: while such a transaction is open, targets rest, and are due again only when time passes. */
const untilDuringRun = (what: string, isDone: () => boolean) =>
  until(
    what,
    () => {
      bench.pass(100)
      return isDone()
    },
    10_000,
  )
const target = async (id: number) => (await bench.ctx.sql`select * from north_targets where id = ${id}`)[0]
/** A target that nothing is due for yet, because of such a transaction, does not wait either: what was open before this call has to end first. */
const untilInStep = async (id: number) => {
  const { sql } = bench.ctx
  const [now] = await sql`select pg_snapshot_xmax(pg_current_snapshot())::text::bigint::float8 as next`
  await until('everything is forwarded', async () => {
    const [open] = await sql`select pg_snapshot_xmin(pg_current_snapshot())::text::bigint::float8 as oldest`
    await run()
    return open?.['oldest'] >= now?.['next'] && (await target(id))?.['waiting'] === false
  })
}
const sent = () => got.flatMap(({ values }) => (values ? [values['Voltage']] : []))
const numbers = (to: number) => Array.from({ length: to }, (_, i) => i + 1)

it('a web service gets each report once, in the order of storing, with names and qualities', async () => {
  const id = await aim('http', webUrl)
  await store(1, 3)
  await run(() => sent().length === 3)
  await untilInStep(id)
  expect(sent()).toEqual([1, 2, 3])
  expect(got[0]).toMatchObject({
    type: 'values',
    project: 'Plant',
    terminal: 'Meter 1',
    values: { Voltage: 1, Flow: null },
    quality: { Flow: 'timeout' },
  })
  expect(await target(id)).toMatchObject({ sent_count: 3, waiting: false, fault: null })
})

it('a variable may be called like something in every object, in templates too', async () => {
  const { sql } = bench.ctx
  await sql`insert into variables (template_id, slot, name, unit, data_type)
    select template_id, 7, '__proto__', 'V', 'float32' from terminals where id = ${terminal}`
  await aim('http', webUrl)
  const templated = await aim('http', webUrl, 'template')
  await sql`update north_targets set template = '{"values": {{values}}, "type": "own"}' where id = ${templated}`
  await sql`insert into variable_reports (terminal_id, at, plan, slots, vals)
    values (${terminal}, date_trunc('second', ${bench.ctx.now()}::timestamptz), 1, '{0,7}', '{1,2}')`
  await run(() => got.length === 2)
  for (const { values = {} } of got)
    expect(Object.entries(values)).toEqual([
      ['Voltage', 1],
      ['__proto__', 2],
    ])
  expect(got.map(({ type }) => type).toSorted()).toEqual(['own', 'values'])
})

it('a template that makes a list of each report reaches a web service as one list', async () => {
  const id = await aim('http', webUrl)
  await bench.ctx
    .sql`update north_targets set template = '[{{#values}}{"n": {{variable}}, "v": {{value}}}{{/values}}]' where id = ${id}`
  await store(1, 2)
  await run(() => got.length === 4)
  expect(got).toEqual([
    { n: 'Voltage', v: 1 },
    { n: 'Flow', v: null },
    { n: 'Voltage', v: 2 },
    { n: 'Flow', v: null },
  ])
})

it('a template with a tag makes lines, of alarms too; a report without a known value is passed over', async () => {
  const { sql } = bench.ctx
  const id = await aim('http', webUrl)
  const template = '{{#values}}m,t={{terminal|tag}} {{variable|tag}}={{value}} {{atNs}}{{/values}}'
  await sql`update north_targets set template = ${template} where id = ${id}`
  bench.pass(1_000)
  await sql`
    insert into alarms (customer_id, rule_name, kind, severity, device_id, sn, device_name, group_name, subject, started_at, last_at)
    select customer_id, 'Too hot', 'temperature', 'major', id, sn, name, '', 'Meter 1', ${bench.ctx.now()}, ${bench.ctx.now()}
    from devices where id = ${bench.tenants.a.devices[0]?.id ?? 0}`
  await store(1, 1)
  await sql`insert into variable_reports (terminal_id, at, plan, slots, vals, quality) values (${terminal}, ${bench.ctx.now()}, 1, '{1}', '{null}', '{1}')`
  await store(2, 2)
  await run(() => lines.length === 3)
  // Alarms and reports are read by themselves: what other tests have open may hold up either.
  expect(lines.map((line) => line.replace(/\d{19}$/, 'T')).sort()).toEqual([
    expect.stringMatching(
      /^alarm,project=Plant,.*subject=Meter\\ 1,rule=Too\\ hot,severity=major id=\d+,active=true,times=\d+ T$/,
    ),
    'm,t=Meter\\ 1 Voltage=1 T',
    'm,t=Meter\\ 1 Voltage=2 T',
  ])
  await untilInStep(id)
  expect(await target(id)).toMatchObject({ waiting: false, fault: null, sent_count: 3 })
})

it('a broker gets the same by QoS 1, on the topic of the target', async () => {
  await aim('mqtt', mqttUrl)
  await store(1, 3)
  await run(() => heard.length === 3)
  expect(heard.map(({ topic }) => topic)).toEqual(
    Array(3).fill(`plant/${bench.tenants.a.devices[0]?.sn}/Meter 1/values`),
  )
  expect(heard.map(({ body }) => body.values['Voltage'])).toEqual([1, 2, 3])
})

it('more than a batch, and many transactions, arrive completely', async () => {
  await aim('http', webUrl)
  await bench.ctx.sql`insert into variable_reports (terminal_id, at, plan, slots, vals)
    select ${terminal}, date_trunc('second', ${bench.ctx.now()}::timestamptz) + make_interval(secs => n), 1, '{0}', array[n]::float8[]
    from generate_series(1, 450) n`
  await run(() => sent().length >= 450)
  expect(sent()).toEqual(numbers(450))
})

it('more than is read at once arrives in the order of storing, of one transaction and of many', async () => {
  await aim('http', webUrl)
  const { sql } = bench.ctx
  const many = (from: number, to: number) => sql`
    insert into variable_reports (terminal_id, at, plan, slots, vals)
    select ${terminal}, date_trunc('second', ${bench.ctx.now()}::timestamptz) - interval '2 hours' + make_interval(secs => n), 1, '{0}', array[n]::float8[]
    from generate_series(${from}::int, ${to}::int) n`
  await many(1, 4_321)
  for (let from = 4_322; from <= 4_982; from += 10) await many(from, from + 9)
  await run(() => sent().length >= 4_991)
  expect(sent()).toEqual(Array.from({ length: 4_991 }, (_, n) => n + 1))
})

it('while a target refuses, everything waits for it and nothing else does; then it arrives in order', async () => {
  const dead = await aim('http', 'http://127.0.0.1:9/', 'dead')
  const moody = await aim('http', webUrl)
  answer = 503
  await store(1, 2)
  await run(() => refusals > 0)
  expect(await target(moody)).toMatchObject({
    waiting: true,
    fault: 'refused',
    fault_status: 503,
    failures: 1,
  })
  expect(await target(dead)).toMatchObject({ waiting: true, fault: 'unreachable' })
  await store(3, 4)
  answer = 200
  bench.pass(60_000)
  await run(() => sent().length === 4)
  expect(sent()).toEqual([1, 2, 3, 4])
  expect(await target(moody)).toMatchObject({ waiting: false, fault: null, failures: 0 })
})

it('a report that a target refuses for its content is passed over visibly, and holds up no other', async () => {
  const id = await aim('http', webUrl)
  judge = (body) => (body.includes('"Voltage":3,') ? 400 : 200)
  await store(1, 5)
  await run(() => sent().length >= 4)
  await untilInStep(id)
  expect(sent()).toEqual([1, 2, 4, 5])
  const passed = {
    fault: null,
    failures: 0,
    passed_count: 1,
    passed_status: 400,
    passed_at: expect.any(Date),
  }
  expect(await target(id)).toMatchObject({ ...passed, sent_count: 4, waiting: false })
  await store(6, 6)
  await run(() => sent().length === 5)
  await untilInStep(id)
  expect(await target(id)).toMatchObject({ ...passed, sent_count: 5 })
  // A failure of another kind, and its end, do not hide it.
  judge = () => 503
  await store(7, 7)
  await run(() => refusals > 1)
  expect(await target(id)).toMatchObject({ ...passed, fault: 'refused', fault_status: 503, failures: 1 })
  judge = () => 200
  bench.pass(301_000)
  await run(() => sent().length === 6)
  await untilInStep(id)
  expect(await target(id)).toMatchObject({ ...passed, fault_status: null, sent_count: 6 })
})

it('a report at which a broker closes the connection holds up no other for ever, and a broken connection loses none', async () => {
  const id = await aim('mqtt', mqttUrl)
  const { authorizePublish } = aedes
  aedes.authorizePublish = (_, { payload }, done) =>
    done(String(payload).includes('"Voltage":3,') ? new Error('not this one') : null)
  const voltages = () => new Set(heard.map(({ body }) => body.values['Voltage']))
  try {
    await store(1, 5)
    await run(() => heard.length > 0)
    expect(await target(id)).toMatchObject({ fault: 'unreachable', failures: 1, passed_count: 0 })
    await until('it is passed over', async () => {
      bench.pass(301_000)
      await forwardReportsJob.run(bench.ctx, {})
      return (await target(id))?.['passed_count'] === 1
    })
    await untilInStep(id)
    expect(voltages()).toEqual(new Set([1, 2, 4, 5]))
    expect(await target(id)).toMatchObject({ fault: null, failures: 0, passed_count: 1, sent_count: 4 })
  } finally {
    aedes.authorizePublish = authorizePublish
  }
})

it('a whole backlog that a target refuses holds up nothing else: other messages show that it works', async () => {
  const id = await aim('http', webUrl)
  judge = (body) => (/"Voltage":(?!901)/.test(body) ? 400 : 200)
  // More than a batch, refused completely.
  await bench.ctx.sql`insert into variable_reports (terminal_id, at, plan, slots, vals)
    select ${terminal}, date_trunc('second', ${bench.ctx.now()}::timestamptz) + make_interval(secs => n), 1, '{0}', array[n::float8]
    from generate_series(1, 250) n`
  await run(() => refusals > 0)
  expect(await target(id)).toMatchObject({
    fault: 'refused',
    fault_status: 400,
    passed_count: 0,
    waiting: true,
  })
  await store(901, 901)
  bench.pass(60_000)
  await untilInStep(id)
  expect(new Set(sent())).toEqual(new Set([901]))
  await expect
    .poll(() => target(id))
    .toMatchObject({
      fault: null,
      passed_count: 250,
      passed_status: 400,
      sent_count: 1,
    })
})

it('a target that takes long to refuse a batch stays with the process that asks it with other messages', async () => {
  const id = await aim('http', webUrl)
  const leases: Promise<Date | undefined>[] = []
  const lease = async () => (await target(id))?.['leased_until'] as Date | undefined
  judge = (body) => {
    const isOther = body.includes('"Voltage":901')
    if (leases.length === 0 || isOther) {
      leases.push(lease())
      bench.pass(1_000)
    }
    return isOther ? 200 : 400
  }
  await bench.ctx.sql`insert into variable_reports (terminal_id, at, plan, slots, vals)
    select ${terminal}, date_trunc('second', ${bench.ctx.now()}::timestamptz) + make_interval(secs => n), 1, '{0}', array[n::float8]
    from generate_series(1, 250) n`
  await store(901, 901)
  await untilInStep(id)
  const [first, other] = await Promise.all(leases)
  expect(other?.getTime()).toBeGreaterThan(first?.getTime() ?? Number.POSITIVE_INFINITY)
})

it('alarms that are all refused do not hold up values', async () => {
  const id = await aim('http', webUrl)
  bench.pass(1_000)
  judge = (body) => (body.includes('"alarm"') ? 422 : 200)
  await addAlarm(0)
  await store(1, 3)
  await untilInStep(id)
  expect(sent().slice(-3)).toEqual([1, 2, 3])
  expect(await target(id)).toMatchObject({ passed_count: 1, passed_status: 422, sent_count: 3 })
})

it('a service that was away and fails at its first requests loses nothing', async () => {
  const id = await aim('http', webUrl)
  await bench.ctx.sql`update north_targets set failures = 9, fault = 'unreachable' where id = ${id}`
  judge = () => (refusals < 5 ? 500 : 200)
  await store(1, 5)
  await run(() => refusals > 0)
  bench.pass(301_000)
  refusals = 5
  await run(() => sent().length >= 5)
  expect(sent()).toEqual([1, 2, 3, 4, 5])
})

it('a target that takes few requests a minute gets on, although each batch must be divided for it', async () => {
  await aim('http', webUrl)
  let asked = 0
  judge = (body) => (++asked > 4 ? 429 : JSON.parse(body).length > 2 ? 413 : 200)
  await store(1, 8)
  for (const done of [4, 8]) {
    asked = 0
    await run(() => sent().length >= done)
    bench.pass(60_000)
  }
  expect(sent()).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
})

it('an alarm that a target refuses for its content holds up neither other alarms nor values', async () => {
  const id = await aim('http', webUrl)
  bench.pass(1_000)
  const first = await addAlarm(0)
  judge = (body) => (body.includes(`"id":${first},`) ? 422 : 200)
  await addAlarm(0)
  await store(1, 1)
  // What other tests have open may hold up either by itself.
  await run(() => sent().length === 1 && states().length === 1)
  expect(states()).toEqual(['active'])
  expect(await target(id)).toMatchObject({ fault: null, failures: 0, passed_count: 1, passed_status: 422 })
})

it('a batch is less than the 1 MiB that web servers and Kafka take', async () => {
  const { sql } = bench.ctx
  const id = await aim('http', webUrl)
  const template = `{"v": {{values}}, "pad": "${'x'.repeat(3_900)}"}`
  await sql`update north_targets set template = ${template} where id = ${id}`
  await sql`insert into variables (template_id, slot, name, unit, data_type)
    select template_id, 9, 'Text', '-', 'text' from terminals where id = ${terminal} on conflict do nothing`
  await sql`insert into variable_reports (terminal_id, at, plan, slots, vals, texts)
    select ${terminal}, date_trunc('second', ${bench.ctx.now()}::timestamptz) + make_interval(secs => n), 1, '{9}', '{null}', array[repeat('y', 3000)]
    from generate_series(1, 400) n`
  await run(() => got.length >= 400)
  expect(got).toHaveLength(400)
  expect(largest).toBeLessThan(1024 * 1024)
})

/** Targets that take connections and never reply, a dozen of each kind; more than are served side by side. */
async function aimSilent() {
  const held = new Set<Socket>()
  const silent = createPlain((socket) => held.add(socket.on('error', () => undefined)))
  await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done))
  const { port } = silent.address() as AddressInfo
  for (let n = 0; n < 12; n++) {
    await aim('http', `http://127.0.0.1:${port}/`, `silent ${n}`)
    await aim('mqtt', `mqtt://127.0.0.1:${port}`, `silent broker ${n}`)
  }
  return {
    held,
    close: async () => {
      await bench.ctx.sql`update north_targets set enabled = false`
      for (const socket of held) socket.destroy()
      silent.close()
    },
  }
}

it('many targets that take connections and never answer hold up none that does', async () => {
  const silent = await aimSilent()
  await bench.ctx.sql`update north_targets set failures = 1`
  await aim('http', webUrl)
  await store(1, 2)
  // Due after all others.
  bench.pass(2_000)
  const running = beginRun(() => silent.held.size > 0)
  try {
    await untilDuringRun('the one that answers has its reports', () => sent().length === 2)
    await until('a silent one has a connection', () => silent.held.size > 0)
  } finally {
    await silent.close()
    await running
  }
})

it('those of one customer hold up no other customer, even when nobody knows yet that they do not answer', async () => {
  const { sql } = bench.ctx
  const silent = await aimSilent()
  const other = bench.tenants.b.devices[0]
  if (!other) throw new Error('no device')
  const id = await aim('http', webUrl, 'of the other')
  const [moved] = await sql`
    insert into projects (customer_id, group_id, name, type) select customer_id, group_id, 'Other plant', 'energy' from devices where id = ${other.id} returning id`
  await sql`update north_targets set project_id = ${moved?.['id']}, customer_id = ${other.customerId} where id = ${id}`
  const [there] = await sql`
    insert into terminals (device_id, name, template_id, template_since, protocol, slave_id, slave_address)
    select ${other.id}, name, template_id, template_since, protocol, slave_id, slave_address from terminals where id = ${terminal} returning id`
  await store(1, 2)
  await sql`insert into variable_reports (terminal_id, at, plan, slots, vals)
    values (${there?.['id']}, date_trunc('second', ${bench.ctx.now()}::timestamptz), 1, '{0}', '{7}')`
  bench.pass(2_000)
  const running = beginRun(() => silent.held.size > 0)
  try {
    await untilDuringRun('the other customer has its report', () => sent().length === 1)
    expect(sent()).toEqual([7])
    await until('a silent one has a connection', () => silent.held.size > 0)
  } finally {
    await silent.close()
    await running
  }
})

describe('a run that has lasted a minute', () => {
  /** Requests that are answered when the test says so. */
  const held: { from: string; answer: () => void }[] = []
  const everHeld = new Set<string>()
  const slow = createServer(({ url = '' }, response) => {
    everHeld.add(url.slice(1))
    held.push({ from: url.slice(1), answer: () => response.end() })
  })
  beforeAll(() => new Promise<void>((done) => slow.listen(0, '127.0.0.1', done)))
  afterAll(() => slow.close())
  let running: Promise<unknown> = Promise.resolve()
  // Also after a failure: a run that goes on would disturb the next tests.
  afterEach(async () => {
    vi.restoreAllMocks()
    answer()
    await running.catch(() => undefined)
  })
  const answer = (from?: string) => {
    for (const one of held.splice(0)) {
      if (from === undefined || one.from === from) one.answer()
      else held.push(one)
    }
  }
  const aimSlow = (name: string) =>
    aim('http', `http://127.0.0.1:${(slow.address() as AddressInfo).port}/${name}`, name)
  const isHeld = (name: string) => () => held.some(({ from }) => from === name)

  it('serves others while a target from before is silent, but takes no new ones when only newer turns are left, nor any that failed', async () => {
    const failed = await aim('http', webUrl, 'failed')
    await bench.ctx.sql`update north_targets set failures = 1, due_at = 'infinity' where id = ${failed}`
    const before = await aimSlow('before')
    await store(1, 1)
    bench.pass(2_000)
    running = beginRun(() => everHeld.has('before'))
    await untilDuringRun('its turn has begun', isHeld('before'))
    const { now } = performance
    vi.spyOn(performance, 'now').mockImplementation(() => now.call(performance) + 60_000)
    // A line that was looking for a target when the minute ended has found none.
    await sleep(1_000)
    // Both begin after the minute.
    await bench.ctx.sql`update north_targets set due_at = ${bench.ctx.now()} where id = ${failed}`
    await aimSlow('during')
    const prompt = await aim('http', webUrl, 'prompt')
    await store(2, 2)
    bench.pass(2_000)
    await untilDuringRun('the prompt one has its report', () => sent().length === 1)
    await untilDuringRun('a newer turn is silent, too', isHeld('during'))
    expect(await target(before)).toMatchObject({ sent_count: 0 })
    answer('before')
    await until('the first turn is over', async () => (await target(before))?.['lease'] === null)
    expect(await target(before)).toMatchObject({ sent_count: 1 })
    // Until its line has noticed, others may begin work.
    await sleep(500)
    const late = await aim('http', webUrl, 'late')
    await store(3, 3)
    bench.pass(2_000)
    // Long enough for lines that looked for a target.
    await sleep(1_500)
    answer('during')
    await running
    expect(await target(late)).toMatchObject({ sent_count: 0 })
    expect(await target(prompt)).toMatchObject({ sent_count: 1 })
    expect(await target(failed)).toMatchObject({ sent_count: 0, failures: 1 })
  })
})

it('a report of a transaction that is still open is neither missed nor overtaken', async () => {
  await aim('http', webUrl)
  const opened = Promise.withResolvers<void>()
  const commit = Promise.withResolvers<void>()
  const slow = bench.ctx.sql.begin(async (tx) => {
    await tx`insert into variable_reports (terminal_id, at, plan, slots, vals)
      values (${terminal}, ${new Date(bench.ctx.now().getTime() - 1_000)}, 1, '{0}', '{1}')`
    opened.resolve()
    await commit.promise
  })
  await opened.promise
  await store(2, 2)
  await run()
  expect(sent()).toEqual([])
  commit.resolve()
  await slow
  await run(() => sent().length === 2)
  expect(sent()).toEqual([1, 2])
})

it('what was stored before a backlog is discarded is not sent, although a transaction was open meanwhile', async () => {
  const id = await aim('http', webUrl)
  answer = 503
  const opened = Promise.withResolvers<void>()
  const commit = Promise.withResolvers<void>()
  const slow = bench.ctx.sql.begin(async (tx) => {
    await tx`select pg_current_xact_id()`
    opened.resolve()
    await commit.promise
  })
  await opened.promise
  await store(1, 3)
  await addAlarm(0)
  // As the call does that discards it.
  await bench.ctx.sql`
    update north_targets set stored_by = pg_current_xact_id()::text::bigint, alarms_by = pg_current_xact_id()::text::bigint where id = ${id}`
  answer = 200
  await run()
  await store(4, 4)
  commit.resolve()
  await slow
  await run(() => sent().length > 0)
  expect(sent()).toEqual([4])
  expect(states()).toEqual([])
})

it('a process that died before it could save the position sends the batch again, and only that', async () => {
  const id = await aim('http', webUrl)
  await store(1, 2)
  await run(() => sent().length === 2)
  const before = await target(id)
  await store(3, 4)
  await run(() => sent().length === 4)
  // As if it had died after the acknowledgement of 3 and 4.
  await bench.ctx
    .sql`update north_targets set stored_by = ${before?.['stored_by']}, terminal_id = ${before?.['terminal_id']},
    report_at = ${before?.['report_at']} where id = ${id}`
  await run(() => sent().length === 6)
  expect(sent()).toEqual([1, 2, 3, 4, 3, 4])
})

it('an alarm is forwarded when it opens and when it ends, once each', async () => {
  await aim('http', webUrl)
  const device = bench.tenants.a.devices[0]
  bench.pass(1_000)
  const [alarm] = await bench.ctx.sql`
    insert into alarms (customer_id, rule_name, kind, severity, device_id, sn, device_name, group_name, subject, started_at, last_at)
    select customer_id, 'Too hot', 'temperature', 'major', id, sn, name, '', 'Meter 1', ${bench.ctx.now()}, ${bench.ctx.now()}
    from devices where id = ${device?.id ?? 0} returning id`
  await run(() => states().length === 1)
  await run()
  await bench.ctx
    .sql`update alarms set ended_at = ${bench.ctx.now()}, end_reason = 'recovered' where id = ${alarm?.['id']}`
  await run(() => states().length === 2)
  await run()
  expect(got.map(({ type, state }) => [type, state])).toEqual([
    ['alarm', 'active'],
    ['alarm', 'ended'],
  ])
})

it('an alarm about a variable names its terminal and variable instead of their ids', async () => {
  const { sql } = bench.ctx
  await aim('mqtt', mqttUrl)
  await sql`update north_targets set topic = 'plant/{terminalId}/{terminal}/{type}'`
  bench.pass(1_000)
  await sql`
    insert into alarms (customer_id, rule_name, kind, severity, device_id, sn, device_name, group_name, subject, terminal_id, terminal_name,
      variable_name, started_at, last_at)
    select customer_id, 'Too hot', 'variable', 'major', id, sn, name, '', '17/276', ${terminal}, 'Meter 1', 'Temperature', ${bench.ctx.now()},
      ${bench.ctx.now()}
    from devices where id = ${bench.tenants.a.devices[0]?.id ?? 0}`
  await run(() => heard.length === 1)
  expect(heard).toEqual([
    {
      topic: `plant/${terminal}/Meter 1/alarm`,
      body: expect.objectContaining({ type: 'alarm', subject: 'Meter 1 / Temperature' }),
    },
  ])
})

/** @param ago in seconds before now; `ended`: so, too */
const addAlarm = async (ago: number, ended?: number) => {
  const { sql } = bench.ctx
  const back = (seconds: number) => new Date(bench.ctx.now().getTime() - seconds * 1000)
  const [alarm] = await sql`
    insert into alarms (customer_id, rule_name, kind, severity, device_id, sn, device_name, group_name, subject, started_at, last_at, ended_at)
    select customer_id, 'Too hot', 'temperature', 'major', id, sn, name, '', 'Meter 1', ${back(ago)}, ${back(ago)}, ${ended === undefined ? null : back(ended)}
    from devices where id = ${bench.tenants.a.devices[0]?.id ?? 0} returning id`
  return alarm?.['id'] as number
}
const states = () => got.flatMap(({ type, state }) => (type === 'alarm' ? [state] : []))

it('alarms that buffered values show hours later, or end hours earlier, are forwarded all the same', async () => {
  const { sql } = bench.ctx
  await aim('http', webUrl)
  const open = await addAlarm(0)
  await run(() => states().length === 1)
  bench.pass(4 * 3_600_000)
  await run()
  // Its gateway was offline, and sends what it has kept.
  await addAlarm(3 * 3_600, 2 * 3_600)
  await run(() => states().length === 2)
  await sql`update alarms set ended_at = ${bench.ctx.now()}::timestamptz - interval '3 hours', end_reason = 'recovered' where id = ${open}`
  await run(() => states().length === 3)
  await run()
  expect(states()).toEqual(['active', 'ended', 'ended'])
})

it('an alarm of a transaction that is still open is neither missed nor overtaken', async () => {
  await aim('http', webUrl)
  const opened = Promise.withResolvers<void>()
  const commit = Promise.withResolvers<void>()
  const slow = bench.ctx.sql.begin(async (tx) => {
    await tx`
      insert into alarms (customer_id, rule_name, kind, severity, device_id, sn, device_name, group_name, subject, started_at, last_at)
      select customer_id, 'First', 'temperature', 'major', id, sn, name, '', '', now(), now() from devices where id = ${bench.tenants.a.devices[0]?.id ?? 0}`
    opened.resolve()
    await commit.promise
  })
  await opened.promise
  await addAlarm(0)
  await run()
  expect(states()).toEqual([])
  commit.resolve()
  await slow
  await run(() => states().length === 2)
  expect(got.map(({ rule }) => rule)).toEqual(['First', 'Too hot'])
})

it('a target that only takes alarms catches up after it has refused them, and then is not behind', async () => {
  const id = await aim('http', webUrl)
  await bench.ctx.sql`update north_targets set values = false where id = ${id}`
  answer = 503
  await addAlarm(0)
  await run(() => refusals > 0)
  expect(await target(id)).toMatchObject({ waiting: true, fault: 'refused', failures: 1 })
  answer = 200
  bench.pass(60_000)
  await run(() => states().length === 1)
  expect(await target(id)).toMatchObject({ waiting: false, fault: null, failures: 0, sent_count: 1 })
})

it('a failure of values is not forgotten because there are no alarms', async () => {
  const id = await aim('http', webUrl)
  await store(1, 1)
  answer = 503
  for (const failures of [1, 2]) {
    await run(() => refusals === failures)
    expect(await target(id)).toMatchObject({ failures, waiting: true })
    bench.pass(20_000)
  }
})

it('alarms from the time of a former owner are not forwarded to the new one', async () => {
  await aim('http', webUrl)
  const device = bench.tenants.a.devices[0]
  bench.pass(1_000)
  // As a move leaves them: ended by it, under the customer who had them.
  await bench.ctx.sql`
    insert into alarms (customer_id, rule_name, kind, severity, device_id, sn, device_name, group_name, subject, started_at, last_at, ended_at, end_reason)
    select ${bench.tenants.b.customerId}, 'Secret plant', 'temperature', 'major', id, sn, name, '', '', ${bench.ctx.now()}, ${bench.ctx.now()},
      ${bench.ctx.now()}, 'recovered' from devices where id = ${device?.id ?? 0}`
  await run()
  await run()
  expect(got).toEqual([])
})

it.skipIf(noKafka)(
  'Kafka gets each report once, those of a terminal in order; what it did not take comes when it is back',
  async () => {
    const topic = `plant_${bench.tenants.a.devices[0]?.sn}_Meter_1_values`
    const nowhere = await aim('kafka', 'kafka://127.0.0.1:1', 'away')
    const cluster = await startCluster(topic)
    try {
      const id = await aim('kafka', cluster.address)
      await store(1, 250)
      await run(() => cluster.printed.length >= 250)
      const values = cluster.printed.map(
        (line) => JSON.parse(line.slice(line.indexOf(' '))) as { values: { Voltage: number } },
      )
      expect(values.map((one) => one.values.Voltage)).toEqual(numbers(250))
      expect(new Set(cluster.printed.map((line) => line.split(' ')[0]))).toEqual(new Set([String(terminal)]))
      expect(await target(id)).toMatchObject({ sent_count: 250, failures: 0, fault: null })
      // The one that cannot be reached waits by itself.
      expect(await target(nowhere)).toMatchObject({ sent_count: 0, fault: 'unreachable' })
      await bench.ctx.sql`
      update north_targets set address_sealed = ${seal(cluster.address, bench.ctx.env.JWT_SECRET)}, due_at = ${bench.ctx.now()} where id = ${nowhere}`
      await run(() => cluster.printed.length >= 500)
      expect(await target(nowhere)).toMatchObject({ sent_count: 250, failures: 0 })
    } finally {
      closeNorthLines()
      await cluster.close()
    }
  },
  60_000,
)

it('a cluster in our own network is not connected to', async () => {
  await expect(
    openKafkaLine({
      address: 'kafka://10.0.0.1:9092',
      clientId: 'x',
      username: undefined,
      password: undefined,
      allowPrivate: false,
    }),
  ).rejects.toThrow('10.0.0.1')
})
