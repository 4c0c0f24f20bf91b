import { bigint, boolean, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { type DecisionFacts, taskDecisionKinds } from '../task/task-decision.ts'
import { at } from './columns.ts'
import { kept } from './kept.ts'
import { tasks } from './task.ts'
import { users } from './user.ts'

/** What was decided about a task as a whole; what happened to one device is in `task_events`. */
export const taskDecisions = pgTable(
  'task_decisions',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    taskId: integer('task_id')
      .notNull()
      .references(() => tasks.id, { onDelete: 'cascade' }),
    at: at('at').notNull().defaultNow(),
    what: text('what', { enum: taskDecisionKinds }).notNull(),
    facts: jsonb('facts').$type<DecisionFacts>().notNull().default({}),
    /** false: a user did it, whose account may be deleted since. */
    byEngine: boolean('by_engine').notNull(),
    userId: integer('user_id').references(() => users.id, { onDelete: 'set null' }),
  },
  (t) => [index('task_decisions_task').on(t.taskId, t.at)],
)
export const taskDecisionsKept = kept(taskDecisions, 'some rows for each task, deleted with it')
