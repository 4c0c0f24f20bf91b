/** What changed since a user last looked at the home page [decisions/080]. */
import { z } from 'zod'
import { call } from '../kit/call.ts'
import { instant } from '../kit/time.ts'
import { operationRow } from './operation.ts'

/** Opening the page again within this time is still the same visit: a reload does not hide what is new. */
export const VISIT_GAP_MS = 30 * 60_000
/** Default range without an earlier visit. */
export const FIRST_VISIT_MS = 86_400_000
/** Maximum range, for users who were away longer. */
export const CHANGES_MAX_MS = 7 * 86_400_000
/** Number of devices, tasks and operations listed. */
export const CHANGES_NAMED = 3

/** offline: went and has not returned; back: was offline and is online; first: connected for the first time. */
export const presenceChanges = ['offline', 'back', 'first'] as const

export const getHomeChanges = call({
  path: '/api/home/getHomeChanges',
  permission: 'login',
  summary: `What changed since the caller's last visit of the home page; a request begins a visit, or continues one of the last ${VISIT_GAP_MS / 60_000} minutes. API tokens make no visits. Null: not visible to the caller.`,
  reply: z.object({
    since: instant,
    first: z.boolean().describe('there was no earlier visit: since is a day ago'),
    alarms: z.object({ started: z.number(), ended: z.number() }).nullable(),
    devices: z
      .array(
        z.object({
          change: z.enum(presenceChanges),
          count: z.number(),
          first: z
            .array(
              z.object({ deviceId: z.number(), groupId: z.number(), deviceName: z.string(), at: instant }),
            )
            .describe('the latest'),
        }),
      )
      .nullable(),
    tasks: z
      .object({
        count: z.number(),
        first: z.array(
          z.object({
            taskId: z.number(),
            name: z.string(),
            completedAt: instant.nullable(),
            failed: z.number(),
          }),
        ),
      })
      .nullable()
      .describe('those completed'),
    operations: z
      .object({ count: z.number(), first: z.array(operationRow) })
      .nullable()
      .describe('what other users did'),
  }),
})
