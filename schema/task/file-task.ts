/** Fields shared by the calls that create a task which sends a file: name, start, waiting time. */

import { z } from 'zod'
import { field } from '../kit/field.ts'
import { storable } from '../kit/list.ts'
import { line } from '../kit/person.ts'
import { askedTime } from '../kit/time.ts'
import { approvalFields } from './task-approval.ts'
import { guardFields, paceFields } from './task-guard.ts'
import { rolloutFields, WAIT_MINUTES_MAX } from './task-rollout.ts'
import { onceFields } from './task-target.ts'

export const delayReasons = ['offline', 'busy'] as const
export type DelayReason = (typeof delayReasons)[number]

/** Eligible devices that cannot get the file immediately. */
export const delayed = z.array(
  z.object({ reason: z.enum(delayReasons), count: z.number(), sample: z.array(z.string()) }),
)
export const waitOffline = z
  .number()
  .describe('default number of minutes that a task waits for offline devices')

export const fileTaskFields = {
  name: field(line(64).min(1), { label: 'upgrade:field.name' }),
  description: field(storable(z.string().trim().max(500)), { label: 'upgrade:field.description' }).default(
    '',
  ),
  path: z.string().max(500).optional().describe('kept for compatibility; the file is found by spId'),
  spFileSize: z.coerce.number().optional().describe('likewise'),
  startAt: field(askedTime, { label: 'upgrade:field.startAt' })
    .optional()
    .describe('default: now; refused if it is more than 5 minutes past'),
  waitOfflineMinutes: field(z.coerce.number().int().min(0).max(WAIT_MINUTES_MAX), {
    label: 'upgrade:wizard.wait',
  })
    .optional()
    .describe(
      'how long an offline device is waited for, from the start or from when it left; default: the parameter upgradeWaitMinutes',
    ),
  ...onceFields,
  ...approvalFields,
  ...rolloutFields,
  ...guardFields,
  ...paceFields,
}
export type FileTaskBody = z.output<z.ZodObject<typeof fileTaskFields>>
