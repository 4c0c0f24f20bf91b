/** One row of the task list, with counts of the devices that the actor may see. */

import { and, eq, inArray, max, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { commandOf, kindNamed } from '#infra/task-kinds'
import { refuse } from '#schema/kit/refusal'
import { taskSteps } from '#schema/kit/task-kind'
import { sessionRefusals } from '#schema/people/session-refusals'
import { customers } from '#schema/tables/customer'
import { devices } from '#schema/tables/device'
import { taskItems, tasks } from '#schema/tables/task'
import { users } from '#schema/tables/user'
import type { TaskCounts } from '#schema/task/task-calls'
import type { PauseReason } from '#schema/task/task-guard'
import { rowOf } from '../kit/about.ts'
import type { Actor } from '../kit/actor.ts'
import { holds } from '../kit/actor.ts'
import type { CallContext } from '../kit/handler.ts'
import { knownName } from '../kit/known-name.ts'
import { visible } from '../kit/scope.ts'
import { storedTask } from './task-object.ts'

const pausers = alias(users, 'pausers')
const taskColumns = (actor: Actor) => ({
  taskId: tasks.id,
  name: tasks.name,
  description: tasks.description,
  status: tasks.status,
  kind: tasks.kind,
  command: tasks.command,
  type: tasks.type,
  packageName: tasks.packageName,
  version: tasks.version,
  model: tasks.model,
  startAt: tasks.startAt,
  createdAt: tasks.createdAt,
  completedAt: tasks.completedAt,
  createdBy: knownName(actor, users, tasks.createdBy),
  customerName: customers.name,
  approval: tasks.approval,
  pausedAt: tasks.pausedAt,
  pauseReason: tasks.pauseReason,
  pausedBy: knownName(actor, pausers, tasks.pausedBy),
  pausedFailed: tasks.pausedFailed,
  pausedTried: tasks.pausedTried,
})

/** To be filtered by a condition that begins with `visible(actor).tasks`. */
export const selectTasks = ({ db, actor }: Pick<CallContext, 'db' | 'actor'>) =>
  db
    .select(taskColumns(actor))
    .from(tasks)
    .leftJoin(users, eq(users.id, tasks.createdBy))
    .leftJoin(pausers, eq(pausers.id, tasks.pausedBy))
    .leftJoin(customers, eq(customers.id, tasks.customerId))

type PauseColumns = {
  pausedAt: Date | null
  pauseReason: PauseReason | null
  pausedBy: string | null
  pausedFailed: number | null
  pausedTried: number | null
}

/** The row as returned: the pause as one object, or null. */
export function withPause<R extends PauseColumns>(row: R) {
  const { pausedAt, pauseReason, pausedBy, pausedFailed, pausedTried, ...rest } = row
  const paused =
    pausedAt === null
      ? null
      : {
          at: pausedAt,
          reason: pauseReason ?? ('person' as const),
          by: pausedBy,
          failed: pausedFailed,
          tried: pausedTried,
        }
  return { ...rest, paused }
}

const noItems = (): TaskCounts =>
  ({
    ...Object.fromEntries(taskSteps.map((step) => [step, 0])),
    failed: 0,
    cancelled: 0,
    total: 0,
  }) as TaskCounts

/** A running item counts for its step, an ended one for its outcome. */
export const standing = sql<keyof TaskCounts>`coalesce(${taskItems.outcome}, ${taskItems.step})`

/** `latest`: when one of them last made progress; null: none is visible. */
type Counted = { counts: TaskCounts; latest: Date | null }

/** When anything last happened to a task. */
export const updatedAtOf = (
  row: { createdAt: Date; completedAt: Date | null; pausedAt: Date | null },
  latest: Date | null,
): Date =>
  [row.completedAt, row.pausedAt, latest].reduce<Date>(
    (last, at) => (at !== null && at > last ? at : last),
    row.createdAt,
  )

export async function countItems(
  { db, actor }: CallContext,
  taskIds: readonly number[],
): Promise<(taskId: number) => Counted> {
  const counts = new Map<number, Counted>()
  const rows =
    taskIds.length === 0
      ? []
      : await db
          .select({
            taskId: taskItems.taskId,
            standing,
            n: sql<number>`count(*)`.mapWith(Number),
            latest: max(taskItems.stepAt),
          })
          .from(taskItems)
          .innerJoin(devices, eq(devices.id, taskItems.deviceId))
          .where(
            and(
              visible(actor).taskItems,
              inArray(taskItems.taskId, [...taskIds]),
              eq(taskItems.superseded, false),
            ),
          )
          .groupBy(taskItems.taskId, standing)
  for (const row of rows) {
    const found = counts.get(row.taskId) ?? { counts: noItems(), latest: null }
    counts.set(row.taskId, found)
    found.counts[row.standing] += row.n
    found.counts.total += row.n
    if (row.latest && (found.latest === null || row.latest > found.latest)) found.latest = row.latest
  }
  return (taskId) => counts.get(taskId) ?? { counts: noItems(), latest: null }
}

/**
 * The call's task, which the actor may pause, resume, retry or cancel. @throws Refusal 5 unless they have the
 * permission of its kind, or else of the command that it sends
 */
export function steerTask(ctx: CallContext) {
  const task = rowOf(ctx, storedTask)
  const kind = kindNamed(task.kind)
  const needed = kind.permission.control ?? commandOf(kind, task.command)?.permission
  return needed !== undefined && holds(ctx.actor, needed) ? task : refuse(sessionRefusals.noPermission)
}
