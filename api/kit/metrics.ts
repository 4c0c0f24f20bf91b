/** Prometheus metrics of the API, and of the whole installation from the database. */
import { Gauge, Histogram } from 'prom-client'
import type { Context } from '#infra/context'
import { REFUSED_MAIL } from '#schema/platform/mail'

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

/** Gauges of the installation, by the column with their value. */
const installation = {
  known: ['iot_devices', 'Devices known'],
  online: ['iot_devices_online', 'Devices online'],
  inbox: ['iot_inbox_rows', 'Reports acknowledged and waiting for a worker'],
  waiting: [
    'iot_inbox_oldest_seconds',
    'How long the oldest of them has waited: minutes when no worker lives',
  ],
  silent: ['iot_workers_silent_seconds', 'How long ago the workers last did a job'],
  running: ['iot_task_items_running', 'Task items in flight'],
  paused: ['iot_tasks_paused', 'Tasks that stand still until a person resumes or cancels them'],
  commands: ['iot_commands_open', 'Commands not ended'],
  unsent: ['iot_mail_stuck_seconds', 'How long mail has waited since the mail server last accepted one'],
  unsynced: ['iot_packages_unsynced', 'Packages that a file server does not serve'],
} as const
type Facts = Record<keyof typeof installation, number>

export type CallMetrics = {
  answered(call: string, code: number, seconds: number): void
  /** The registry's text, with the current state of the installation. */
  scrape(): Promise<string>
}

export function openCallMetrics(context: Context): CallMetrics {
  const { metrics, sql, log } = context
  const registers = [metrics]
  // A second server on one context (tests) starts from zero.
  for (const name of ['iot_call_duration_seconds', ...Object.values(installation).map(([name]) => name)])
    metrics.removeSingleMetric(name)
  const calls = new Histogram({
    name: 'iot_call_duration_seconds',
    help: 'Answered calls by name and product code',
    labelNames: ['call', 'code'],
    buckets: SECONDS,
    registers,
  })
  const gauges = new Map(
    Object.entries(installation).map(([key, [name, help]]) => [key, new Gauge({ name, help, registers })]),
  )

  async function readInstallation(): Promise<void> {
    // What is not known now is not served: a 0 would tell that every device has gone offline.
    for (const gauge of gauges.values()) gauge.remove()
    const [facts] = await sql<Facts[]>`
      select (select count(*)::int from device_states where online) as online,
        (select count(*)::int from devices where deleted_at is null) as known,
        (select count(*)::int from inbox) as inbox,
        (select coalesce(greatest(0, extract(epoch from now() - min(received_at))), 0)::float8 from inbox) as waiting,
        (select extract(epoch from now() - worked_at)::float8 from work_marks) as silent,
        (select count(*)::int from task_items where outcome is null and sending <> 'none') as running,
        (select count(*)::int from tasks where status = 'ongoing' and paused_at is not null) as paused,
        (select count(*)::int from commands where ended_at is null) as commands,
        -- What the server refuses for one mailbox does not count; for several, something is wrong with the server.
        (select coalesce(greatest(0, extract(epoch from now() - min(since))), 0)::float8 from (
          select case when attempts = 0 then due_at else created_at end as since from mails
          where state in ('draft', 'sending') and not kept and (error is null or not starts_with(error, ${REFUSED_MAIL})
            or (select count(distinct recipient) > 1 from mails where state = 'sending' and not kept and starts_with(error, ${REFUSED_MAIL})))) waiting
          where since > coalesce((select max(sent_at) from mails where created_at > now() - interval '2 days'), '-infinity')) as unsent,
        (select count(*)::int from packages where synced_at is null and deleted_at is null) as unsynced`
    for (const [key, value] of Object.entries(facts ?? {})) gauges.get(key)?.set(value)
  }

  return {
    answered: (call, code, seconds) => calls.observe({ call, code }, seconds),
    scrape: async () => {
      // If the database is unavailable, only the metrics of the process are returned.
      await readInstallation().catch((error: unknown) =>
        log.warn({ err: error }, 'metrics without the database'),
      )
      return metrics.metrics()
    },
  }
}
