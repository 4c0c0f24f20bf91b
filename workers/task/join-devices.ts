/** Devices that match the filter of a task that follows it become part of the task. [decisions/108] */
import { kindNamed } from '#infra/task-kinds'
import { dispatchTasks, joinDevices } from '#schema/task/task'
import { TASK_MAX_DEVICES } from '#schema/task/task-guard'
import type { JoinFilter } from '#schema/task/task-join'
import { processor, type Transaction, type WorkerContext } from '../kit/processor.ts'
import { decide } from './decide.ts'

type Following = { id: number; kind: string; joins: JoinFilter; userId: number; confined: boolean }

/** A paused task takes no devices in: when it is resumed it finds them all. */
const following = ({ sql, now }: WorkerContext) => sql<Following[]>`
  select t.id, t.kind, t.joins, u.id as "userId", u.type = 'normal' as confined from tasks t join users u on u.id = t.responsible_id
  where t.status = 'ongoing' and t.join_until > ${now()} and t.paused_at is null and t.start_at <= ${now()} order by t.id`

const groupsBelow = (tx: Transaction, roots: ReturnType<Transaction>) => tx`
  (with recursive tree as (${roots} union select g.id from groups g join tree t on g.parent_id = t.id) select id from tree)`

/**
 * The same conditions as at the creation: visible to the responsible user, and able to take what is sent. They join
 * the last wave: what the waves before it prove is proved by devices that were chosen when the task was made.
 */
const join = (tx: Transaction, ctx: WorkerContext, { id, kind, joins, userId, confined }: Following) => tx<
  { deviceId: number }[]
>`
  with found as (
    select d.id, d.customer_id, case when t.type = 'upgrade' then d.firmware else d.packages->>t.package_name end as has
    from tasks t join devices d on d.customer_id = t.customer_id or t.customer_id is null left join config_files f on f.id = t.config_file_id
    where t.id = ${id} and d.deleted_at is null and d.secret_hash is not null
      and ${joins.customerId === undefined ? tx`true` : tx`d.customer_id = ${joins.customerId}`}
      and ${joins.model === undefined ? tx`true` : tx`d.model = ${joins.model}`}
      and ${joins.firmware === undefined ? tx`true` : tx`d.firmware = ${joins.firmware}`}
      and ${joins.groupId === undefined ? tx`true` : tx`d.group_id in ${groupsBelow(tx, tx`select ${joins.groupId}::int as id`)}`}
      and ${confined ? tx`d.group_id in ${groupsBelow(tx, tx`select ug.group_id as id from user_groups ug where ug.user_id = ${userId}`)}` : tx`true`}
      and (t.model is null or d.model = t.model)
      and (t.version is null or t.version is distinct from (case when t.type = 'upgrade' then d.firmware else d.packages->>t.package_name end))
      and (t.command is null or d.features is null or d.features ? t.command)
      and ${kindNamed(kind).needs === undefined ? tx`true` : tx`(d.features is null or d.features ? ${kindNamed(kind).needs ?? ''})`}
      and (f.customer_id is null or f.customer_id = d.customer_id)
      and not exists (select 1 from task_items i where i.task_id = t.id and i.device_id = d.id)
      -- A later task decided on another version for it: it was rolled back, or is further than this one.
      and not exists (select 1 from task_items i join tasks o on o.id = i.task_id where i.device_id = d.id and o.created_at > t.created_at
        and o.type = t.type and (o.type = 'upgrade' or o.package_name = t.package_name) and o.version is distinct from t.version
        and (i.outcome is null or i.outcome = 'done'))
    order by d.id limit greatest(0, ${TASK_MAX_DEVICES} - (select count(*) from task_items i where i.task_id = ${id} and not i.superseded))
    -- One that is being deleted or given away is looked at next time.
    for key share of d skip locked),
  made as (
    insert into task_items (id, task_id, device_id, customer_id, deadline_at, step_at, from_version, wave)
    select gen_random_uuid(), t.id, found.id, found.customer_id,
      ${ctx.now()}::timestamptz + make_interval(secs => t.wait_offline_minutes * 60 * ${ctx.env.TASK_DEADLINE_SCALE}::float8), ${ctx.now()}, found.has, t.last_wave
    from found, tasks t where t.id = ${id} returning id, device_id),
  noted as (
    insert into task_events (item_id, device_id, at, what, detail) select id, device_id, ${ctx.now()}, 'created', 'joined' from made)
  select device_id as "deviceId" from made`

async function follow(ctx: WorkerContext, task: Following): Promise<number> {
  return ctx.sql.begin(async (tx) => {
    // Locked, so that it can neither be completed nor paused meanwhile.
    const open = await tx`
      select 1 from tasks where id = ${task.id} and status = 'ongoing' and paused_at is null and join_until > ${ctx.now()} for no key update`
    if (open.length === 0) return 0
    const { length: devices } = await join(tx, ctx, task)
    if (devices === 0) return 0
    await tx`update tasks set matching = matching + ${devices} where id = ${task.id}`
    await decide(tx, [{ taskId: task.id, what: 'joined', facts: { devices } }], ctx.now())
    return devices
  })
}

export const joinDevicesJob = processor(joinDevices, async (ctx) => {
  let joined = 0
  for (const task of await following(ctx)) joined += await follow(ctx, task)
  if (joined > 0) await ctx.queue.add(dispatchTasks, {})
  return { joined }
})
