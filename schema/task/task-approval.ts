/** Approval of a task by a second person before anything is sent. [decisions/094] */
import { z } from 'zod'
import { uses } from '../kit/about.ts'
import { call } from '../kit/call.ts'
import { labelled } from '../kit/field.ts'
import { flag } from '../kit/flag.ts'
import { storable } from '../kit/list.ts'
import { rowId } from '../kit/row-id.ts'
import { taskObject } from './task-object.ts'
import { taskApprovePermission } from './task-pages.ts'

/** `expired`: it was not decided within the parameter `approvalWaitHours`. */
export const approvalStates = ['waiting', 'approved', 'refused', 'expired'] as const
/** How an approval ends the task. */
export const approvalDenials = ['refused', 'expired'] as const satisfies (typeof approvalStates)[number][]

export const approvalFields = labelled(
  {
    approval: flag
      .optional()
      .describe('nothing is sent before a second user has approved it; some kinds always require it'),
  },
  { approval: 'rollout:approval.ask' },
)

const taskId = rowId

export const getAwaitedApprovals = call({
  path: '/api/task/getAwaitedApprovals',
  permission: taskApprovePermission,
  summary:
    'Tasks of others that wait for a second person and that the actor may decide, the oldest first; at most ten.',
  reply: z.object({
    list: z.array(z.object({ taskId: z.number(), name: z.string(), createdBy: z.string().nullable() })),
  }),
})

export const approveTask = call({
  path: '/api/task/approveTask',
  permission: taskApprovePermission,
  writes: true,
  about: uses(taskObject, 'taskId'),
  summary: 'Approves a task that waits for a second person. Its creator cannot.',
  body: z.object({ taskId }),
})

export const refuseTask = call({
  path: '/api/task/refuseTask',
  permission: taskApprovePermission,
  writes: true,
  about: uses(taskObject, 'taskId'),
  summary: 'Refuses a task that waits for a second person: it ends, and nothing was sent.',
  body: z.object(
    labelled(
      { taskId, note: storable(z.string().trim().max(500)).default('') },
      { note: 'rollout:approval.note' },
    ),
  ),
})
