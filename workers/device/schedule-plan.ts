/**
 * Sends devices the coming times of their schedules, so that they keep to them when the platform cannot be
 * reached.
 */
import { randomUUID } from 'node:crypto'
import { DEVICE_WAITS_S, PLANNED_RUNS, setSchedule } from '#schema/device/commands/schedule'
import { nextRuns, type ScheduleRule } from '#schema/device/schedule-rule'
import type { WorkerContext } from '../kit/processor.ts'
import { isReady } from './ready.ts'

const BATCH = 500
/** Pause between two tries for one device. */
const AGAIN_MS = 60_000
/** Interval of renewal; a plan reaches a month ahead. */
const RENEW_MS = 7 * 86_400_000
/** The device is ready when this is written, so it is sent immediately or not at all. */
const QUEUED_MS = 30_000

type Plan = ScheduleRule & { deviceId: number; customerId: number; revision: number; enabled: boolean }

/** Reads what devices have confirmed since, by a reply or by the schedule that they report. */
async function readConfirmations(ctx: WorkerContext, again: Date): Promise<void> {
  await ctx.sql`
    update schedules p set confirmed_revision = (c.args->>'revision')::int, plan_command_id = null,
      sent_until = to_timestamp((c.args->'dueAts'->>-1)::float8 / 1000)
    from commands c where c.id = p.plan_command_id and c.state = 'done'`
  // The device's own report has priority: after a factory reset it has no schedule.
  await ctx.sql`
    update schedules p set confirmed_revision = (x.value->>'revision')::int
    from device_sections x where x.device_id = p.device_id and x.name = 'schedule' and p.plan_command_id is null
      and (x.value->>'revision')::int <> p.confirmed_revision and p.plan_tried_at < ${again}`
}

/** Returns how many devices are sent a plan. */
export async function sendPlans(ctx: WorkerContext): Promise<number> {
  const now = ctx.now()
  const again = new Date(now.getTime() - AGAIN_MS * ctx.env.TASK_DEADLINE_SCALE)
  await readConfirmations(ctx, again)
  return ctx.sql.begin(async (tx) => {
    const plans = await tx<Plan[]>`
      select p.device_id as "deviceId", p.customer_id as "customerId", p.kind, p.date::text as date, p.time, p.weekdays,
        p.time_zone as "timeZone", p.revision, p.enabled
      from schedules p join devices d on d.id = p.device_id join device_states s on s.device_id = d.id
      where ((p.confirmed_revision <> p.revision and (p.plan_tried_at is null or p.plan_tried_at < ${again}))
          or (p.enabled and p.kind <> 'once' and p.plan_tried_at < ${new Date(now.getTime() - RENEW_MS)}))
        and ${isReady(ctx.sql, now)} and (d.features is null or d.features ? ${setSchedule.name})
        and not exists (select 1 from commands c
          where c.device_id = d.id and c.name = ${setSchedule.name} and c.ended_at is null)
      order by p.device_id limit ${BATCH} for update of p skip locked for key share of d skip locked`
    if (plans.length === 0) return 0
    const orders = plans.map((plan) => ({
      id: randomUUID(),
      deviceId: plan.deviceId,
      customerId: plan.customerId,
      args: {
        revision: plan.revision,
        dueAts: plan.enabled ? nextRuns(plan, now.getTime(), PLANNED_RUNS) : [],
        waitS: DEVICE_WAITS_S,
      },
    }))
    await tx`
      insert into commands (id, device_id, customer_id, name, args, created_at, deadline_at)
      select id, "deviceId", "customerId", ${setSchedule.name}, args, ${now}, ${new Date(now.getTime() + QUEUED_MS)}
      from jsonb_to_recordset(${tx.json(orders)}) as v(id uuid, "deviceId" integer, "customerId" integer, args jsonb)`
    await tx`
      update schedules p set plan_command_id = v.id, plan_tried_at = ${now}
      from jsonb_to_recordset(${tx.json(orders)}) as v(id uuid, "deviceId" integer)
      where p.device_id = v."deviceId"`
    return plans.length
  })
}
