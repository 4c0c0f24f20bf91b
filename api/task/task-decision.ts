/** The timeline of a task: reading it, and what users decide. The engine's part is in workers/task/decide.ts. */
import { eq } from 'drizzle-orm'
import { taskDecisions, tasks } from '#schema/tables/task'
import { users } from '#schema/tables/user'
import { type DecisionFacts, getTaskDecisions, type TaskDecisionKind } from '#schema/task/task-decision'
import type { Transaction } from '../device/end-device-work.ts'
import { rowOf } from '../kit/about.ts'
import type { CallContext } from '../kit/handler.ts'
import { knownName } from '../kit/known-name.ts'
import { listOf } from '../kit/list-of.ts'
import { storedTask } from './task-object.ts'

/** Runs in the transaction of the decision. */
export async function noteDecision(
  tx: Pick<Transaction, 'insert'>,
  ctx: Pick<CallContext, 'actor' | 'now'>,
  taskId: number,
  what: TaskDecisionKind,
  facts: DecisionFacts = {},
): Promise<void> {
  await tx
    .insert(taskDecisions)
    .values({ taskId, at: ctx.now(), what, facts, byEngine: false, userId: ctx.actor.userId })
}

export const getTaskDecisionsHandler = listOf(getTaskDecisions, 'tasks', (ctx) => {
  const task = rowOf(ctx, storedTask)
  return {
    table: taskDecisions,
    rows: ctx.db
      .select({
        id: taskDecisions.id,
        at: taskDecisions.at,
        what: taskDecisions.what,
        facts: taskDecisions.facts,
        by: knownName(ctx.actor, users, taskDecisions.userId),
        byEngine: taskDecisions.byEngine,
      })
      .from(taskDecisions)
      .innerJoin(tasks, eq(tasks.id, taskDecisions.taskId))
      .leftJoin(users, eq(users.id, taskDecisions.userId)),
    filters: { taskId: () => eq(taskDecisions.taskId, task.id) },
    tie: taskDecisions.id,
    countJoined: true,
  }
})
