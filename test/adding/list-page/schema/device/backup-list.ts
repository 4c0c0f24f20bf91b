/** The configuration backups of all devices in one list. */

import { z } from 'zod'
import { listCall } from '../kit/list.ts'
import { permission } from '../kit/permission.ts'
import { screen } from '../kit/screen.ts'
import { instant } from '../kit/time.ts'

export const backupListPermission = permission({
  id: 29000,
  name: 'backupList',
  role: 'operator',
  under: 'backup-list',
})

export const backupFiles = ['yes', 'no'] as const

export const getFleetBackups = listCall({
  path: '/api/backup/getFleetBackups',
  permission: backupListPermission,
  summary: 'Configuration backups of all devices that the actor may see, newest first.',
  sorts: ['createdAt', 'deviceSn', 'sizeBytes'],
  descending: ['createdAt', 'sizeBytes'],
  searches: ['deviceSn', 'deviceName', 'remark'],
  filters: { hasFile: z.enum(backupFiles).optional() },
  row: z.object({
    id: z.string(),
    deviceId: z.number(),
    groupId: z.number(),
    deviceSn: z.string(),
    deviceName: z.string(),
    createdAt: instant,
    remark: z.string().nullable(),
    sizeBytes: z.number().nullable().describe('null: the file has not come'),
    firmware: z.string().nullable(),
  }),
})

export const backupListScreen = screen({
  name: 'backup-list',
  path: '/device/backups',
  menuId: 290,
  role: 'operator',
  permission: backupListPermission,
  parent: 'device',
  place: 90,
  area: 'management',
})
