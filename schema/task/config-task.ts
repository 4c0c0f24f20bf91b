/** [§7 addConfig] Tasks that send a configuration file to devices, and one that gives a device its backup again. */

import { z } from 'zod'
import { backupObject } from '../device/backup.ts'
import { makes, reads } from '../kit/about.ts'
import { bodyLimits, call } from '../kit/call.ts'
import { field } from '../kit/field.ts'
import { listCall } from '../kit/list.ts'
import { rowId } from '../kit/row-id.ts'
import { configFileObject } from './config-file-object.ts'
import { configTaskCreatePermission, configTaskListPermission } from './config-pages.ts'
import { mobileData } from './data-plan.ts'
import { delayed, fileTaskFields, waitOffline } from './file-task.ts'
import { taskStatuses } from './moves.ts'
import { taskRow } from './task-calls.ts'
import { taskObject } from './task-object.ts'
import { leftOut, target } from './task-target.ts'

const spId = field(rowId, { label: 'config-task:field.file' })

export const getConfigTaskList = listCall({
  path: '/api/configTask/getConfigTaskList',
  permission: configTaskListPermission,
  summary: 'The tasks that send configuration files, with their step counts.',
  sorts: ['createdAt', 'name', 'startAt', 'urgency'],
  descending: ['createdAt', 'startAt'],
  searches: ['name'],
  filters: { status: z.enum(taskStatuses).optional() },
  row: taskRow,
})

export const preflightConfig = call({
  path: '/api/configTask/preflight',
  about: reads(configFileObject, 'spId'),
  bodyLimit: bodyLimits.selection,
  permission: configTaskCreatePermission,
  summary:
    'The devices that could restore this configuration file, and those that could not, with the reason. Nothing is written.',
  body: target.extend({ spId }),
  reply: z.object({
    matching: z.number(),
    eligible: z.number(),
    delayed,
    leftOut: z.array(leftOut),
    models: z
      .array(z.object({ model: z.string().nullable(), count: z.number() }))
      .describe('of the eligible devices: a configuration seldom fits several models'),
    waitOfflineMinutes: waitOffline,
    mobile: mobileData,
  }),
})

export const addConfig = call({
  path: '/api/configTask/addConfig',
  bodyLimit: bodyLimits.selection,
  permission: configTaskCreatePermission,
  writes: true,
  about: makes(taskObject, { by: 'taskId', named: 'name', of: { object: configFileObject, by: 'spId' } }),
  summary:
    'Creates a task that sends a configuration file to the eligible devices; each restores it and restarts. The others are returned with their reasons.',
  body: target.extend({ spId, ...fileTaskFields }),
  blanks: ['description', 'path', 'spFileSize'],
  reply: z.object({ taskId: z.number(), devices: z.number(), leftOut: z.array(leftOut) }),
})

export const restoreBackup = call({
  path: '/api/configTask/restoreBackup',
  permission: configTaskCreatePermission,
  writes: true,
  about: makes(taskObject, { by: 'taskId', of: { object: backupObject, by: 'backupId' } }),
  summary:
    'Sends a kept backup to the device that made it, or to the machine that took its place: a config task of one device.',
  body: z.object({ backupId: z.uuid(), requestId: fileTaskFields.requestId }),
  reply: z.object({ taskId: z.number() }),
})
