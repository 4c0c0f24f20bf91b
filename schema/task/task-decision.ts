/** The timeline of a task: what the engine or a user decided, when and why. [decisions/094] */
import { z } from 'zod'
import { reads } from '../kit/about.ts'
import { listCall } from '../kit/list.ts'
import { rowId } from '../kit/row-id.ts'
import { instant } from '../kit/time.ts'
import { taskObject } from './task-object.ts'

export const taskDecisionKinds = [
  'created',
  'approvalAsked',
  'approved',
  'refused',
  'approvalExpired',
  'started',
  'waveStarted',
  'waveReached',
  'waveShort',
  'waveSkipped',
  'paused',
  'resumed',
  'retried',
  'joined',
  'cancelled',
  'retriesCancelled',
  'rolledBack',
  'completed',
] as const
export type TaskDecisionKind = (typeof taskDecisionKinds)[number]

/** Numbers and names for the text of the decision; never text from a device. */
export type DecisionFacts = Readonly<Record<string, string | number | null>>

export const getTaskDecisions = listCall({
  path: '/api/task/getTaskDecisions',
  permission: 'login',
  about: reads(taskObject, 'taskId'),
  summary: 'What the engine and users decided about a task, the latest first.',
  sorts: ['at'],
  descending: ['at'],
  filters: { taskId: rowId },
  row: z.object({
    id: z.number(),
    at: instant,
    what: z.enum(taskDecisionKinds),
    facts: z.record(z.string(), z.union([z.string(), z.number(), z.null()])),
    by: z.string().nullable().describe('the user; null: the engine, or a user who is not visible'),
    byEngine: z.boolean(),
  }),
})
