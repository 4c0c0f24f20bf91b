/**
 * Retention rules of tables that would grow without limit. A job applies them (workers/platform/trim-history.ts); a
 * test fails for a table that is neither here nor declares why it cannot grow (kept.ts).
 */

import { POLL_PLANS_DAYS } from '../monitor/wire.ts'
import type { ParameterKey } from '../platform/parameter-list.ts'
import { COUNTS_KEPT_DAYS } from '../portal/portal-shown.ts'

/**
 * Rows to delete. `old` is a condition in which `$1` is the time before which rows are old. It must exclude what is
 * open or referred to.
 */
export type Trimmed = {
  readonly days: ParameterKey | number
  readonly old: string
  /** A statement that uses the deleted rows (`gone`) in the same query. */
  readonly into?: string
  /** The column with the key of a file that goes with its row. */
  readonly file?: string
}
/** Partitioned by day: whole days are dropped. */
export type Dropped = { readonly days: ParameterKey; readonly partitions: true }

/** Tables in the order in which they are trimmed: referring tables before those they refer to. */
export const retention: Readonly<Record<string, Trimmed | Dropped>> = {
  status_samples: { days: 'statusDays', partitions: true },
  status_packs: { days: 'statusDays', partitions: true },
  device_logs: { days: 'deviceLogDays', partitions: true },
  probe_samples: { days: 'probeDays', partitions: true },
  variable_reports: { days: 'variableDays', partitions: true },

  // Reports made with a former plan may arrive for as long as gateways buffer them.
  poll_plans: {
    days: POLL_PLANS_DAYS,
    old: `created_at < $1 and exists (select 1 from poll_plans next
        where next.device_id = poll_plans.device_id and next.revision > poll_plans.revision and next.created_at < $1)
      and not exists (select 1 from collection_states s
        where s.device_id = poll_plans.device_id and s.running_revision = poll_plans.revision)`,
  },
  variable_quarters: { days: 'variableSumDays', old: 'at < $1' },
  variable_hours: { days: 'variableSumDays', old: 'at < $1' },
  // Names that a source no longer sends need no mapping.
  south_names: { days: 7, old: 'at < $1' },
  variable_gaps: { days: 'variableDays', old: 'to_at < $1' },
  device_hours: { days: 'hourDays', old: 'hour < $1' },
  fleet_hours: { days: 'hourDays', old: 'hour < $1' },
  traffic_hours: { days: 'hourDays', old: 'hour < $1' },
  // The total on a device's page must not shrink. As in the sums of reports, the day of a move belongs to no
  // customer.
  traffic_days: {
    days: 'trafficDays',
    old: `day < ($1 at time zone 'UTC')::date`,
    into: `insert into traffic_totals (device_id, owned_since, rx_bytes, tx_bytes)
      select d.id, case when gone.day > (d.owned_since at time zone 'UTC')::date then d.owned_since else to_timestamp(0) end,
        sum(gone.rx_bytes), sum(gone.tx_bytes)
      from gone join devices d on d.id = gone.device_id group by 1, 2
      on conflict (device_id, owned_since) do update
        set rx_bytes = traffic_totals.rx_bytes + excluded.rx_bytes, tx_bytes = traffic_totals.tx_bytes + excluded.tx_bytes`,
  },
  // Without its last connection a device that has been offline for long would count as never seen.
  presence_records: {
    days: 'presenceDays',
    old: `offline_at < $1 and exists (select 1 from presence_records later
      where later.device_id = presence_records.device_id and later.online_at > presence_records.online_at)`,
  },
  sim_switches: { days: 'simSwitchDays', old: 'at < $1' },
  device_warnings: { days: 'warningDays', old: 'at < $1' },
  printers: { days: 'printerDays', old: 'status_at < $1 and not present' },
  // The totals are in the advertisement. Later reports of such old days are refused.
  advertisement_counts: { days: COUNTS_KEPT_DAYS, old: `day < ($1 at time zone 'UTC')::date` },
  advertisement_days: { days: 'advertisementDays', old: `day < ($1 at time zone 'UTC')::date` },
  schedule_runs: { days: 'scheduleRunDays', old: `due_at < $1 and state not in ('sent', 'waiting')` },
  // Backups with a file are limited by number instead of age: `backupsKept`.
  device_backups: {
    days: 'failedBackupDays',
    old: `created_at < $1 and file_key is null and link_expires_at < $1`,
  },
  terminal_recordings: { days: 'recordingDays', old: 'ended_at < $1', file: 'file_key' },
  remote_accesses: { days: 'commandDays', old: `until < $1 and state not in ('waiting', 'approved')` },
  remote_sessions: { days: 'commandDays', old: 'ended_at < $1' },
  // Drafts are made by people, one by one.
  sms_messages: { days: 'commandDays', old: 'sent_at < $1' },
  commands: {
    days: 'commandDays',
    old: `ended_at < $1 and not exists (select 1 from sms_messages where command_id = commands.id)
      and not exists (select 1 from remote_sessions where command_id = commands.id and ended_at is null)
      and not exists (select 1 from schedules where plan_command_id = commands.id)
      and not exists (select 1 from schedule_runs where command_id = commands.id and state in ('sent', 'waiting'))
      and not exists (select 1 from device_backups b where b.device_id = commands.device_id and b.command_id = commands.id and b.file_key is null)`,
  },

  task_events: { days: 'taskEventDays', old: 'at < $1' },
  // A device that has yet to be informed about the end of its item keeps the whole task.
  task_items: {
    days: 'taskDays',
    old: `task_id in (select id from tasks where completed_at < $1 and status = 'completed' and not exists (
      select 1 from task_items open where open.task_id = tasks.id
        and (open.outcome is null or (open.outcome in ('failed', 'cancelled') and open.sending <> 'none'))))`,
  },
  tasks: {
    days: 'taskDays',
    old: `completed_at < $1 and status = 'completed' and not exists (select 1 from task_items where task_id = tasks.id)`,
  },

  // The result of an e-mail is stored in the mail.
  alarm_deliveries: {
    days: 'noticeDays',
    old: `created_at < $1 and (state in ('sent', 'failed') or (channel_id is null and not exists (
      select 1 from mails where mails.id = mail_id and state in ('draft', 'sending') and not kept)))`,
  },
  alarm_notices: {
    days: 'noticeDays',
    old: `created_at < $1 and not exists (select 1 from alarm_deliveries where notice_id = alarm_notices.id)`,
  },
  mails: {
    days: 'mailDays',
    old: `created_at < $1 and (kept or state in ('sent', 'failed'))
      and not exists (select 1 from alarm_deliveries where mail_id = mails.id)`,
  },
  // Ended and notified; alarms of a deleted rule will not be notified.
  alarms: { days: 'alarmDays', old: `ended_at < $1 and (notified = 'all' or rule_id is null)` },
  alarm_incidents: {
    days: 'alarmDays',
    old: 'started_at < $1 and not exists (select 1 from alarms where incident_id = alarm_incidents.id)',
  },

  operations: { days: 'operationDays', old: 'at < $1' },
  logins: { days: 'loginDays', old: 'at < $1' },
  // The login history uses them to find when a login ended.
  sessions: { days: 'loginDays', old: 'expires_at < $1' },
  api_tokens: { days: 'loginDays', old: 'expires_at < $1' },
  // Confirmed ones stay: without the row they would be asked again.
  recipients: { days: 30, old: 'expires_at < $1 and confirmed_at is null' },
  // That of a user is their state.
  invitations: { days: 1, old: 'sent_at < $1 and user_id is null' },
  email_bindings: { days: 1, old: 'expires_at < $1' },
  login_attempts: { days: 1, old: 'first_at < $1 and (blocked_until is null or blocked_until < now())' },
}

/** Row 'hours' of `rollup_cursors`: hourly data before it is deleted, and must not be recreated in part. */
export const HOURS_GONE = 'hours'

export const isTrimmed = (rule: Trimmed | Dropped): rule is Trimmed => 'old' in rule
export const isDropped = (rule: Trimmed | Dropped): rule is Dropped => 'partitions' in rule
