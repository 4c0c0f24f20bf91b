/** Rolling back: devices that installed a version get the previous one, as separate tasks. [decisions/094] */

import { z } from 'zod'
import { reads, uses } from '../kit/about.ts'
import { call } from '../kit/call.ts'
import { labelled } from '../kit/field.ts'
import { line } from '../kit/person.ts'
import { rowId } from '../kit/row-id.ts'
import { taskObject } from './task-object.ts'
import { upgradeCreatePermission } from './task-pages.ts'

const taskId = rowId
const former = z.object({
  version: z.string().describe('what the devices had before'),
  devices: z.number(),
  spId: z.number().nullable().describe('the stored package of that version; null: there is none any more'),
})

export const previewRollback = call({
  path: '/api/task/previewRollback',
  permission: upgradeCreatePermission,
  about: reads(taskObject, 'taskId'),
  summary:
    'The former versions of the devices that took the package of a task and still have it, and whether their packages are stored.',
  body: z.object({ taskId }),
  reply: z.object({
    former: z.array(former),
    pauses: z.boolean().describe('the task is running, and would be paused'),
  }),
})

export const rollBackTask = call({
  path: '/api/task/rollBackTask',
  permission: upgradeCreatePermission,
  writes: true,
  about: uses(taskObject, 'taskId'),
  summary:
    'Gives the devices that took the package of a task their former version: one new task for each former version whose package is stored. A task that is running is paused, unless some of its devices are not visible.',
  body: z.object({
    taskId,
    ...labelled({ name: line(64).min(1) }, { name: 'upgrade:field.name' }),
  }),
  reply: z.object({
    tasks: z.array(z.object({ taskId: z.number(), version: z.string(), devices: z.number() })),
    paused: z
      .boolean()
      .describe('the task was running: the rest of its devices get nothing until it is resumed'),
    without: z.array(former).describe('devices whose former package is not stored'),
  }),
})
