import { beforeAll, beforeEach, expect, it } from 'vitest'
import { type Bench, openBench } from '#test/worker-bench'
import { sendReportsJob } from './send-reports.ts'
import { sumDay } from './sum-fleet.ts'

let bench: Bench
const HOUR = 3_600_000
type Mail = { recipient: string; subject: string; text: string; files: { name: string; text: string }[] }

beforeAll(async () => {
  bench = await openBench()
  await bench.ctx.sql`
    insert into recipients (customer_id, email, asked_at, expires_at, confirmed_at)
    select ${bench.tenants.a.customerId}, email, now(), now(), now() from unnest(${['one@example.test', 'two@example.test']}::text[]) email`
})
beforeEach(async () => {
  await bench.ctx.sql`truncate report_schedules, fleet_hours, fleet_days, send_budgets`
  await bench.ctx.sql`delete from mails`
})
const sql = () => bench.ctx.sql
const tenants = () => bench.tenants

async function schedule(
  of: { ownerId?: number; report?: string; filter?: object; dueHoursAgo?: number } = {},
) {
  const { a } = tenants()
  const [row] = await sql()<{ id: number }[]>`
    insert into report_schedules (customer_id, owner_id, name, report, filter, every, day_number, minute, zone, language, recipients, next_run_at)
    values (${a.customerId}, ${of.ownerId ?? a.admin.id}, '=Monday', ${of.report ?? 'online'},
      ${sql().json({ range: '24h', zone: 'Asia/Shanghai', previous: false, ...of.filter })}, 'day', 1, 480, 'Asia/Shanghai', 'en-US',
      ${['one@example.test', 'two@example.test']}, ${new Date(bench.ctx.now().getTime() - (of.dueHoursAgo ?? 1) * HOUR)}) returning id`
  return row?.id ?? 0
}
const mails = () => sql()<Mail[]>`select recipient, subject, text, files from mails order by recipient`
const read = async (id: number) => {
  const [row] = await sql()<
    { enabled: boolean; stopped: string | null; nextRunAt: Date; lastRunAt: Date | null }[]
  >`
    select enabled, stopped, next_run_at as "nextRunAt", last_run_at as "lastRunAt" from report_schedules where id = ${id}`
  return row
}
const run = () => sendReportsJob.run(bench.ctx, {})
/**
 * With the sum of its day, as the job writes both: in the last hour of a UTC day a range of 24 hours is that
 * whole day.
 */
const fleetHour = async (groupId: number, online: number) => {
  const [row] = await sql()<{ day: Date }[]>`
  insert into fleet_hours (hour, customer_id, group_id, model, devices, known_s, online_s, signal_sum, signal_devices, excellent, good, fair, poor)
  values (date_trunc('hour', now() - interval '1 hour'), ${tenants().a.customerId}, ${groupId}, '*', 1, 3600, ${online}, 0, 0, 0, 0, 0, 0)
  returning date_trunc('day', hour, 'UTC') as day`
  if (!row) throw new Error('no hour was written')
  await sql().begin((tx) => sumDay(tx, row.day))
}

it('a due report goes to every recipient as CSV, and is due again at its local time', async () => {
  await fleetHour(0, 1800)
  await fleetHour(tenants().a.groups.branch, 1800)
  const id = await schedule({ dueHoursAgo: 50 })
  await Promise.all([run(), run()])
  const sent = await mails()
  expect(sent.map(({ recipient }) => recipient)).toEqual(['one@example.test', 'two@example.test'])
  expect(sent[0]?.subject).toBe('=Monday · Online rate')
  expect(sent[0]?.files.map(({ name }) => name)).toEqual(['online.csv', 'online-groups.csv'])
  const [series = '', groups = ''] = (sent[0]?.files ?? []).map(({ text }) => text)
  expect(series).toMatch(
    /^\uFEFFOnline rate,\d{4}-\d\d-\d\d \d\d:00 – \d{4}-\d\d-\d\d \d\d:\d\d,Asia\/Shanghai\r\nTime \(Asia\/Shanghai\),Online rate \(%\),Devices\r\n/,
  )
  expect(series.split('\r\n')).toHaveLength(2 + 24 + 1)
  expect(series).toMatch(/\d{4}-\d\d-\d\d \d\d:00,50,1\r\n/)
  // Unknown hours are empty, not zero.
  expect(series).toMatch(/\d\d:00,,\r\n/)
  expect(groups.split('\r\n').slice(1)).toEqual([
    'Group,Customer,Online rate (%),Devices',
    'Branch,Acme,50,1',
    '',
  ])
  const after = await read(id)
  // Missed twice, sent once.
  expect(after?.nextRunAt.getTime()).toBeGreaterThan(bench.ctx.now().getTime())
  expect(after?.nextRunAt.toISOString()).toMatch(/T00:00:00.000Z$/)
  expect(after?.lastRunAt).toEqual(bench.ctx.now())
  await run()
  expect(await mails()).toHaveLength(2)
})

it('one that cannot be made does not keep back the others, and stays due', async () => {
  const broken = await schedule({ dueHoursAgo: 5, filter: { zone: '+0800' } })
  const id = await schedule()
  await run()
  expect(await mails()).toHaveLength(2)
  expect((await read(id))?.lastRunAt).toEqual(bench.ctx.now())
  expect(await read(broken)).toMatchObject({ enabled: true, stopped: null, lastRunAt: null })
  expect((await read(broken))?.nextRunAt.getTime()).toBeLessThan(bench.ctx.now().getTime())
})

it('contains what its owner may see at that time', async () => {
  const { a } = tenants()
  await fleetHour(0, 3600)
  await fleetHour(a.groups.root, 3600)
  await fleetHour(a.groups.branch, 900)
  await schedule({ ownerId: a.operator.id })
  await run()
  const [mail] = await mails()
  expect(mail?.files[0]?.text).toContain(',25,1\r\n')
  expect(mail?.files[1]?.text).not.toContain('Default')
})

it.each([
  ['ownerDisabled', 'update users set status = 0 where id = $1', 'update users set status = 1 where id = $1'],
  [
    'ownerMoved',
    'update users set customer_id = null where id = $1',
    'update users set customer_id = $2 where id = $1',
  ],
  [
    'ownerNotAllowed',
    'update users set role_id = null where id = $1',
    `update users set role_id = (select id from roles where name = 'operator') where id = $1`,
  ],
])('stops with a reason: %s', async (reason, harm, heal) => {
  const { a } = tenants()
  const id = await schedule({ ownerId: a.operator.id })
  await sql().unsafe(harm, [a.operator.id])
  await run()
  expect(await read(id)).toMatchObject({ enabled: false, stopped: reason })
  expect(await mails()).toEqual([])
  await sql().unsafe(heal, heal.includes('$2') ? [a.operator.id, a.customerId] : [a.operator.id])
})

it('stops when the group or the device it was for is no longer in view', async () => {
  const { a, b } = tenants()
  const ids = [
    await schedule({ filter: { groupId: b.groups.root } }),
    await schedule({ filter: { deviceId: b.devices[0]?.id } }),
    await schedule({ ownerId: a.operator.id, filter: { groupId: a.groups.root } }),
    await schedule({ filter: { groupId: 2_000_000 } }),
  ]
  await run()
  for (const id of ids) expect(await read(id)).toMatchObject({ enabled: false, stopped: 'targetGone' })
  expect(await mails()).toEqual([])
})

it('is sent on request, besides its schedule', async () => {
  const id = await schedule({ dueHoursAgo: -5, report: 'version' })
  const before = await read(id)
  await run()
  expect(await mails()).toEqual([])
  await sql()`update report_schedules set requested_at = now() where id = ${id}`
  await run()
  const [mail] = await mails()
  expect(mail?.files[0]?.text).toMatch(
    /^\uFEFFSoftware versions,.*\r\nModel,Software version,Devices\r\nR200,1.0.0,4\r\n$/,
  )
  expect((await read(id))?.nextRunAt).toEqual(before?.nextRunAt)
})

it('versions are those of the moment of sending, and dated so, whatever range was chosen', async () => {
  await schedule({ report: 'version', filter: { range: 'lastMonth' } })
  await run()
  const [mail] = await mails()
  const moment = new Date(bench.ctx.now().getTime() + 8 * HOUR).toISOString().slice(0, 16).replace('T', ' ')
  expect(mail?.files[0]?.text.split('\r\n')[0]).toBe(`\uFEFFSoftware versions,${moment},Asia/Shanghai`)
  expect(mail?.text).toContain(`Software versions, ${moment} (Asia/Shanghai)`)
})

it('the mail of versions names one moment, also while the clock runs', async () => {
  await schedule({ report: 'version' })
  const began = bench.ctx.now().getTime()
  let looks = 0
  await sendReportsJob.run({ ...bench.ctx, now: () => new Date(began + looks++) }, {})
  const [mail] = await mails()
  expect(mail?.text).toMatch(/Software versions, [\d-]+ [\d:]+ \(Asia\/Shanghai\)/)
})

it('beyond the budget of its customer it waits and shows until when; then it is sent once', async () => {
  const { a, b } = tenants()
  const id = await schedule({ report: 'version' })
  const use = (customerId: number, purpose: string) => sql()`
    insert into send_budgets (customer_id, purpose, used, counted_at) values (${customerId}, ${purpose}, 100, now())`
  await use(b.customerId, 'report')
  await use(a.customerId, 'alarm')
  await use(a.customerId, 'report')
  await run()
  expect(await mails()).toEqual([])
  const [held] = await sql()<
    { until: Date }[]
  >`select held_until as until from report_schedules where id = ${id}`
  expect(held?.until.getTime()).toBeGreaterThan(bench.ctx.now().getTime())
  expect((await read(id))?.lastRunAt).toBeNull()

  await sql()`update send_budgets set counted_at = counted_at - interval '1 hour'`
  bench.pass(HOUR)
  await run()
  expect(await mails()).toHaveLength(2)
  await run()
  expect(await mails()).toHaveLength(2)
})

it('requested again and again it does not become a flood', async () => {
  const id = await schedule({ dueHoursAgo: -5, report: 'version' })
  for (let i = 0; i < 60; i++) {
    await sql()`update report_schedules set requested_at = now(), held_until = null where id = ${id}`
    await run()
  }
  // The budget is 100; each run sends two.
  expect(await mails()).toHaveLength(100)
})

it('is sent to known and confirmed addresses only', async () => {
  const { a, b } = tenants()
  const id = await schedule({ report: 'version' })
  const others = {
    user: `${a.operator.username}@example.test`,
    contact: 'contact@example.test',
    waiting: 'waiting@example.test',
    unasked: 'unasked@example.test',
    agreedToAnother: 'another@example.test',
    userOfAnother: `${b.admin.username}@example.test`,
  }
  await sql()`
    insert into contacts (customer_id, name, phone, email) values (${a.customerId}, 'C', '13800000001', 'Contact@Example.test')`
  await sql()`
    insert into recipients (customer_id, email, hash, asked_at, expires_at, confirmed_at) values
      (${a.customerId}, ${others.waiting}, 'x', now(), now() + interval '1 day', null),
      (${b.customerId}, ${others.agreedToAnother}, null, now(), now(), now())`
  await sql()`update report_schedules set recipients = ${['one@example.test', ...Object.values(others)]} where id = ${id}`
  await run()
  expect((await mails()).map(({ recipient }) => recipient).toSorted()).toEqual(
    ['one@example.test', others.user, others.contact].toSorted(),
  )

  await sql()`delete from mails`
  await sql()`update report_schedules set recipients = ${[others.waiting]}, requested_at = now() where id = ${id}`
  await run()
  expect(await mails()).toEqual([])
  const [row] = await sql()`select requested_at from report_schedules where id = ${id}`
  expect(row?.['requested_at']).toBeNull()
})

it('reports continue after the clock was set back', async () => {
  const id = await schedule({ dueHoursAgo: -400 * 24 })
  await sql()`update report_schedules set held_until = next_run_at where id = ${id}`
  await run()
  expect(await mails()).toEqual([])
  const soon = (await read(id))?.nextRunAt.getTime() ?? 0
  expect(soon - bench.ctx.now().getTime()).toBeLessThan(24 * HOUR)
  await sql()`update report_schedules set next_run_at = ${bench.ctx.now()} where id = ${id}`
  await run()
  expect(await mails()).toHaveLength(2)
})

it('what was held back by a clock that was ahead is sent once it was set back, though it was due before', async () => {
  const id = await schedule()
  await sql()`update report_schedules set held_until = ${new Date(bench.ctx.now().getTime() + 400 * 24 * HOUR)} where id = ${id}`
  await run()
  expect(await mails()).toHaveLength(2)
})
