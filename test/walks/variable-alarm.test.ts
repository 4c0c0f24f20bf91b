/**
 * A register of a true Modbus slave changes: record, mail and signed webhook; it changes back: recovery. A gateway that is
 * offline and a slave that is switched off raise no false alarm.
 */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Registers } from '#device-sim/gateway/registers'
import { slave } from '#device-sim/gateway/slave'
import { type SlaveServer, startSlaves } from '#device-sim/gateway/slave-server'
import { type Sim, startDeviceSim } from '#device-sim/start'
import { openStore } from '#device-sim/store'
import { deliverNotices } from '#schema/alarm/alarm-channel'
import { evaluateAlarms } from '#schema/alarm/alarm-rule'
import { type Booted, bootAll } from '#test/boot'
import { testContext } from '#test/harness'
import { longestStandstill, stopwatch } from '#test/patience'
import { addDevices, seedTenants, TEST_PASSWORD, type TestDevice } from '#test/tenants'
import { until } from './until.ts'

type Heard = {
  type: string
  data: { alarms: { terminal: string; variable: string; value: number; condition: object }[] }
}
type Row = { open: boolean; kind: string; detail: string | null; why: string | null }

let booted: Booted
let token: string
let hook: Server
let slaves: SlaveServer
const SN = 'WALK-G-00000'
/** Switched on only when it has been away for an hour. */
let second: TestDevice | undefined
let templateId = 0
const temperatureVariable = {
  name: 'Temperature',
  unit: '°C',
  registerType: 'holding',
  address: 0,
  dataType: 'int16',
  byteOrder: 'template',
  factor: 0.1,
  precision: 1,
  reportType: 'both',
  cycleS: 1,
}
let other: Sim | undefined
const HOUR_S = 3_600
const DROPPED = 10
const heard: Heard[] = []
let temperature = 21

async function call<T>(name: string, body: object): Promise<T> {
  const answer = await booted.call(name, body, token)
  expect(answer.code, `${name}: ${answer.message}`).toBe(0)
  return answer.data as T
}
const rows = async () => [
  ...(await booted.context.sql<Row[]>`
    select ended_at is null as open, kind, detail, unknown_why as why from alarms order by id`),
]
/** Runs the jobs instead of waiting for their schedules of ten and five seconds. */
const soon = <T>(what: string, ask: () => T | undefined | Promise<T | undefined>) =>
  until(
    what,
    async () => {
      await booted.context.queue.add(evaluateAlarms, {})
      await booted.context.queue.add(deliverNotices, {})
      return ask()
    },
    60_000,
    500,
  )

beforeAll(async () => {
  hook = createServer((request, response) => {
    let body = ''
    request.on('data', (part) => {
      body += part
    })
    request.on('end', () => {
      heard.push(JSON.parse(body) as Heard)
      response.end('thanks')
    })
  })
  await new Promise<void>((done) => hook.listen(0, '127.0.0.1', done))
  const registers = new Registers()
  registers.put('holding', 0, { words: () => [temperature * 10] })
  slaves = await startSlaves({ framing: 'tcp', slaves: [slave(1, registers), slave(2, registers)] })
  const context = await testContext({ WEBHOOK_ALLOW_PRIVATE: 'true' })
  const { a } = await seedTenants(context)
  await context.sql`update users set mon_state = 1`
  const made = await addDevices(context.sql, a.customerId, a.groups.branch, 'WALK-G-', 2)
  second = made[1]
  booted = await bootAll({
    context,
    sim: {
      fleet: [{ sn: SN, model: 'G100' }],
      secrets: Object.fromEntries(made.map(({ sn, secret }) => [sn, secret])),
    },
  })
  await booted.sim?.whenOnline(60_000)
  await context.sql`update brokers set started_at = started_at - interval '2 minutes'`
  token = await booted.login(a.admin.username, TEST_PASSWORD)
  const template = await call<{ id: number }>('collectionTemplate/addTemplate', {
    name: 'Thermometer',
    type: 'climate',
    byteOrder: 'ABCD',
  })
  templateId = template.id
  const { id: variableId } = await call<{ id: number }>('variable/addVariable', {
    ...temperatureVariable,
    templateId,
  })
  await call('terminal/addTerminal', {
    name: 'Boiler',
    templateId,
    deviceId: made[0]?.id,
    protocol: 'modbusTcp',
    slaveId: 1,
    slaveAddress: '127.0.0.1',
    port: slaves.port,
  })
  const { id: contactId } = await call<{ id: number }>('contact/createContact', {
    name: 'Li',
    phone: '13800138000',
    email: 'li@example.test',
  })
  const { id: channelId } = await call<{ id: number }>('alarm/createAlarmChannel', {
    name: 'Hook',
    kind: 'webhook',
    secretUrl: `http://127.0.0.1:${(hook.address() as AddressInfo).port}/hook`,
  })
  const notice = {
    variableId,
    terminalScope: 'all',
    contactIds: [contactId],
    channelIds: [channelId],
    timeZone: 'UTC',
  }
  await call('variableNotice/createVariableNotice', {
    ...notice,
    name: 'Too hot',
    operator: 'gt',
    low: 80,
    recoverAt: 75,
  })
  await call('variableNotice/createVariableNotice', {
    ...notice,
    name: 'No data',
    operator: 'noData',
    minutes: 1,
  })
}, 180_000)
afterAll(async () => {
  await other?.close()
  await booted?.close()
  await slaves?.close()
  hook?.close()
})

const latest = async () => {
  const [row] = await booted.context.sql<{ value: number }[]>`select value from variable_latest`
  return row?.value
}

it('a register changes → record, mail and webhook → it changes back → recovery', async () => {
  await until('the first value has come', async () => (await latest()) === 21, 60_000)
  temperature = 90
  const alert = await soon('the webhook was heard', () => heard.find(({ type }) => type === 'alarm.alert'))
  expect(alert.data.alarms).toMatchObject([
    { terminal: 'Boiler', variable: 'Temperature', value: 90, condition: { operator: 'gt', low: 80 } },
  ])
  expect(await rows()).toMatchObject([{ open: true, detail: '90.0 °C' }])
  const mails = await booted.context.sql<
    { text: string }[]
  >`select text from mails where recipient = 'li@example.test'`
  expect(mails[0]?.text).toContain('Boiler: Temperature is 90.0 °C (Temperature > 80 °C)')
  temperature = 60
  await soon('the recovery was heard', () => heard.find(({ type }) => type === 'alarm.recovery'))
  expect(await rows()).toMatchObject([{ open: false }])
  const recovery = await soon('the recovery was mailed', async () => {
    const [mail] = await booted.context.sql<{ text: string }[]>`
      select text from mails where recipient = 'li@example.test' order by id offset 1`
    return mail
  })
  expect(recovery.text).toContain('[Recovered] Device WALK-G-00000 / Boiler: Temperature > 80 °C')
}, 120_000)

it('a template that is edited while it is polled: each sample is scaled by the plan that it was read by, and none is lost', async () => {
  const { sql } = booted.context
  temperature = 40
  await until('it is read', async () => (await latest()) === 40, 60_000)
  const from = new Date()
  const standstill = longestStandstill()
  for (const [factor, shown] of [
    [0.05, 20],
    [0.1, 40],
  ] as const) {
    const { list } = await call<{ list: { id: number; edition: unknown }[] }>(
      'variable/getTemplateVariables',
      {
        templateId,
        offset: 1,
        limit: 10,
      },
    )
    const { id, edition } = list[0] ?? { id: 0, edition: null }
    await call('variable/modifyVariable', { ...temperatureVariable, id, edition, factor })
    await until('the gateway runs the new plan', async () => (await latest()) === shown, 60_000)
  }
  const samples = await sql<{ plan: number; value: number; waitS: number }[]>`
    select plan, vals[1] as value, extract(epoch from at - lag(at) over (order by at))::float8 as "waitS"
    from variable_reports where at > ${from} order by at`
  expect(new Set(samples.map(({ value }) => value))).toEqual(new Set([40, 20]))
  const scales = Map.groupBy(samples, ({ plan }) => plan)
  for (const [, of] of scales) expect(new Set(of.map(({ value }) => value)).size).toBe(1)
  // By the first plan perhaps nothing more was read.
  expect(scales.size).toBeGreaterThanOrEqual(2)
  // It is read each second, also while the plan changes.
  const stoodS = standstill() / 1000
  for (const { waitS } of samples) expect(waitS ?? 0).toBeLessThan(5 + stoodS)
}, 180_000)

it('a change of truth wakes the workers: the record is there long before the next round', async () => {
  const { sql } = booted.context
  // It asks every five seconds which notices there are.
  await until('the broker judges by the notice', async () => {
    const [row] =
      await sql`select 1 from variable_truths t join alarm_rules r on r.id = t.rule_id where r.name = 'Too hot'`
    return row
  })
  const took: number[] = []
  for (const value of [90, 60, 91, 61]) {
    const taken = stopwatch()
    temperature = value
    const open = value > 80
    await until('the alarm follows', async () => (await rows()).some((row) => row.open) === open, 60_000, 50)
    took.push(taken())
  }
  // A cycle of one second, then at once: by the round alone it would be five seconds more on average.
  expect(took.reduce((sum, ms) => sum + ms) / took.length).toBeLessThan(4_000)
  expect(await sql`select times from alarms`).toHaveLength(1)
}, 120_000)

it('the gateway is offline for longer than the notice of missing values allows: no false alarm, unknown until it is back', async () => {
  const { sql } = booted.context
  temperature = 95
  await soon('it is alarmed again', async () => (await rows()).some(({ open }) => open) || undefined)
  const device = booted.sim?.device(SN)
  device?.goOffline(1)
  device?.down()
  await until(
    'it is offline',
    async () => {
      const [row] =
        await sql`select online from device_states s join devices d on d.id = s.device_id where d.sn = ${SN}`
      return row?.['online'] === false
    },
    60_000,
  )
  await sql`update terminal_latest set at = array[at[1] - 600000], good_at = null`
  await soon(
    'it is unknown',
    async () => (await rows()).some(({ why }) => why === 'gatewayOffline') || undefined,
  )
  expect((await rows()).filter(({ open }) => open)).toHaveLength(1)
  device?.boot()
  await soon('it is known again', async () => (await rows()).every(({ why }) => why === null) || undefined)
  temperature = 60
  await soon('it has recovered', async () => (await rows()).every(({ open }) => !open) || undefined)
  expect(await sql`select 1 from alarms where rule_name = 'No data'`).toHaveLength(0)
}, 180_000)

/** What a gateway has in its flash that read a register every second of the last hour, and whose buffer was full. */
async function hourInFlash(dir: string, sn: string, terminal: number, plan: number) {
  const store = openStore(dir)
  const from = Date.now() - HOUR_S * 1_000
  // Together: each write waits for the disk, which one commit does for all of them.
  const saved: Promise<void>[] = []
  for (let n = 0; n < HOUR_S; n++) {
    // A minute of it was far too hot, half an hour ago.
    const raw = n >= 1_800 && n < 1_860 ? 950 : 400 + (n % 100)
    const body = JSON.stringify({ plan, i: [0], v: [raw] })
    saved.push(store.saveBacklog(sn, { terminal, at: from + n * 1_000, boot: 'before', up: n * 1_000, body }))
  }
  await Promise.all(saved)
  const rows = store.oldestBacklog(sn, 0, DROPPED)
  for (const [n, row] of rows.entries()) await store.dropBacklog(sn, row, from + n * 1_000)
  await store.close()
  return from
}

it('an hour offline: buffered values arrive after the live ones, once each, and raise no alarms; a full buffer reports its losses', async () => {
  const { sql, env, log } = booted.context
  if (!second) throw new Error('no second gateway')
  temperature = 60
  const terminal = {
    templateId,
    deviceId: second.id,
    protocol: 'modbusTcp',
    slaveAddress: '127.0.0.1',
    port: slaves.port,
  }
  const { id: kettle } = await call<{ id: number }>('terminal/addTerminal', {
    ...terminal,
    name: 'Kettle',
    slaveId: 1,
  })
  const { id: pump } = await call<{ id: number }>('terminal/addTerminal', {
    ...terminal,
    name: 'Pump',
    slaveId: 2,
  })
  await sql`update terminals set template_since = now() - interval '1 day' where id in (${kettle}, ${pump})`
  const plan = await until(
    'it has a plan',
    async () => {
      const [row] = await sql<
        { revision: number }[]
      >`select revision from poll_plans where device_id = ${second?.id ?? 0}`
      return row?.revision
    },
    30_000,
  )
  const dataDir = join(env.DATA_DIR, 'sim-2')
  const from = await hourInFlash(dataDir, second.sn, kettle, plan)
  const backAt = Date.now()
  other = await startDeviceSim({
    count: 0,
    seed: 2,
    mqttUrl: booted.mqttUrl,
    dataDir,
    faults: {},
    speed: 20,
    log,
    fleet: [{ sn: second.sn, model: 'G100' }],
    secrets: { [second.sn]: second.secret },
  })
  const gateway = other.device(second.sn)
  await other.whenOnline(60_000)
  await until('nothing is kept any more', () => gateway.collector.forwarder.kept === 0, 60_000)
  await until(
    'live values have come',
    async () =>
      (await sql`select 1 from variable_latest where terminal_id = ${kettle} and value = 60`).length > 0,
    30_000,
  )
  const [stored] = await sql`
    select count(*) filter (where at < ${new Date(backAt)})::int as late, sum(vals[1]) filter (where at < ${new Date(backAt)})::float8 as total
    from variable_reports where terminal_id = ${kettle}`
  const read = Array.from({ length: HOUR_S }, (_, n) =>
    n >= 1_800 && n < 1_860 ? 950 : 400 + (n % 100),
  ).slice(DROPPED)
  expect(stored?.['late']).toBe(HOUR_S - DROPPED)
  expect(stored?.['total']).toBeCloseTo(read.reduce((sum, raw) => sum + raw, 0) / 10, 3)
  // The newest is a live one, and the hottest minute is in the past only.
  const [newest] = await sql<{ at: Date }[]>`select at from variable_latest where terminal_id = ${kettle}`
  expect(newest?.at.getTime()).toBeGreaterThan(backAt)
  const [gap] = await sql<{ reports: number; from: Date }[]>`
    select reports, from_at as "from" from variable_gaps where terminal_id = ${kettle}`
  expect(gap).toMatchObject({ reports: DROPPED })
  expect(gap?.from.getTime()).toBe(from)
  const listed = await call<{ list: { name: string; dropped: number }[] }>('terminal/getTerminalList', {
    search: 'Kettle',
  })
  expect(listed.list).toMatchObject([{ dropped: DROPPED }])
  await booted.context.queue.add(evaluateAlarms, {})
  await until(
    'the round is over',
    async () => (await sql`select 1 from variable_truths where not seen`).length === 0,
    20_000,
  )
  expect(await sql`select 1 from alarms where terminal_id = ${kettle}`).toHaveLength(0)
}, 150_000)

it('a slave that dies next to a live one: the live one continues, and the alarms of the dead one show why they are unknown', async () => {
  const { sql } = booted.context
  const of = async (name: string) => [
    ...(await sql<(Row & { name: string })[]>`
      select ended_at is null as open, kind, detail, unknown_why as why from alarms where terminal_name = ${name} and kind = 'variable'`),
  ]
  temperature = 92
  await soon(
    'both are alarmed',
    async () => ((await of('Pump'))[0]?.open && (await of('Kettle'))[0]?.open) || undefined,
  )
  slaves.slave(2).faults.silent = true
  await soon(
    'the dead one is unknown',
    async () => (await of('Pump'))[0]?.why === 'terminalSilent' || undefined,
  )
  temperature = 60
  await soon('the live one recovers', async () => (await of('Kettle'))[0]?.open === false || undefined)
  expect(await of('Pump')).toMatchObject([{ open: true, why: 'terminalSilent' }])
  slaves.slave(2).faults.silent = false
  await soon(
    'it is known again, and recovers',
    async () => (await of('Pump'))[0]?.open === false || undefined,
  )
  expect(await of('Pump')).toMatchObject([{ why: null }])
}, 120_000)
