/**
 * Decides which items are due: the pace of every task, of every group and of the platform, in one statement.
 */

import { moveSql } from '#schema/task/moves'
import { RAMP_PER_DONE, RAMP_START, TASK_MAX_ACTIVE } from '#schema/task/task-guard'
import { UNMETERED } from '#schema/task/task-rollout'
import { isReady } from '../device/ready.ts'
import type { Transaction, WorkerContext } from '../kit/processor.ts'
import type { TakenRow } from './carry.ts'
import type { OpenHours } from './open-hours.ts'

/** Items taken by one statement. */
export const TAKE_MAX = 500
/** A rate per second is averaged over this time; while it limits a task, the job runs at the same interval. */
export const WINDOW_S = 2

/**
 * Takes due items of ready devices into their sending window. A limited number of items of a task run at the same time
 * (`room`; with a slow start it grows as devices come back), and their rate per second is limited. Where a task has a
 * `group_share`, only that part of a group's devices in such tasks may be away at the same time, of the task and of all
 * of them together; free places of a group go to the task with the fewest away in it, so a small task does not wait for
 * a big one to finish. `hours`: tasks with a window, and the zones in which it is open (open-hours.ts). Only rows
 * record what is in progress, so a crash changes nothing.
 *
 * No step joins an earlier one to itself, and each is materialized: the items of a task that was just created have no
 * statistics yet, and the planner would then repeat a subquery that it expects to return one row (1,000 devices took 22
 * s).
 */
export function takeDue(
  tx: Transaction,
  ctx: Pick<WorkerContext, 'env' | 'now'>,
  hours: OpenHours = { taskIds: [], zones: [] },
) {
  const now = ctx.now()
  const scale = ctx.env.TASK_DEADLINE_SCALE
  const take = moveSql('take')
  return tx<TakenRow[]>`
    with flying as materialized (
      select i.task_id, d.group_id, t.group_share is not null as shared, count(*)::int as n
      from task_items i join tasks t on t.id = i.task_id join devices d on d.id = i.device_id
      where i.outcome is null and i.sending not in ('none', 'soaking')
        -- Called back, and for so long no word of going on: it installs no more, and must not hold up the others.
        and not (i.sending = 'withdrawing'
          and i.step_at < ${now}::timestamptz - make_interval(secs => (t.deadlines->>'upgrading')::float8 * ${scale}::float8))
      group by 1, 2, 3),
    open as materialized (
      select t.id, t.start_at, t.wave, t."window" is not null as windowed, t.unmetered, t.args ? 'change' as prepared, t.group_share as share, t.max_per_second * ${WINDOW_S}::int
          - (select count(*) from task_items p where p.task_id = t.id and t.max_per_second is not null
            -- Those after now are of a clock that was ahead.
            and p.offered_at > ${new Date(now.getTime() - WINDOW_S * 1000)} and p.offered_at <= ${now}) as in_window,
        -- As takesAtOnce (schema/task/task-guard.ts) says: it opens up as devices come back.
        least(t.max_in_flight, case when not t.slow_start then ${TASK_MAX_ACTIVE}
          else ${RAMP_START} + ${RAMP_PER_DONE} * (select count(*) from (
            select 1 from task_items p where p.task_id = t.id and not p.superseded and not p.before_resume
              and p.outcome = 'done' and p.offers > 0 limit ${TASK_MAX_ACTIVE}) proven) end)
          - coalesce((select sum(f.n) from flying f where f.task_id = t.id), 0) as room
      from tasks t where t.status = 'ongoing' and t.start_at <= ${now} and t.paused_at is null
        and (t.expires_at is null or t.expires_at > ${now})),
    -- Something of ours runs on them, or they must still be notified that it has ended.
    blocked as materialized (
      select device_id from task_items where outcome is null and sending <> 'none'
      union select device_id from task_items where outcome in ('failed', 'cancelled') and sending <> 'none'),
    -- Whose turn it is in another task takes no place in this one.
    turns as (
      select i.id, i.task_id, i.device_id, d.group_id, o.share, o.start_at, o.room, o.in_window,
        row_number() over (partition by i.device_id order by o.start_at, o.id) as turn
      from task_items i join open o on o.id = i.task_id
        join devices d on d.id = i.device_id join device_states s on s.device_id = i.device_id
      where ${tx.unsafe(take.where)} and ${isReady(tx, now)} and i.wave <= o.wave
        and (not o.unmetered or upper(s.network_mode) = any(${[...UNMETERED]}))
        and (not o.windowed or (o.id, coalesce(d.time_zone, '')) in (
          select * from unnest(${[...hours.taskIds]}::int[], ${[...hours.zones]}::text[])))
        -- Its packages are made from what it runs: that must be known, and nothing of it on trial. They are made already
        -- if the device never received them: the same are sent again.
        and (o.prepared is not true or exists (select 1 from device_configs c where c.device_id = i.device_id
          and (c.item_id = i.id
            or (c.document_hash = c.running_hash and c.item_id is null and c.pending_revision is null))))
        and not exists (select 1 from blocked b where b.device_id = i.device_id)),
    ready as materialized (
      select *, row_number() over (partition by task_id, group_id order by device_id) as nth from turns where turn = 1),
    sizes as materialized (
      select i.task_id, d.group_id, count(*) as size from task_items i
        join open o on o.id = i.task_id and o.share is not null join devices d on d.id = i.device_id
      where not i.superseded group by 1, 2),
    group_sizes as materialized (
      select d.group_id, count(distinct i.device_id) as size from task_items i
        join open o on o.id = i.task_id and o.share is not null join devices d on d.id = i.device_id
      where not i.superseded group by 1),
    fair as materialized (
      select r.*,
        row_number() over (partition by r.group_id order by r.nth + coalesce(f.n, 0), r.start_at, r.task_id, r.id) as turn_in_group
      from ready r join sizes z on z.task_id = r.task_id and z.group_id = r.group_id
        left join flying f on f.task_id = r.task_id and f.group_id = r.group_id
      where r.share is not null and r.nth <= greatest(1, floor(z.size * r.share)) - coalesce(f.n, 0)),
    allowed as (
      select id, task_id, device_id, room, in_window, 0 as turn_in_group from ready where share is null
      union all
      select f.id, f.task_id, f.device_id, f.room, f.in_window, f.turn_in_group
      from fair f join group_sizes z on z.group_id = f.group_id
      where f.turn_in_group <= greatest(1, floor(z.size * f.share))
        - coalesce((select sum(g.n) from flying g where g.shared and g.group_id = f.group_id), 0)),
    placed as materialized (
      select id, room, in_window,
        row_number() over (partition by task_id order by turn_in_group, device_id) as place
      from allowed),
    chosen as (
      select i.id from task_items i join tasks t on t.id = i.task_id
      where i.id = any(array(select id from placed where place <= least(room, in_window)))
        and ${tx.unsafe(take.where)} and t.paused_at is null
      -- A call that pauses the task waits for this commit, or this statement sees the pause: nothing is sent after it.
      -- Tasks are locked in the order in which they are stopped and completed, or there would be deadlocks.
      order by t.id, i.id limit ${TAKE_MAX} for update of i skip locked for share of t)
    update task_items i set ${tx.unsafe(take.set)}, sending_at = ${now}, offered_at = ${now}, offers = i.offers + 1,
      deadline_at = ${now}::timestamptz + make_interval(secs => (t.deadlines->>'sent')::float8 * ${scale}::float8),
      from_boot_id = d.boot_id,
      from_version = case when t.type = 'upgrade' then d.firmware else d.packages->>t.package_name end
    from chosen c, tasks t, devices d
    where i.id = c.id and t.id = i.task_id and d.id = i.device_id
    returning i.id, i.device_id as "deviceId", d.sn, t.kind, t.command, coalesce(i.args, t.args) as args, t.args as "taskArgs",
      i.deadline_at as "deadlineAt", t.type, t.package_name as "packageName", t.model, t.version,
      t.max_per_second is not null as paced, t.size_bytes as "sizeBytes", t.sha256, t.md5, t.signature, t.keep_config as "keepConfig", t.server`
}
