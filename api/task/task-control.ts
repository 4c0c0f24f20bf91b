/** Cancelling, retrying and deleting tasks. */

import { and, eq, type SQL, sql } from 'drizzle-orm'
import { unlocked } from '#infra/task-kinds'
import { refuse } from '#schema/kit/refusal'
import { sessionRefusals } from '#schema/people/session-refusals'
import { packages } from '#schema/tables/package'
import { taskItems, tasks } from '#schema/tables/task'
import { configFileRefusals } from '#schema/task/config-file-refusals'
import { moveSql } from '#schema/task/moves'
import { packageRefusals } from '#schema/task/package-refusals'
import { dispatchTasks, sweepTasks } from '#schema/task/task'
import { cancelTask, deleteTask, retryTask } from '#schema/task/task-calls'
import { taskRefusals } from '#schema/task/task-refusals'
import type { Transaction } from '../device/end-device-work.ts'
import { rowOf } from '../kit/about.ts'
import type { Actor } from '../kit/actor.ts'
import { handler } from '../kit/handler.ts'
import { visible } from '../kit/scope.ts'
import { wake } from '../kit/wake-job.ts'
import { noteDecision } from './task-decision.ts'
import { storedTask } from './task-object.ts'
import { assertWhole, isWhole, whole } from './task-pause.ts'
import { steerTask } from './task-row.ts'
import { reopenWave } from './wave-state.ts'

const among = (ids: readonly string[] | undefined): SQL =>
  ids ? sql`${taskItems.id} = any(${`{${ids.join(',')}}`}::uuid[])` : sql`true`

export const cancelTaskHandler = handler(cancelTask, async (ctx, body) => {
  const task = steerTask(ctx)
  if (task.status === 'completed') refuse(taskRefusals.taskCompleted)
  const now = ctx.now().toISOString()
  const cancel = moveSql('cancel', 'i', unlocked)
  // It goes on for devices that the actor does not see, and so do those that join it.
  const ends = body.itemIds === undefined && (await isWhole(ctx, task.id))
  // `sending` is unchanged: where an offer may have been sent, the sweeper has yet to inform the device.
  const [counted] = await ctx.db.transaction(async (tx) => {
    const found = await tx.execute<{ cancelled: number; locked: number }>(sql`
    with mine as (
      select ${taskItems.id} as id from ${taskItems} join devices on devices.id = ${taskItems.deviceId}
      where ${visible(ctx.actor).taskItems} and ${taskItems.taskId} = ${task.id} and ${taskItems.outcome} is null
        and ${among(body.itemIds)}
      order by ${taskItems.id} for update of task_items),
    ended as (
      update task_items i set ${sql.raw(cancel.set)}, step_at = ${now}::timestamptz
      from mine, tasks t where mine.id = i.id and t.id = i.task_id and ${sql.raw(cancel.where)} returning i.id, i.device_id),
    noted as (
      insert into task_events (item_id, device_id, at, what, detail)
      select id, device_id, ${now}::timestamptz, 'cancelled', ${ctx.actor.username} from ended)
    select (select count(*) from ended)::int as cancelled, ((select count(*) from mine) - (select count(*) from ended))::int as locked`)
    // What the platform was going to retry is over, too, and is not planned again when a device past recall fails.
    const stopped = await tx.execute<{ planned: boolean }>(sql`
      update task_items i set retry_at = null, retry_off = true
      from (select ${taskItems.id} as id, ${taskItems.retryAt} is not null as planned from ${taskItems} join devices on devices.id = ${taskItems.deviceId}
        where ${visible(ctx.actor).taskItems} and ${taskItems.taskId} = ${task.id} and not ${taskItems.superseded}
          and ${taskItems.outcome} is distinct from 'done' and not ${taskItems.retryOff} and ${among(body.itemIds)}
        order by ${taskItems.id} for update of task_items) mine
      where mine.id = i.id returning mine.planned`)
    if (ends) await tx.update(tasks).set({ joinUntil: null }).where(eq(tasks.id, task.id))
    const devices = found[0]?.cancelled ?? 0
    if (devices > 0) await noteDecision(tx, ctx, task.id, 'cancelled', { devices })
    const retries = stopped.filter(({ planned }) => planned).length
    if (retries > 0) await noteDecision(tx, ctx, task.id, 'retriesCancelled', { devices: retries })
    return found
  })
  await wake(ctx, sweepTasks)
  const answer = { cancelled: counted?.cancelled ?? 0, locked: counted?.locked ?? 0 }
  ctx.note({ after: answer })
  return answer
})

/**
 * Whoever begins a completed task again is responsible for it, as one who resumes it is; of one that runs only if nobody
 * else is any more. Otherwise the task would pause at once, because the user of then is gone.
 */
const responsibleAfterRetry = (actor: Actor): SQL => sql`case
  when ${tasks.status} = 'completed' or (${whole(actor, tasks.id)}
    and not exists (select 1 from users u where u.id = ${tasks.responsibleId} and u.status = 1))
  then ${actor.userId}::int else ${tasks.responsibleId} end`

/**
 * The configuration file or backup that the task sends. Deleting it waits for this lock and then sees that the task is
 * running again. Taken before the task: a deletion holds the file while it waits for its tasks, whose reference it
 * removes. @throws Refusal 372 if it is gone
 */
async function holdFile(tx: Transaction, task: { configFileId: number | null; backupId: string | null }) {
  const { configFileId, backupId } = task
  const held =
    configFileId === null
      ? await tx.execute(sql`select 1 from device_backups where id = ${backupId} for share`)
      : await tx.execute(sql`select 1 from config_files where id = ${configFileId} for share`)
  if (held.length === 0) refuse(configFileRefusals.configFileGone, {}, 'taskId')
}

export const retryTaskHandler = handler(retryTask, async (ctx, body) => {
  const { id, type, ...files } = steerTask(ctx)
  const counted = await ctx.db.transaction(async (tx) => {
    if (type === 'config') await holdFile(tx, files)
    // Items before tasks, as everywhere: code that ends items holds them while it waits for the task.
    await tx.execute(sql`
      select 1 from task_items i where i.task_id = ${id} and i.outcome = 'failed' and not i.superseded order by i.id for update`)
    // Locked, so that the task cannot be completed between adding items and setting its status.
    const [task] = await tx.select().from(tasks).where(eq(tasks.id, id)).for('update')
    if (!task) refuse(sessionRefusals.noPermission, {}, 'taskId')
    if (task.packageId !== null) {
      // Deleting the package waits for this lock and then sees that the task is running again.
      const [file] = await tx.select().from(packages).where(eq(packages.id, task.packageId)).for('share')
      if (!file || file.deletedAt) refuse(packageRefusals.packageGone, {}, 'taskId')
    }
    const waitMs = task.waitOfflineMinutes * 60_000 * ctx.env.TASK_DEADLINE_SCALE
    const now = ctx.now()
    const from = new Date(Math.max(now.getTime(), task.startAt.getTime()))
    const deadlineAt = new Date(from.getTime() + waitMs).toISOString()
    const [row] = await tx.execute<{ retried: number; skipped: number }>(sql`
      with failed as (
        select ${taskItems.id} as id, ${taskItems.attempt} as attempt, ${taskItems.wave} as wave, ${taskItems.args} as args, ${taskItems.targetHash} as target_hash, devices.id as device_id, devices.customer_id,
          case when ${task.type}::text = 'upgrade' then devices.firmware else devices.packages->>${task.packageName}::text end as has,
          devices.deleted_at is null and devices.secret_hash is not null
            and devices.customer_id = ${taskItems.customerId} as alive
        from ${taskItems} join devices on devices.id = ${taskItems.deviceId}
        where ${visible(ctx.actor).taskItems} and ${taskItems.taskId} = ${task.id} and ${taskItems.outcome} = 'failed'
          and not ${taskItems.superseded} and ${body.failure ? eq(taskItems.failure, body.failure) : sql`true`}
          and ${among(body.itemIds)}
        -- A device that is being given away is looked at again when that is done.
        order by ${taskItems.id} for update of task_items for key share of devices),
      again as (select * from failed where alive and (${task.version}::text is null or has is distinct from ${task.version}::text)),
      old as (update task_items i set superseded = true, retry_at = null from again where again.id = i.id),
      made as (
        insert into task_items (id, task_id, device_id, customer_id, attempt, wave, args, target_hash, deadline_at, step_at, from_version)
        select gen_random_uuid(), ${task.id}::int, device_id, customer_id, attempt + 1, wave, args, target_hash, ${deadlineAt}::timestamptz,
          ${now.toISOString()}::timestamptz, has from again
        returning id, device_id, attempt),
      noted as (
        insert into task_events (item_id, device_id, at, what, detail)
        select id, device_id, ${now.toISOString()}::timestamptz, 'created', 'attempt ' || attempt from made)
      select (select count(*) from made)::int as retried,
        (select count(*) from failed)::int - (select count(*) from again)::int as skipped`)
    const answer = { retried: row?.retried ?? 0, skipped: row?.skipped ?? 0 }
    if (answer.retried + answer.skipped === 0) refuse(taskRefusals.taskNothingToRetry)
    if (answer.retried > 0) {
      await noteDecision(tx, ctx, task.id, 'retried', {
        devices: answer.retried,
        failure: body.failure ?? null,
      })
      await tx
        .update(tasks)
        .set({
          status: 'ongoing',
          completedAt: null,
          responsibleId: responsibleAfterRetry(ctx.actor),
          ...(task.expiresAt
            ? { expiresAt: new Date(Math.max(task.expiresAt.getTime(), from.getTime() + waitMs)) }
            : {}),
        })
        .where(eq(tasks.id, task.id))
      if (task.status === 'completed') await reopenWave(tx, task.id)
    }
    return answer
  })
  await wake(ctx, dispatchTasks)
  ctx.note({ after: { ...counted, failure: body.failure } })
  return counted
})

export const deleteTaskHandler = handler(deleteTask, async (ctx) => {
  const task = rowOf(ctx, storedTask)
  // Its history is also that of devices which the actor does not see.
  await assertWhole(ctx, task.id)
  const gone = await ctx.db
    .delete(tasks)
    .where(and(visible(ctx.actor).tasks, eq(tasks.id, task.id), eq(tasks.status, 'completed')))
    .returning({ id: tasks.id })
  if (gone.length === 0) refuse(taskRefusals.taskOngoing)
  return null
})
