/** Creating tasks that send a command. Those that install a package are created by `addLevelUp`. */

import { z } from 'zod'
import { makes } from '../kit/about.ts'
import { bodyLimits, call } from '../kit/call.ts'
import { field } from '../kit/field.ts'
import { storable } from '../kit/list.ts'
import { line } from '../kit/person.ts'
import { askedTime } from '../kit/time.ts'
import { approvalFields } from './task-approval.ts'
import { guardFields, paceFields } from './task-guard.ts'
import { taskObject } from './task-object.ts'
import { rolloutFields, WAIT_MINUTES_MAX } from './task-rollout.ts'
import { leftOut, onceFields, target } from './task-target.ts'

const kind = z.string().max(64).describe('a task kind that sends a command')
const command = z
  .string()
  .max(64)
  .optional()
  .describe('of kinds that leave it to the task: one that declares `bulk`')

const waitOfflineMinutes = field(z.coerce.number().int().min(0).max(WAIT_MINUTES_MAX), {
  label: 'upgrade:wizard.wait',
})
  .optional()
  .describe('how long offline devices are waited for; absent: they are left out, and the others expire')

export const previewTask = call({
  path: '/api/task/previewTask',
  bodyLimit: bodyLimits.selection,
  permission: 'login',
  summary:
    'The devices that would get this command now, and those that would not, with the reason. Nothing is written.',
  body: target.extend({ kind, command, waitOfflineMinutes }),
  reply: z.object({
    matching: z.number(),
    eligible: z.number(),
    leftOut: z.array(leftOut),
    atOnce: z.number().describe('maximum number that are offline for it at the same time'),
    secondPerson: z.boolean().describe('a second person must approve it before anything is sent'),
    waitS: z.number().describe('items that are not sent within this time expire'),
  }),
})

export const addTask = call({
  path: '/api/task/addTask',
  bodyLimit: bodyLimits.selection,
  permission: 'login',
  writes: true,
  about: makes(taskObject, { by: 'taskId', named: 'name' }),
  summary:
    'Sends a declared command to all eligible devices of a selection, at a limited rate; requires the permission of the kind. Limits that are left out default to those that the kind and its command declare.',
  body: target.extend({
    kind,
    command,
    args: z.record(z.string(), z.unknown()).default({}),
    name: field(line(64).min(1), { label: 'upgrade:field.name' }),
    description: field(storable(z.string().trim().max(500)), { label: 'upgrade:field.description' }).default(
      '',
    ),
    startAt: field(askedTime, { label: 'upgrade:field.startAt' })
      .optional()
      .describe('default: now; refused if it is more than 5 minutes past'),
    ...onceFields,
    typedCount: z.coerce
      .number()
      .int()
      .optional()
      .describe('of kinds that require a second person: how many devices get it, as the creator typed it'),
    ...approvalFields,
    ...rolloutFields,
    waitOfflineMinutes,
    ...guardFields,
    ...paceFields,
  }),
  reply: z.object({ taskId: z.number(), devices: z.number(), leftOut: z.array(leftOut) }),
})
