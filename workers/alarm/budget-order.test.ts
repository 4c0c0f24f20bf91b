/** Transactions that write to several customers lock their budgets by customer, or two of them would deadlock. */
import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { takeFromBudget } from '#infra/send-budget'
import { openBench } from '#test/worker-bench'
import { guardTasks } from '../task/guard-tasks.ts'
import { writeDueNotices } from './due-notices.ts'
import { addNotice, type NewNotice } from './notice-deliveries.ts'

const bench = await openBench()
const { sql, parameters, log, env, now } = bench.ctx
const { a, b } = bench.tenants
const [first, second] = [a, b].toSorted((one, other) => one.customerId - other.customerId)
if (!first || !second) throw new Error('two tenants')

/** Of the later customer first, so that the order of ids is not the order of customers. */
for (const { customerId, admin, devices } of [second, first]) {
  const deviceId = devices[0]?.id ?? 0
  await sql`
    with contact as (
      insert into contacts (customer_id, name, phone, email) values (${customerId}, 'Li', '13800000000', 'li@example.test') returning id),
    rule as (
      insert into alarm_rules (customer_id, name, kind, severity, scope, time_zone, language, alert_text, recovery_text)
      values (${customerId}, ${randomUUID()}, 'load', 'major', 'customer', 'UTC', 'en-US', '{device}', '{device}') returning id, name),
    receiver as (
      insert into alarm_rule_contacts (rule_id, contact_id) select rule.id, contact.id from rule, contact)
    insert into alarms (customer_id, rule_id, rule_name, kind, severity, device_id, sn, device_name, group_name, started_at, last_at)
    select ${customerId}, id, name, 'load', 'major', ${deviceId}, 'X', 'X', 'X', ${now()}, ${now()} from rule`
  await sql`
    with task as (
      insert into tasks (kind, customer_id, name, command, start_at, wait_offline_minutes, max_failures, created_by, responsible_id)
      values ('command', ${customerId}, 'T', 'reboot', ${now()}, 0, 1, ${admin.id}, ${admin.id}) returning id)
    insert into task_items (id, task_id, device_id, customer_id, step, outcome, failure, offers, deadline_at)
    select gen_random_uuid(), task.id, ${deviceId}, ${customerId}, item.* from task, (values
      ('sent', 'failed', 'upgradeFailed', 1, ${now()}::timestamptz), ('created', null, null, 0, ${now()}::timestamptz)) item`
}
await sql`update users set email = username || '@example.test', alarm_state = 1`

it.each([
  [
    'notices of alarms',
    (tx: Parameters<typeof guardTasks>[0]) =>
      writeDueNotices(tx, { at: now(), alone: [], url: env.PUBLIC_URL, parameters, log }),
  ],
  ['mails about paused tasks', (tx: Parameters<typeof guardTasks>[0]) => guardTasks(tx, null, bench.ctx)],
])('%s', async (_name, write) => {
  const alarmBudget = ({ customerId }: { customerId: number }) => ({ customerId, purpose: 'alarm' as const })
  const { promise: taken, resolve: take } = Promise.withResolvers<void>()
  let writing: Promise<unknown> = Promise.resolve()
  await sql.begin(async (other) => {
    await takeFromBudget(other, parameters, alarmBudget(first))
    writing = sql.begin(async (tx) => {
      take()
      expect(await write(tx)).toBe(2)
    })
    await taken
    await expect
      .poll(
        async () =>
          (await sql`select 1 from pg_locks where not granted and locktype = 'transactionid'`).length,
      )
      .toBe(1)
    // It waits for the first customer's budget and does not hold the second's yet.
    await other`set local lock_timeout = '2s'`
    await takeFromBudget(other, parameters, alarmBudget(second))
  })
  await writing
})

it('notices of one customer, the first of which has no mails', async () => {
  const { customerId } = first
  const [channel] = await sql<{ id: number }[]>`
    insert into alarm_channels (customer_id, name, kind, url_sealed, url_shown)
    values (${customerId}, 'Hook', 'webhook', 'x', 'https://hook.example') returning id`
  const channels = [{ id: channel?.id ?? 0, kind: 'webhook', name: 'Hook' }]
  const mails = [{ email: 'li@example.test', subject: 'S', text: 'T' }]
  const notice = {
    customerId,
    ruleId: null,
    kind: 'alert',
    subject: 'S',
    payload: {} as NewNotice['payload'],
  } as const
  const telling = { at: now(), url: env.PUBLIC_URL, parameters, log }
  let writing: Promise<unknown> = Promise.resolve()
  await sql.begin(async (other) => {
    await takeFromBudget(other, parameters, { customerId, purpose: 'alarm' })
    writing = sql.begin(async (tx) => {
      await addNotice(tx, notice, { mails: [], phones: [], channels }, telling)
      await addNotice(tx, notice, { mails, phones: [], channels }, telling)
    })
    await expect
      .poll(
        async () =>
          (await sql`select 1 from pg_locks where not granted and locktype = 'transactionid'`).length,
      )
      .toBe(1)
    await other`set local lock_timeout = '500ms'`
    await takeFromBudget(other, parameters, { customerId, purpose: 'notice' })
  })
  await writing
})
