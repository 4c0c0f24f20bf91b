/** The data for a task's estimated end, as far as the actor sees it: one statement over its items. */
import { sql } from 'drizzle-orm'
import { deviceStates, devices } from '#schema/tables/device'
import { taskItems, type tasks } from '#schema/tables/task'
import { PACE_SAMPLE, type Pace, RATE_WINDOW_MS } from '#schema/task/task-pace'
import type { CallContext } from '../kit/handler.ts'
import { visible } from '../kit/scope.ts'

type Task = Pick<
  typeof tasks.$inferSelect,
  'id' | 'status' | 'slowStart' | 'maxInFlight' | 'wave' | 'lastWave' | 'window'
>
type Row = Omit<Pace, 'slowStart' | 'maxInFlight' | 'wavesLeft' | 'hours'>

const nothing: Row = {
  total: 0,
  done: 0,
  ended: 0,
  meanMs: null,
  waitingOnline: 0,
  waitingOffline: 0,
  inFlight: 0,
  meanAgeMs: null,
  youngestAgeMs: null,
  endedLately: 0,
  sinceFirstMs: null,
}

export async function paceOf({ db, actor, now }: CallContext, task: Task): Promise<Pace> {
  const { slowStart, maxInFlight } = task
  const at = sql`${now().toISOString()}::timestamptz`
  const ms = (span: ReturnType<typeof sql>) => sql`(extract(epoch from ${span}) * 1000)::float8`
  const rows =
    task.status === 'completed'
      ? []
      : await db.execute<Row>(sql`
    with mine as (
      select ${taskItems.outcome} as outcome, ${taskItems.sending} <> 'none' as flying, ${taskItems.stepAt} as step_at,
        ${taskItems.offers} > 0 as tried, ${taskItems.beforeResume} as seen, coalesce(${deviceStates.online}, false) as online,
        ${taskItems.offeredAt} as offered_at
      from ${taskItems} join ${devices} on ${devices.id} = ${taskItems.deviceId}
      left join ${deviceStates} on ${deviceStates.deviceId} = ${devices.id}
      where ${visible(actor).taskItems} and ${taskItems.taskId} = ${task.id} and not ${taskItems.superseded}),
    lately as (
      select step_at - offered_at as took from mine
      where tried and outcome in ('done', 'failed') and offered_at <= step_at
      order by step_at desc limit ${PACE_SAMPLE})
    select count(*)::int as total,
      count(*) filter (where outcome = 'done' and tried and not seen)::int as done,
      count(*) filter (where outcome in ('done', 'failed') and tried)::int as ended,
      (select ${ms(sql`avg(took)`)} from lately) as "meanMs",
      count(*) filter (where outcome is null and not flying and online)::int as "waitingOnline",
      count(*) filter (where outcome is null and not flying and not online)::int as "waitingOffline",
      count(*) filter (where outcome is null and flying)::int as "inFlight",
      ${ms(sql`avg(${at} - offered_at) filter (where outcome is null and flying)`)} as "meanAgeMs",
      ${ms(sql`min(${at} - offered_at) filter (where outcome is null and flying)`)} as "youngestAgeMs",
      count(*) filter (where outcome in ('done', 'failed') and tried and step_at > ${at} - ${RATE_WINDOW_MS}::int * interval '1 ms')::int as "endedLately",
      ${ms(sql`${at} - min(offered_at)`)} as "sinceFirstMs"
    from mine`)
  const plan = { slowStart, maxInFlight, wavesLeft: task.lastWave - task.wave, hours: task.window !== null }
  return { ...plan, ...(rows[0] ?? nothing) }
}
