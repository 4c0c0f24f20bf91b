/**
 * The notices of a customer's alarms have a budget; beyond it they are held back, which is logged, and sent
 * together later.
 */
import { beforeEach, expect, it } from 'vitest'
import { openAlarmBench } from '#test/alarm-bench'
import { notifyAlarms } from './evaluate-alarms.ts'

const { bench, devices, device, set, begin, addRule, later, seen, notified, subjects } =
  await openAlarmBench()
const { sql } = bench.ctx
const { customerId } = device
const BUDGET = 20

beforeEach(async () => {
  await begin()
  await sql`truncate send_budgets, alarm_channels cascade`
  await sql`
    insert into parameter_values (key, customer_id, value)
    values ('alarmMailsPerHour', ${customerId}, ${BUDGET}), ('channelNoticesPerHour', ${customerId}, ${BUDGET}) on conflict do nothing`
  bench.ctx.parameters.forget()
})
const use = (purpose: string, used = BUDGET) => sql`
  insert into send_budgets (customer_id, purpose, used, counted_at) values (${customerId}, ${purpose}, ${used}, now())`
const anHourPasses = () => sql`update send_budgets set counted_at = counted_at - interval '1 hour'`
/** Deliveries through the channel of the rule. */
const deliveries = () => sql<{ recipient: string; late: boolean }[]>`
  select recipient, due_at > created_at as late from alarm_deliveries where channel_id is not null order by id`
async function addChannel(ruleId: number) {
  const [channel] = await sql<{ id: number }[]>`
    insert into alarm_channels (customer_id, name, kind, url_sealed, url_shown)
    values (${customerId}, 'Hook', 'webhook', 'x', 'https://hook.example') returning id`
  await sql`insert into alarm_rule_channels (rule_id, channel_id) values (${ruleId}, ${channel?.id ?? 0})`
}

it('a storm of alarms sends no more than the budget, and the rest as one summary when there is budget again', async () => {
  await addRule({ kind: 'load', threshold: 4 })
  // One after the other: together they would be one notice anyway.
  for (const one of devices) {
    await set({ load1: 9 }, [one])
    await later(10_000)
  }
  expect(await seen()).toHaveLength(devices.length)
  expect((await subjects()).length).toBe(BUDGET)
  const held = await sql`select 1 from alarms where held and notified = 'nothing'`
  expect(held).toHaveLength(devices.length - BUDGET)

  await anHourPasses()
  await later(10_000)
  expect((await notified()).filter((kind) => kind === 'summary')).toHaveLength(1)
  const last = (await subjects()).at(-1)
  expect(last).toMatch(/: 10 alarms held back$/)
  expect(await sql`select 1 from alarms where notified = 'nothing'`).toHaveLength(0)
})

it('a flood does not send several mails a second: the alarms of a quarter of a minute are one mail', async () => {
  const rule = await addRule({ kind: 'load', threshold: 4 })
  const add = (n: number) => sql`
    insert into alarms (customer_id, rule_id, rule_name, kind, severity, device_id, sn, device_name, group_name, subject, started_at, last_at)
    select d.customer_id, ${rule}::int, '', 'load', 'major', d.id, d.sn, d.name, '', ${n}::text, ${bench.ctx.now()}::timestamptz, ${bench.ctx.now()}::timestamptz
    from devices d where d.id = ${device.id}`
  const second = async (n: number) => {
    await add(n)
    await notifyAlarms(bench.ctx)
    bench.pass(1000)
  }
  for (let n = 0; n < 25; n++) await second(n)
  expect(await notified()).toHaveLength(11)
  expect((await subjects()).at(-1)).toMatch(/: 15 alarms$/)
  for (let n = 25; n < 40; n++) await second(n)
  expect(await notified()).toHaveLength(12)
  // After the flood each is notified at once again.
  bench.pass(60_000)
  await second(40)
  expect(await notified()).toHaveLength(13)
  expect(await sql`select 1 from alarms where notified = 'nothing'`).toHaveLength(0)
})

it('alarms are not starved by reports, confirmations or tests', async () => {
  for (const purpose of ['report', 'confirmation', 'channelTest']) await use(purpose, 10_000)
  await addChannel(await addRule({ kind: 'load', threshold: 4 }))
  await set({ load1: 9 })
  await later(10_000)
  expect(await notified()).toEqual(['alert'])
  expect(await subjects()).toHaveLength(1)
  expect(await deliveries()).toEqual([{ recipient: 'Hook', late: false }])
})

it('a rule waits for the budgets of its own channels, and for no other', async () => {
  await use('notice')
  await addRule({ kind: 'load', threshold: 4 })
  await set({ load1: 9 })
  await later(10_000)
  expect(await notified()).toEqual(['alert'])

  await addChannel(await addRule({ kind: 'memory', threshold: 90 }))
  await set({ memory_used_percent: 99 })
  await later(10_000)
  expect(await notified()).toEqual(['alert'])
  await anHourPasses()
  await later(10_000)
  expect(await notified()).toEqual(['alert', 'summary'])
  expect(await deliveries()).toEqual([{ recipient: 'Hook', late: false }])
})

it('a notice that begins within the budget and ends beyond it is sent, a little later', async () => {
  await use('alarm', BUDGET - 1)
  await addRule({ kind: 'load', threshold: 4 })
  await set({ load1: 9 }, devices.slice(0, 3))
  await later(10_000)
  const mails = await sql<{ waitMinutes: number }[]>`
    select round(extract(epoch from due_at - created_at) / 60)::int as "waitMinutes" from mails order by id`
  expect(mails.map(({ waitMinutes }) => waitMinutes)).toEqual([0, 3, 6])
})

it('what one rule holds back, however much, delays the notices of no other', async () => {
  await use('notice')
  const full = await addRule({ kind: 'temperature', threshold: 75 })
  await addChannel(full)
  await sql`
    insert into alarms (customer_id, rule_id, rule_name, kind, severity, device_id, sn, device_name, group_id, group_name, subject, started_at, last_at, held)
    select d.customer_id, ${full}::int, 'Full', 'temperature', 'major', d.id, d.sn, d.name, d.group_id, 'Branch', n::text, ${bench.ctx.now()}::timestamptz,
      ${bench.ctx.now()}::timestamptz, true
    from devices d, generate_series(1, 5000) n where d.id = ${device.id}`
  await addRule({ kind: 'load', threshold: 4 })
  await set({ load1: 9 })
  await later(10_000)
  expect(await notified()).toEqual(['alert'])

  await anHourPasses()
  await later(10_000)
  expect(await notified()).toEqual(['alert', 'summary'])
  expect(await sql`select 1 from alarms where held`).toHaveLength(0)
})

it('outages that one rule holds back, however many, delay the notices of no other', async () => {
  const quiet = await addRule({ kind: 'offline', threshold: 60 })
  await sql`update alarm_rules set quiet_from = '00:00', quiet_to = '23:59' where id = ${quiet}`
  await sql`
    insert into alarm_incidents (customer_id, rule_id, ground, key, name, started_at, notified, held)
    select ${customerId}, ${quiet}, 'rule', '', '', ${bench.ctx.now()}, 'alert', true from generate_series(1, 5000)`
  const other = await addRule({ kind: 'offline', threshold: 60 })
  // One that is over.
  await sql`
    insert into alarm_incidents (customer_id, rule_id, ground, key, name, started_at, notified)
    values (${customerId}, ${other}, 'rule', '', '', ${bench.ctx.now()}, 'alert')`
  await later(10_000)
  expect(await notified()).toEqual(['recovery'])
})

it('outages of many groups that are over at once are not as many notices: after ten, the rest is one summary', async () => {
  const rule = await addRule({ kind: 'offline', threshold: 60 })
  await sql`
    with outages as (
      insert into alarm_incidents (customer_id, rule_id, ground, key, name, started_at, notified)
      select ${customerId}::int, ${rule}::int, 'group', d.id::text, d.name, ${bench.ctx.now()}::timestamptz, 'alert' from devices d where d.sn like 'ALARM-%'
      returning id, key)
    insert into alarms (customer_id, rule_id, rule_name, kind, severity, device_id, sn, device_name, group_name, started_at, last_at, ended_at, end_reason, notified, incident_id)
    select d.customer_id, ${rule}::int, '', 'offline', 'major', d.id, d.sn, d.name, '', ${bench.ctx.now()}::timestamptz, ${bench.ctx.now()}::timestamptz,
      ${bench.ctx.now()}::timestamptz, 'recovered', 'all', o.id
    from outages o join devices d on d.id::text = o.key`
  for (let n = 0; n < 3; n++) await later(10_000)
  expect(await notified()).toEqual([...Array(10).fill('recovery'), 'summary'])
  expect((await subjects()).at(-1)).toMatch(/: 20 alarms held back$/)
  expect(await sql`select 1 from alarm_incidents where held or notified <> 'all'`).toHaveLength(0)
})
