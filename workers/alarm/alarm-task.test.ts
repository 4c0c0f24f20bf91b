/**
 * An upgrade that paused itself is an alarm: who sees it, who is notified, and when it ends. [decisions/058]
 */
import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { buildServer } from '#api/server'
import { TEST_PASSWORD, type TestDevice, type TestUser } from '#test/tenants'
import { type Bench, openBench } from '#test/worker-bench'
import { evaluateAlarmsJob } from './evaluate-alarms.ts'

let bench: Bench
let app: FastifyInstance

beforeAll(async () => {
  bench = await openBench()
  app = await buildServer(bench.ctx)
  await app.ready()
})
beforeEach(async () => {
  await bench.ctx
    .sql`truncate alarm_rules, alarms, alarm_notices, alarm_deliveries, maintenances, mails, tasks cascade`
})
afterAll(() => app?.close())

async function post(name: string, payload: object, token = '') {
  const headers = { ...(token ? { token } : {}), 'accept-language': 'en-US' }
  const answer = await app.inject({ method: 'POST', url: `/api/${name}`, headers, payload })
  return answer.json() as { code: number; data: Record<string, unknown> }
}
const tokens = new Map<string, string>()
async function as({ username }: TestUser) {
  const token =
    tokens.get(username) ??
    String((await post('userLogin', { username, password: TEST_PASSWORD })).data['token'])
  tokens.set(username, token)
  return (name: string, body: object) => post(name, body, token)
}

type Alarm = {
  id: number
  taskId: number | null
  deviceName: string
  ruleName: string
  severity: string
  detail: string
}
async function inboxOf(user: TestUser): Promise<Alarm[]> {
  const { data } = await (await as(user))('alarm/getAlarmList', {})
  return data['list'] as Alarm[]
}

type Of = { scope?: 'customer' | 'groups'; quiet?: boolean; toUsers?: boolean; customerId?: number }
async function addRule({ scope = 'customer', quiet = false, toUsers = false, customerId }: Of = {}) {
  const { sql } = bench.ctx
  const { a } = bench.tenants
  const hour = bench.ctx.now().getUTCHours()
  const clock = (of: number) => `${String((of + 24) % 24).padStart(2, '0')}:00`
  const [rule] = await sql<{ id: number }[]>`
    insert into alarm_rules (customer_id, name, kind, severity, scope, to_users, quiet_from, quiet_to, time_zone, language, alert_text, recovery_text)
    values (${customerId ?? a.customerId}, ${randomUUID()}, 'taskPaused', 'critical', ${scope}, ${toUsers}, ${quiet ? clock(hour - 1) : null},
      ${quiet ? clock(hour + 2) : null}, 'UTC', 'en-US', '{task}: {condition}, {value}', '{task} goes on') returning id`
  const id = rule?.id ?? 0
  if (scope === 'groups')
    await sql`insert into alarm_rule_groups (rule_id, group_id) values (${id}, ${a.groups.branch})`
  return id
}
/** A task of these devices that paused itself with the second failure of twelve tried. */
async function stopped(
  devices: readonly TestDevice[],
  customerId: number | null = devices[0]?.customerId ?? null,
) {
  const { taskId } = await bench.task(devices)
  await bench.ctx.sql`
    update tasks set name = 'Night roll-out', customer_id = ${customerId}, paused_at = ${bench.ctx.now()}, pause_reason = 'failures',
      paused_failed = 2, paused_tried = 12 where id = ${taskId}`
  return taskId
}
async function later(ms = 10_000) {
  bench.pass(ms)
  await evaluateAlarmsJob.run(bench.ctx, {})
}
const rows = () => bench.ctx.sql<
  { open: boolean; reason: string | null; notified: string; rule: number | null }[]
>`
  select ended_at is null as open, end_reason as reason, notified, rule_id as rule from alarms order by id`
const notices = () => bench.ctx.sql<
  { kind: string; subject: string; payload: { alarms: { task: unknown }[] } }[]
>`
  select kind, subject, payload from alarm_notices order by created_at, id`

it('is shown at the bell and in the list, also without a rule; then no one is notified', async () => {
  const { a, b } = bench.tenants
  const taskId = await stopped(a.devices)
  await later()
  expect(await inboxOf(a.admin)).toMatchObject([
    { taskId, deviceId: null, deviceName: 'Night roll-out', ruleName: '', severity: 'major', detail: '2/12' },
  ])
  const count = await (await as(a.admin))('alarm/getAlarmCount', {})
  expect(count.data).toMatchObject({ open: 1, worst: 'major' })
  expect(await inboxOf(b.admin)).toEqual([])
  expect(await notices()).toHaveLength(0)
  await later()
  expect(await rows()).toHaveLength(1)
})

it('is found by the groups of its devices and those above, not by others', async () => {
  const { a } = bench.tenants
  const inBranch = a.devices.filter(({ groupId }) => groupId === a.groups.branch)
  await stopped(inBranch)
  await later()
  const call = await as(a.admin)
  const under = async (groupId: number) =>
    ((await call('alarm/getAlarmList', { groupId })).data['list'] as Alarm[]).length
  expect([await under(a.groups.branch), await under(a.groups.root), await under(a.groups.other)]).toEqual([
    1, 1, 0,
  ])
})

it('is notified by the customer’s rule with a link to the task, once, and again when the task continues', async () => {
  const { a } = bench.tenants
  await addRule({ toUsers: true })
  const taskId = await stopped(a.devices.slice(0, 1))
  await later()
  await later()
  const url = `${bench.ctx.env.PUBLIC_URL}/task/upgrade/${taskId}`
  expect(await notices()).toMatchObject([
    { kind: 'alert', payload: { alarms: [{ task: { id: taskId, url }, deviceName: 'Night roll-out' }] } },
  ])
  const mails = await bench.ctx.sql<{ recipient: string; text: string }[]>`select recipient, text from mails`
  // Users whose groups contain none of its devices are not notified.
  expect(mails.map(({ recipient }) => recipient)).toEqual([`${a.admin.username}@example.test`])
  expect(mails[0]?.text).toBe(`Night roll-out: Task paused automatically, 2 of 12 failed\n\n${url}\n`)
  expect(await (await as(a.admin))('task/resumeTask', { taskId })).toMatchObject({ code: 0 })
  await later()
  expect(await rows()).toMatchObject([{ open: false, reason: 'recovered', notified: 'all' }])
  expect((await notices()).map(({ kind }) => kind)).toEqual(['alert', 'recovery'])
})

it('ends when the task is withdrawn, and is a new alarm when it pauses again', async () => {
  const { a } = bench.tenants
  await addRule({ toUsers: true })
  const taskId = await stopped(a.devices)
  await later()
  const call = await as(a.admin)
  await call('task/resumeTask', { taskId })
  await bench.ctx.sql`
    update tasks set paused_at = ${new Date(bench.ctx.now().getTime() + 5_000)}, pause_reason = 'failures', paused_failed = 3, paused_tried = 5
    where id = ${taskId}`
  await later()
  // Between two evaluations the task was resumed and paused again: still two alarms.
  expect(await rows()).toMatchObject([{ open: false, reason: 'recovered' }, { open: true }])
  // In this order: who reads last that it goes on would take it for running.
  const mails = await bench.ctx.sql<
    { text: string }[]
  >`select text from mails where recipient = ${`${a.admin.username}@example.test`} order by id`
  expect(mails.map(({ text }) => text.split('\n')[0])).toEqual([
    'Night roll-out: Task paused automatically, 2 of 12 failed',
    'Night roll-out goes on',
    'Night roll-out: Task paused automatically, 3 of 5 failed',
  ])
  await bench.ctx
    .sql`update tasks set status = 'completed', paused_at = null, pause_reason = null where id = ${taskId}`
  await later()
  expect(await rows()).toMatchObject([{ open: false }, { open: false, reason: 'recovered' }])
  expect(await call('task/deleteTask', { taskId })).toMatchObject({ code: 0 })
  await later()
  const history = await call('alarm/getAlarmHistory', {})
  expect(history.data['list']).toMatchObject([
    { taskId: null, deviceName: 'Night roll-out' },
    { taskId: null, deviceName: 'Night roll-out' },
  ])
})

it('that a person paused raises no alarm', async () => {
  const taskId = await stopped(bench.tenants.a.devices)
  await bench.ctx.sql`update tasks set pause_reason = 'person' where id = ${taskId}`
  await later()
  expect(await rows()).toEqual([])
})

it('is also raised when its user is gone, who would not be told, and says so', async () => {
  const { a } = bench.tenants
  await addRule({ toUsers: true })
  const taskId = await stopped(a.devices.slice(0, 1))
  await bench.ctx.sql`
    update tasks set pause_reason = 'sender', paused_failed = null, paused_tried = null where id = ${taskId}`
  await later()
  expect(await inboxOf(a.admin)).toMatchObject([{ taskId, detail: 'sender', severity: 'critical' }])
  const [mail] = await bench.ctx.sql<{ text: string }[]>`select text from mails`
  expect(mail?.text).toContain('the responsible user is deleted, disabled, or no longer has the permission')
})

it('says of a wave that reached nobody that it did, instead of 0 of 0', async () => {
  const { a } = bench.tenants
  await addRule({ toUsers: true })
  const taskId = await stopped(a.devices.slice(0, 1))
  await bench.ctx.sql`
    update tasks set pause_reason = 'wave', paused_failed = 0, paused_tried = 0 where id = ${taskId}`
  await later()
  const [mail] = await bench.ctx.sql<{ text: string }[]>`select text from mails`
  expect(mail?.text).toContain('no device of a wave was reached')
})

it('a rule for groups covers tasks with a device there; users of groups see no others', async () => {
  const { a } = bench.tenants
  const ruleId = await addRule({ scope: 'groups' })
  await stopped(a.devices.slice(0, 1))
  await later()
  expect(await rows()).toMatchObject([{ rule: null }])
  expect(await inboxOf(a.operator)).toEqual([])
  const inBranch = await stopped(a.devices.slice(1, 2))
  await later()
  expect(await rows()).toMatchObject([{ rule: null }, { rule: ruleId }])
  expect(await inboxOf(a.operator)).toMatchObject([{ taskId: inBranch }])
})

it('of several customers is visible to the platform only, whatever rules the customers have', async () => {
  const { tenants } = bench
  const { a, b } = tenants
  await addRule()
  await addRule({ customerId: b.customerId })
  await stopped([...a.devices.slice(0, 1), ...b.devices.slice(0, 1)], null)
  await later()
  expect(await rows()).toMatchObject([{ rule: null, notified: 'all' }])
  for (const user of [a.admin, b.admin, a.operator]) expect(await inboxOf(user)).toEqual([])
  const [alarm] = await inboxOf(tenants.systemAdmin)
  expect(alarm).toMatchObject({ deviceName: 'Night roll-out', customerName: null })
  const answer = await (await as(a.admin))('alarm/acknowledgeAlarms', { alarmIds: [alarm?.id] })
  expect(answer.code).not.toBe(0)
})

it('a rule created afterwards takes over the alarm and notifies; if it is switched off, the alarm stays without it', async () => {
  await stopped(bench.tenants.a.devices)
  await later()
  const ruleId = await addRule()
  await later()
  expect(await rows()).toMatchObject([{ open: true, rule: ruleId, notified: 'alert' }])
  await bench.ctx.sql`update alarm_rules set enabled = false`
  await later()
  expect(await rows()).toMatchObject([
    { open: false, reason: 'ruleOff', notified: 'all' },
    { open: true, rule: null },
  ])
  expect(await notices()).toHaveLength(1)
})

it('waits for the end of quiet hours like any other, but not for that of a maintenance window', async () => {
  const { sql, now } = bench.ctx
  await addRule({ quiet: true })
  await sql`insert into maintenances (customer_id, name, scope, starts_at, ends_at, time_zone)
    values (${bench.tenants.a.customerId}, 'M', 'customer', ${now()}, ${new Date(now().getTime() + 8 * 3_600_000)}, 'UTC')`
  await stopped(bench.tenants.a.devices)
  await later()
  expect(await rows()).toMatchObject([{ open: true, notified: 'nothing' }])
  expect(await notices()).toEqual([])
  await later(4 * 3_600_000)
  expect(await notices()).toMatchObject([{ kind: 'summary' }])
})
