/**
 * For tests of alarms: thirty devices of a customer, rules for them, and a clock that advances with one evaluation.
 */
import { randomUUID } from 'node:crypto'
import { evaluateAlarmsJob } from '#workers/alarm/evaluate-alarms'
import { addDevices, type TestDevice } from './tenants.ts'
import { openBench } from './worker-bench.ts'

export const MINUTE = 60_000

export type Rule = {
  kind: string
  threshold?: number
  recoverAt?: number
  forMinutes?: number
  windowMinutes?: number
  scope?: 'customer' | 'groups' | 'devices'
  mode?: 'once' | 'repeat'
  intervalMinutes?: number
  quiet?: [string, string]
}
type Seen = {
  sn: string
  open: boolean
  times: number
  reason: string | null
  value: number | null
  detail: string | null
  notified: string
}

export async function openAlarmBench() {
  const bench = await openBench()
  const { sql } = bench.ctx
  const { customerId, groups } = bench.tenants.a
  const devices = await addDevices(sql, customerId, groups.branch, 'ALARM-', 30)
  const [device] = devices
  if (!device) throw new Error('no device')
  const [contact] = await sql<{ id: number }[]>`
    insert into contacts (customer_id, name, phone, email) values (${customerId}, 'Li', '13800000000', 'li@example.test') returning id`
  const only = (ids: readonly TestDevice[]) => ids.map(({ id }) => id)
  const set = (fields: Record<string, unknown>, of = [device]) =>
    sql`update device_states set ${sql(fields)} where device_id = any(${only(of)})`

  return {
    bench,
    devices,
    device,
    only,
    /** Sets the last known values of some devices. */
    set,
    leave: (of = [device], more: Record<string, unknown> = {}) =>
      set({ online: false, online_changed_at: bench.ctx.now(), ...more }, of),
    comeBack: (of = [device]) =>
      set({ online: true, online_changed_at: bench.ctx.now(), status_at: bench.ctx.now() }, of),

    /** Two days later: no alarm, no rule, all devices online and normal. */
    async begin() {
      await sql`truncate alarm_rules, alarms, alarm_incidents, alarm_pendings, alarm_marks, alarm_notices, alarm_deliveries, maintenances, mails,
        presence_records, brokers, traffic_days, parameter_values cascade`
      // Also after a test that failed before it could put them back.
      bench.ctx.parameters.forget()
      bench.pass(2 * 86_400_000)
      await sql`insert into brokers (id, started_at, beat_at) values ('b1', ${new Date(0)}, ${bench.ctx.now()})`
      await sql`update device_states set online = true, online_changed_at = ${bench.ctx.now()}, status_at = ${bench.ctx.now()}, offline_reason = null,
        signal_dbm = -70, load1 = 0.5, cpu_percent = 5, memory_used_percent = 10, temperature_celsius = 40, remote_ip = '198.51.100.1'`
      await sql`update devices set deleted_at = null, group_id = ${groups.branch}, customer_id = ${customerId}, owned_since = null,
        operator = null, iccid = '8986A', config_hash = 'aaaa', boot_id = 'boot-1', hello_at = null where sn like 'ALARM-%'`
    },

    async addRule(rule: Rule): Promise<number> {
      const scope = rule.scope ?? 'customer'
      const [made] = await sql<{ id: number }[]>`
        insert into alarm_rules (customer_id, name, kind, severity, threshold, recover_at, for_minutes, window_minutes, scope, mode, interval_minutes,
          quiet_from, quiet_to, time_zone, language, alert_text, recovery_text)
        values (${customerId}, ${randomUUID()}, ${rule.kind}, 'major', ${rule.threshold ?? null}, ${rule.recoverAt ?? null},
          ${rule.forMinutes ?? 0}, ${rule.windowMinutes ?? null}, ${scope}, ${rule.mode ?? 'once'}, ${rule.intervalMinutes ?? null},
          ${rule.quiet?.[0] ?? null}, ${rule.quiet?.[1] ?? null}, 'UTC', 'en-US', '{device} {condition} {value}', '{device} over after {duration}')
        returning id`
      const id = made?.id ?? 0
      await sql`insert into alarm_rule_contacts (rule_id, contact_id) values (${id}, ${contact?.id ?? 0})`
      if (scope === 'groups')
        await sql`insert into alarm_rule_groups (rule_id, group_id) values (${id}, ${groups.root})`
      if (scope === 'devices')
        await sql`insert into alarm_rule_devices (rule_id, device_id) values (${id}, ${device.id})`
      return id
    },

    /** Time passes, brokers send heartbeats, online devices keep reporting; then one evaluation. */
    async later(ms: number) {
      bench.pass(ms)
      const now = bench.ctx.now()
      await sql`update brokers set beat_at = ${now}`
      await sql`update device_states set status_at = ${now} where online`
      return evaluateAlarmsJob.run(bench.ctx, {})
    },

    seen: () => sql<Seen[]>`
      select sn, ended_at is null as open, times, end_reason as reason, value, detail, notified from alarms order by started_at, sn, id`,
    notified: async () =>
      (await sql<{ kind: string }[]>`select kind from alarm_notices order by created_at, id`).map(
        ({ kind }) => kind,
      ),
    subjects: async () =>
      (await sql<{ subject: string }[]>`select subject from mails order by id`).map(({ subject }) => subject),
  }
}
