/** Rolling back the devices that took the package of a task. */
import { and, eq, inArray, isNotNull, sql } from 'drizzle-orm'
import { cutText } from '#schema/kit/cut-text'
import { refuse } from '#schema/kit/refusal'
import { devices } from '#schema/tables/device'
import { packages } from '#schema/tables/package'
import { taskItems } from '#schema/tables/task'
import { moveSql } from '#schema/task/moves'
import { packageTypes } from '#schema/task/package'
import { dispatchTasks, sweepTasks } from '#schema/task/task'
import { taskRefusals } from '#schema/task/task-refusals'
import { previewRollback, rollBackTask } from '#schema/task/task-rollback'
import type { Transaction } from '../device/end-device-work.ts'
import { rowOf } from '../kit/about.ts'
import { type CallContext, handler } from '../kit/handler.ts'
import { visible } from '../kit/scope.ts'
import { wake } from '../kit/wake-job.ts'
import { createTask, ownerOf } from './create-task.ts'
import { kindFor } from './file-task.ts'
import { noteDecision } from './task-decision.ts'
import { storedTask } from './task-object.ts'
import { isWhole, pauseRunning } from './task-pause.ts'
import { packageFacts } from './upgrade.ts'

type Package = typeof packages.$inferSelect
type Former = {
  version: string
  devices: { id: number; customerId: number; itemId: string }[]
  found: Package | null
}

/** Only devices that still have the version of the task, and had another one before. */
async function formerOf(ctx: CallContext, db: Pick<CallContext['db'], 'select'>): Promise<Former[]> {
  const task = rowOf(ctx, storedTask)
  const type = packageTypes.find((one) => one === task.type)
  if (task.packageId === null || type === undefined) refuse(taskRefusals.taskNotRolledBack)
  const has = sql`case when ${type}::text = 'upgrade' then ${devices.firmware} else ${devices.packages}->>${task.packageName}::text end`
  const rows = await db
    .select({
      id: devices.id,
      customerId: devices.customerId,
      itemId: taskItems.id,
      version: sql<string>`${taskItems.fromVersion}`,
    })
    .from(taskItems)
    .innerJoin(devices, eq(devices.id, taskItems.deviceId))
    .where(
      and(
        visible(ctx.actor).taskItems,
        visible(ctx.actor).devices,
        eq(taskItems.taskId, task.id),
        eq(taskItems.superseded, false),
        // In any attempt: one that came back late may have the version from an earlier one.
        sql`exists (select 1 from task_items sent where sent.task_id = ${task.id} and sent.device_id = ${devices.id} and sent.offers > 0)`,
        // Those that are already on their way back are not sent back twice.
        sql`not exists (select 1 from task_items back join tasks way on way.id = back.task_id where back.device_id = ${devices.id}
          and back.outcome is null and way.type = ${type}::text and way.version = ${taskItems.fromVersion}
          and (${type}::text = 'upgrade' or way.package_name = ${task.packageName}::text))`,
        sql`${has} = ${task.version}::text`,
        sql`${taskItems.fromVersion} <> ${task.version}::text`,
        isNotNull(devices.secretHash),
      ),
    )
    .orderBy(devices.id)
  const byVersion = Map.groupBy(rows, ({ version }) => version)
  const stored =
    byVersion.size === 0
      ? []
      : await db
          .select()
          .from(packages)
          .where(
            and(
              visible(ctx.actor).packages,
              eq(packages.model, task.model ?? ''),
              eq(packages.type, type),
              // Complete firmware can be identified by its version; for other packages the name tells what they
              // replace.
              type === 'upgrade' ? undefined : eq(packages.name, task.packageName ?? ''),
              inArray(packages.version, [...byVersion.keys()]),
              isNotNull(packages.syncedAt),
            ),
          )
  const [source] = await db
    .select({ customerId: packages.customerId })
    .from(packages)
    .where(eq(packages.id, task.packageId))
  return [...byVersion].map(([version, some]) => {
    const owner = some.every(({ customerId }) => customerId === some[0]?.customerId)
      ? some[0]?.customerId
      : null
    // The platform sees the packages of all customers, and two owners may have one of this version.
    const owners = [source?.customerId ?? null, owner ?? null, null]
    const nearest = stored
      .filter((one) => one.version === version && owners.includes(one.customerId))
      .toSorted((one, other) => owners.indexOf(one.customerId) - owners.indexOf(other.customerId))
    return { version, devices: some, found: nearest[0] ?? null }
  })
}

/**
 * What the task still does with devices that go back ends: one that is observed would be sent nothing before the
 * observation is over, and one that waits for another attempt would get the version again.
 */
async function leave(tx: Transaction, ctx: CallContext, itemIds: readonly string[]): Promise<void> {
  const now = sql`${ctx.now().toISOString()}::timestamptz`
  const [relapse, dismiss] = [moveSql('relapse'), moveSql('dismiss')]
  const ids = sql`${`{${itemIds.join(',')}}`}::uuid[]`
  await tx.execute(sql`select 1 from task_items where id = any(${ids}) order by id for update`)
  await tx.execute(sql`update task_items set retry_at = null, retry_off = true where id = any(${ids})`)
  await tx.execute(sql`
    with observed as (
      update task_items i set ${sql.raw(relapse.set)}, failure = 'upgradeFailed', failure_detail = 'rolledBack', step_at = ${now}
      where i.id = any(${ids}) and ${sql.raw(relapse.where)} returning i.id, i.device_id)
    insert into task_events (item_id, device_id, at, what, detail)
    select id, device_id, ${now}, 'failed', 'upgradeFailed: rolledBack' from observed`)
  await tx.execute(sql`
    with waiting as (
      update task_items i set ${sql.raw(dismiss.set)}, failure_detail = 'rolledBack', step_at = ${now}
      where i.id = any(${ids}) and i.sending = 'none' and ${sql.raw(dismiss.where)} returning i.id, i.device_id)
    insert into task_events (item_id, device_id, at, what, detail)
    select id, device_id, ${now}, 'cancelled', 'rolledBack' from waiting`)
}

const shown = ({ version, devices: some, found }: Former) => ({
  version,
  devices: some.length,
  spId: found?.id ?? null,
})

/**
 * Pauses the task, else its later waves would get the version that is rolled back. Users who see only a part of its
 * devices cannot.
 */
const mayPause = async (ctx: CallContext): Promise<boolean> => {
  const { id, status, pausedAt } = rowOf(ctx, storedTask)
  return status === 'ongoing' && pausedAt === null && (await isWhole(ctx, id))
}

export const previewRollbackHandler = handler(previewRollback, async (ctx) => ({
  former: (await formerOf(ctx, ctx.db)).map(shown),
  pauses: await mayPause(ctx),
}))

export const rollBackTaskHandler = handler(rollBackTask, async (ctx, body) => {
  const task = rowOf(ctx, storedTask)
  const made: { taskId: number; version: string; devices: number }[] = []
  const pauses = await mayPause(ctx)
  const { paused, former } = await ctx.db.transaction(async (tx) => {
    // Asked for twice at once, the second one sees that the devices are on their way back.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('rollback'), ${task.id})`)
    const former = await formerOf(ctx, tx)
    const ready = former.flatMap(({ found, ...one }) => (found ? [{ ...one, found }] : []))
    if (former.length === 0) refuse(taskRefusals.taskNotRolledBack)
    if (ready.length === 0)
      refuse(taskRefusals.formerPackageGone, { versions: former.map(({ version }) => version).join(', ') })
    // Items before tasks, as everywhere.
    await leave(
      tx,
      ctx,
      ready.flatMap(({ devices: some }) => some.map(({ itemId }) => itemId)),
    )
    for (const { version, devices: some, found } of ready) {
      // Deleting the package waits for this lock and then sees the task.
      const kept = await tx.execute(
        sql`select 1 from packages where id = ${found.id} and deleted_at is null for share`,
      )
      if (kept.length === 0) refuse(taskRefusals.formerPackageGone, { versions: version })
      const taskId = await createTask(
        tx,
        ctx,
        { kind: kindFor(found.type), command: null },
        {
          ...packageFacts(found),
          deadlines: task.deadlines,
          customerId: ownerOf(ctx, some),
          // Several at once must be told apart.
          name: ready.length > 1 ? cutText(`${cutText(body.name, 48)} → ${version}`, 64) : body.name,
          description: task.name,
          keepConfig: true,
          server: task.server,
          startAt: ctx.now(),
          waitOfflineMinutes: task.waitOfflineMinutes,
          maxFailures: task.maxFailures,
          maxFailurePercent: task.maxFailurePercent,
          maxInFlight: task.maxInFlight,
          maxPerSecond: task.maxPerSecond,
          groupShare: task.groupShare,
          slowStart: task.slowStart,
          window: task.window,
          soakMinutes: task.soakMinutes,
          unmetered: task.unmetered,
          retries: task.retries,
          approvalUntil: null,
          matching: some.length,
          leftOut: [],
        },
        some.map(({ id }) => id),
      )
      made.push({ taskId, version, devices: some.length })
      await noteDecision(tx, ctx, task.id, 'rolledBack', { devices: some.length, version, task: taskId })
    }
    return { paused: pauses && (await pauseRunning(tx, ctx, task.id)), former }
  })
  ctx.note({
    after: {
      tasks: made.map(({ taskId }) => taskId).join(', '),
      devices: made.reduce((n, one) => n + one.devices, 0),
    },
  })
  await wake(ctx, dispatchTasks)
  await wake(ctx, sweepTasks)
  return { tasks: made, paused, without: former.filter(({ found }) => found === null).map(shown) }
})
