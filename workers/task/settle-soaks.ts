/** Ends the soak of devices: healthy until its end, or not. [decisions/094] */
import { moveSql } from '#schema/task/moves'
import { RETURN_GRACE_MS } from '#schema/task/task'
import { brokerGap } from '../device/broker-gap.ts'
import type { WorkerContext } from '../kit/processor.ts'
import { settleTasks } from './settle-tasks.ts'

const BATCH = 1000

type Soaked = { id: string; taskId: number; fault: string | null }

/**
 * A connection that is back within the grace is no relapse; nor is one that an outage of the platform cut. An alarm
 * counts that began after the device had returned; the uplink is judged by a status sent since. A device that leaves out
 * its address has not lost it: it may report none at all. Returns how many ended.
 */
export async function settleSoaks(ctx: WorkerContext): Promise<number> {
  const now = ctx.now()
  const grace = new Date(now.getTime() - RETURN_GRACE_MS * ctx.env.TASK_DEADLINE_SCALE)
  return ctx.sql.begin(async (tx) => {
    const rows = await tx<Soaked[]>`
      with judged as (
        select i.id, i.soak_until, coalesce(s.online, false) as online,
          case
            when s.online is not true and coalesce(s.last_logout_at, i.soak_since) < ${grace}
              and not ${brokerGap(tx, grace)} then 'soakOffline'
            when exists (select 1 from alarms a where a.device_id = i.device_id and a.started_at > i.soak_since) then 'soakAlarm'
            when s.status_at > i.soak_since and exists (
              select 1 from jsonb_array_elements(case when jsonb_typeof(s.interfaces) = 'array' then s.interfaces else '[]' end) n
              having case when s.ip is null then not bool_or(n->>'up' = 'true')
                else bool_or(n->>'ip' = s.ip and n->>'up' = 'false') end) then 'soakWan'
          end as fault
        from task_items i left join device_states s on s.device_id = i.device_id
        where i.sending = 'soaking' and i.outcome is null
          and not exists (select 1 from inbox b where b.device_id = i.device_id)),
      ended as materialized (
        select id, fault from judged where fault is not null or (online and soak_until <= ${now}) order by id limit ${BATCH})
      -- Only those are locked: thousands soak for hours, and each lock is written to the disk.
      select i.id, i.task_id as "taskId", ended.fault from ended join task_items i on i.id = ended.id
      where i.sending = 'soaking' and i.outcome is null order by i.id for update of i skip locked`
    if (rows.length === 0) return 0
    const [pass, relapse] = [moveSql('pass'), moveSql('relapse')]
    const healthy = rows.filter(({ fault }) => fault === null)
    const ill = rows.filter(({ fault }) => fault !== null)
    await tx`
      with ended as (
        update task_items i set ${tx.unsafe(pass.set)}, step_at = ${now}
        where i.id = any(${healthy.map(({ id }) => id)}::uuid[]) and ${tx.unsafe(pass.where)} returning i.id, i.device_id)
      insert into task_events (item_id, device_id, at, what) select id, device_id, ${now}, 'done' from ended`
    await tx`
      with ended as (
        update task_items i set ${tx.unsafe(relapse.set)}, failure = 'upgradeFailed', failure_detail = v.fault, step_at = ${now}
        from jsonb_to_recordset(${tx.json(ill)}) as v(id uuid, fault text)
        where i.id = v.id and ${tx.unsafe(relapse.where)} returning i.id, i.device_id, i.failure_detail)
      insert into task_events (item_id, device_id, at, what, detail)
      select id, device_id, ${now}, 'failed', 'upgradeFailed: ' || failure_detail from ended`
    const tasksOf = (some: readonly Soaked[]) => [...new Set(some.map(({ taskId }) => taskId))]
    await settleTasks(tx, { ended: tasksOf(rows), failed: tasksOf(ill) }, ctx)
    return rows.length
  })
}
