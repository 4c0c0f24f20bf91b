/** One merged history of a device: presence, commands, tasks, operator actions. */

import { z } from 'zod'
import { listCall } from '../kit/list.ts'
import { rowId } from '../kit/row-id.ts'
import { askedTime, instant } from '../kit/time.ts'
import { deviceDetailPermission } from './device-pages.ts'
import { pastDays } from './device-past.ts'

export const timelineKinds = [
  'online',
  'offline',
  'command',
  'task',
  'operation',
  'warning',
  'firmware',
  'alarm',
  'sim',
  'backup',
  'schedule',
] as const

export const getDeviceTimeline = listCall({
  path: '/api/device/getDeviceTimeline',
  permission: deviceDetailPermission,
  summary: 'What happened to one device and who did it, newest first.',
  sorts: ['at'],
  descending: ['at'],
  searches: ['what', 'detail', 'actor', 'taskName', 'packageName', 'version'],
  filters: {
    deviceId: rowId,
    kinds: z.array(z.enum(timelineKinds)).max(timelineKinds.length).optional().describe('absent: all'),
    days: pastDays,
    until: askedTime.optional().describe('only what happened before; absent: up to now'),
  },
  row: z.object({
    at: instant,
    kind: z.enum(timelineKinds),
    /**
     * Details: an offline reason, a command name (of services and diagnosis with its object), a task's last step, a call
     * name, the reason of a SIM switch, the state of a backup or a scheduled run.
     */
    what: z.string(),
    detail: z.string().nullable(),
    actor: z.string().nullable(),
    taskId: z.number().nullable(),
    /** Only for a task: its name, and what it installs. */
    taskName: z.string().nullable(),
    taskKind: z.string().nullable(),
    packageName: z.string().nullable(),
    version: z.string().nullable(),
    /** Of a task, oldest first: a task is one row, at the time of its last step. Null for other kinds. */
    steps: z.array(z.object({ at: instant, what: z.string(), detail: z.string().nullable() })).nullable(),
  }),
})
