/** Watching tasks. */

import { and, asc, count, desc, eq, inArray, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import { kindNamed, taskKinds } from '#infra/task-kinds'
import { refuse } from '#schema/kit/refusal'
import { type TaskFailure, taskSteps } from '#schema/kit/task-kind'
import { sessionRefusals } from '#schema/people/session-refusals'
import { deviceStates, devices } from '#schema/tables/device'
import { groups } from '#schema/tables/group'
import { taskItems, tasks } from '#schema/tables/task'
import { getConfigTaskList } from '#schema/task/config-task'
import { isLocked } from '#schema/task/moves'
import { getTask, getTaskItems, getTaskList } from '#schema/task/task-calls'
import { estimateLeft, ratePerHour } from '#schema/task/task-pace'
import type { LeftOut } from '#schema/task/task-target'
import { openArgs } from '../command/sealed-args.ts'
import { isOnline } from '../device/device-filter.ts'
import { workColumns } from '../device/device-state.ts'
import { rowOf } from '../kit/about.ts'
import { type CallContext, handler } from '../kit/handler.ts'
import { listOf } from '../kit/list-of.ts'
import { visible } from '../kit/scope.ts'
import { itemDeadline } from './item-deadline.ts'
import { approvalOf } from './task-approval.ts'
import { storedTask } from './task-object.ts'
import { paceOf } from './task-pace.ts'
import { countItems, selectTasks, updatedAtOf, withPause } from './task-row.ts'
import { wavesOf } from './task-wave.ts'

/** Devices report reasons as free text: only the most frequent are listed separately. */
const ERRORS_SHOWN = 10

const urgencyAt = (now: Date) => sql`case when ${tasks.status} <> 'ongoing' then 4
  when ${tasks.pausedAt} is not null then case when ${tasks.pauseReason} in ('person', 'approval') then 1 else 0 end
  when ${tasks.startAt} <= ${now.toISOString()}::timestamptz then 2 else 3 end`

type SelectedTask = Awaited<ReturnType<typeof selectTasks>>[number]
const counted = (
  row: SelectedTask,
  { counts, latest }: ReturnType<Awaited<ReturnType<typeof countItems>>>,
) => ({
  ...withPause(row),
  updatedAt: updatedAtOf(row, latest),
  counts,
})

async function countAll(rows: readonly SelectedTask[], ctx: CallContext) {
  const counts = await countItems(
    ctx,
    rows.map((row) => row.taskId),
  )
  return rows.map((row) => counted(row, counts(row.taskId)))
}

export const getTaskListHandler = listOf(
  getTaskList,
  'tasks',
  (ctx) => ({ table: tasks, rows: selectTasks(ctx), by: { urgency: urgencyAt(ctx.now()) } }),
  (rows, ctx) => countAll(rows, ctx),
)

const configKinds = [...taskKinds.values()]
  .filter(({ sends }) => sends.by === 'offer' && sends.fileType === 'config')
  .map(({ name }) => name)

export const getConfigTaskListHandler = listOf(
  getConfigTaskList,
  'tasks',
  (ctx) => ({
    table: tasks,
    rows: selectTasks(ctx),
    where: inArray(tasks.kind, configKinds),
    by: { urgency: urgencyAt(ctx.now()) },
  }),
  (rows, ctx) => countAll(rows, ctx),
)

/** null: none, deleted, or not visible to the caller. */
async function nameOfGroup({ db, actor }: CallContext, groupId: number | undefined) {
  if (groupId === undefined) return null
  const [found] = await db
    .select({ name: groups.name })
    .from(groups)
    .where(and(visible(actor).groups, eq(groups.id, groupId)))
  return found?.name ?? null
}

/**
 * The task keeps serial numbers of devices that were left out, as its creator saw them: also of other groups, and, of a
 * creator of the platform, of other customers.
 */
async function seenLeftOut({ db, actor }: CallContext, leftOut: readonly LeftOut[]): Promise<LeftOut[]> {
  const named = leftOut.flatMap(({ sample }) => sample)
  if (named.length === 0) return [...leftOut]
  const rows = await db
    .select({ sn: devices.sn })
    .from(devices)
    .where(and(visible(actor).devices, inArray(devices.sn, named)))
  const seen = new Set(rows.map(({ sn }) => sn))
  return leftOut.map((left) => ({ ...left, sample: left.sample.filter((sn) => seen.has(sn)) }))
}

export const getTaskHandler = handler(getTask, async (ctx, _body) => {
  const task = rowOf(ctx, storedTask)
  const [row] = await selectTasks(ctx).where(and(visible(ctx.actor).tasks, eq(tasks.id, task.id)))
  if (!row) refuse(sessionRefusals.noPermission, {}, 'taskId')
  const itemsCounted = (await countItems(ctx, [row.taskId]))(row.taskId)
  const failures = await ctx.db
    .select({ failure: taskItems.failure, count: count() })
    .from(taskItems)
    .innerJoin(devices, eq(devices.id, taskItems.deviceId))
    .where(
      and(
        visible(ctx.actor).taskItems,
        eq(taskItems.taskId, row.taskId),
        eq(taskItems.superseded, false),
        eq(taskItems.outcome, 'failed'),
      ),
    )
    .groupBy(taskItems.failure)
    .orderBy(desc(count()), asc(taskItems.failure))
  const errors = await ctx.db
    .select({ error: sql<string>`${taskItems.failureDetail}`, count: count() })
    .from(taskItems)
    .innerJoin(devices, eq(devices.id, taskItems.deviceId))
    .where(
      and(
        visible(ctx.actor).taskItems,
        eq(taskItems.taskId, row.taskId),
        eq(taskItems.superseded, false),
        eq(taskItems.outcome, 'failed'),
        isNotNull(taskItems.failureDetail),
      ),
    )
    .groupBy(taskItems.failureDetail)
    .orderBy(desc(count()), asc(taskItems.failureDetail))
    .limit(ERRORS_SHOWN)
  const pace = await paceOf(ctx, task)
  const now = ctx.now()
  const estimate = estimateLeft(
    { status: row.status, started: row.startAt <= now, paused: row.pausedAt !== null },
    pace,
  )
  return {
    ...counted(row, itemsCounted),
    ...(await approvalOf(ctx, task)),
    wave: task.wave,
    waves: await wavesOf(ctx, task.id),
    waveSuccessPercent: task.waveSuccessPercent,
    soakMinutes: task.soakMinutes,
    unmetered: task.unmetered,
    joinUntil: task.joinUntil,
    joins: task.joins && { ...task.joins, groupName: await nameOfGroup(ctx, task.joins.groupId) },
    window: task.window,
    retries: task.retries ?? [],
    keepConfig: task.keepConfig,
    server: task.server,
    sizeBytes: task.sizeBytes,
    sha256: task.sha256,
    waitOfflineMinutes: task.waitOfflineMinutes,
    maxFailures: task.maxFailures,
    maxFailurePercent: task.maxFailurePercent,
    maxInFlight: task.maxInFlight,
    slowStart: task.slowStart,
    maxPerSecond: task.maxPerSecond,
    groupShare: task.groupShare,
    expiresAt: task.expiresAt,
    args: task.args && openArgs(task.args),
    matching: task.matching,
    leftOut: await seenLeftOut(ctx, task.leftOut),
    errors,
    failures: failures.map((entry) => ({ ...entry, failure: entry.failure ?? 'unknownError' })),
    estimatedEndAt: estimate.leftMs === null ? null : new Date(now.getTime() + estimate.leftMs),
    noEstimate: estimate.why,
    ratePerHour: ratePerHour(pace),
    waitingOffline: pace.waitingOffline,
  }
})

const stepOrder = sql`array_position(${sql.raw(`array['${taskSteps.join("','")}']`)}, ${taskItems.step})`

/** A step selects the running items in it; together with an outcome, those that ended there. */
function standsAt(step: (typeof taskSteps)[number], outcome: string | undefined): SQL | undefined {
  if (outcome !== undefined || step === 'done') return eq(taskItems.step, step)
  return and(eq(taskItems.step, step), isNull(taskItems.outcome))
}

const stillOwned = sql`(${devices.customerId} = ${taskItems.customerId})`

export const getTaskItemsHandler = listOf(
  getTaskItems,
  'taskItems',
  async (ctx, body) => {
    const task = rowOf(ctx, storedTask)
    return {
      table: taskItems,
      rows: ctx.db
        .select({
          itemId: taskItems.id,
          deviceId: taskItems.deviceId,
          deviceSn: devices.sn,
          // If the device was moved to another customer, its current name belongs to them.
          deviceName: sql<string>`case when ${stillOwned} then ${devices.name} else ${devices.sn} end`,
          timeZone: sql<string | null>`case when ${stillOwned} then ${devices.timeZone} end`,
          online: sql<boolean>`${stillOwned} and ${isOnline}`,
          ...workColumns(ctx.now(), stillOwned),
          attempt: taskItems.attempt,
          step: taskItems.step,
          percent: taskItems.percent,
          outcome: taskItems.outcome,
          failure: taskItems.failure,
          failureDetail: taskItems.failureDetail,
          heldUpBy: sql<TaskFailure | null>`case when ${isNull(taskItems.outcome)} then ${taskItems.heldUpBy} end`,
          stepAt: taskItems.stepAt,
          sentAt: taskItems.offeredAt,
          result: taskItems.result,
          sending: taskItems.sending,
          deadlineAt: itemDeadline(ctx.env.TASK_DEADLINE_SCALE),
          soakUntil:
            sql<Date | null>`case when ${taskItems.sending} = 'soaking' and ${isNull(taskItems.outcome)} then ${taskItems.soakUntil} end`.mapWith(
              taskItems.soakUntil,
            ),
          retryAt: taskItems.retryAt,
          wave: taskItems.wave,
          fromVersion: taskItems.fromVersion,
          kind: tasks.kind,
          version: tasks.version,
          pausedAt: tasks.pausedAt,
        })
        .from(taskItems)
        .innerJoin(tasks, eq(tasks.id, taskItems.taskId))
        .innerJoin(devices, eq(devices.id, taskItems.deviceId))
        .leftJoin(deviceStates, eq(deviceStates.deviceId, devices.id)),
      where: eq(taskItems.superseded, false),
      by: { step: stepOrder },
      filters: {
        taskId: () => eq(taskItems.taskId, task.id),
        step: (step) => standsAt(step, body.outcome),
        outcome: (outcome) =>
          outcome === 'running' ? isNull(taskItems.outcome) : eq(taskItems.outcome, outcome),
      },
      tie: devices.sn,
      countJoined: true,
    }
  },
  (rows) =>
    rows.map(({ sending, kind, pausedAt, ...row }) => {
      const locked = isLocked(kindNamed(kind), { ...row, sending })
      const running = row.outcome === null
      return {
        ...row,
        // In a paused task only devices that install have a deadline.
        deadlineAt: running && (pausedAt === null || locked) ? row.deadlineAt : null,
        // Due retries wait until the task is resumed.
        retryAt: pausedAt === null ? row.retryAt : null,
        canCancel: running && !locked,
      }
    }),
)
