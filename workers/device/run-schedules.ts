/** Scheduled reboots. The rows contain the state, so the job may run twice or late. */
import { driveCommands } from '#schema/command/command'
import { RUN_GRACE_MS, runSchedules } from '#schema/device/schedule'
import { processor, type WorkerContext } from '../kit/processor.ts'
import { brokerGap } from './broker-gap.ts'
import { beginRuns } from './schedule-begin.ts'
import { planAgain } from './schedule-clock.ts'
import { sendPlans } from './schedule-plan.ts'

/** Schedules of devices that moved to another customer: the new owner sets their own. */
const stopForeign = ({ sql }: WorkerContext) => sql`
  update schedules p set enabled = false, next_run_at = null, revision = revision + 1, customer_id = d.customer_id
  from devices d where d.id = p.device_id and d.customer_id <> p.customer_id`

/**
 * Results of runs: the device's return, its refusal, or a timeout. A command that expired was never sent: its device had
 * gone offline, or else we could not send it.
 */
async function settle({ sql, now, env }: WorkerContext): Promise<void> {
  const patience = new Date(now().getTime() - RUN_GRACE_MS * env.TASK_DEADLINE_SCALE)
  await sql`
    update schedule_runs r set ended_at = case when c.state in ('done', 'failed') then c.ended_at end,
      state = case c.state when 'done' then 'done' when 'failed' then 'failed' else 'waiting' end,
      by = case when c.state in ('done', 'failed') then 'platform' end,
      reason = case c.state when 'done' then null when 'failed' then c.error
        when 'expired' then case when s.online then 'platformDown' else 'offline' end else 'silent' end
    from commands c left join device_states s on s.device_id = c.device_id where c.id = r.command_id and r.state = 'sent' and c.ended_at is not null`
  // A later report of the device still corrects it. After an outage of the platform devices first get time to
  // return.
  await sql`
    update schedule_runs r set state = 'missed', reason = coalesce(r.reason, 'silent'), ended_at = ${now()}
    where r.state = 'waiting' and r.due_at < ${patience}
      and not ${brokerGap(sql, patience)}
      and not exists (select 1 from inbox i where i.device_id = r.device_id)`
}

export const runSchedulesJob = processor(runSchedules, async (ctx) => {
  await stopForeign(ctx)
  await planAgain(ctx)
  const due = await beginRuns(ctx)
  await settle(ctx)
  const sent = await sendPlans(ctx)
  if (due + sent > 0) await ctx.queue.add(driveCommands, {})
  return { due, sent }
})
