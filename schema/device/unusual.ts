/** [§4] Abnormal devices: deleted, disconnected, kept with the reason; they can be restored or purged. */

import { z } from 'zod'
import { finds } from '../kit/about.ts'
import { bodyLimits, call } from '../kit/call.ts'
import { job, LONG_DEADLINE_MS } from '../kit/job.ts'
import { listCall, searchText, storable } from '../kit/list.ts'
import { permission } from '../kit/permission.ts'
import { rowId } from '../kit/row-id.ts'
import { screen } from '../kit/screen.ts'
import { deviceZone, instant } from '../kit/time.ts'
import { atMost, deviceSelection } from './device.ts'
import { deviceObject } from './device-object.ts'

export const unusualListPermission = permission({
  id: 9200,
  name: 'unusualList',
  role: 'customerAdmin',
  under: 'unusual-list',
})
export const deviceDeletePermission = permission({
  id: 1408,
  name: 'deviceDelete',
  role: 'customerAdmin',
  under: 'device-list',
})
export const deviceRestorePermission = permission({
  id: 9201,
  name: 'deviceRestore',
  role: 'customerAdmin',
  under: 'unusual-list',
})
export const devicePurgePermission = permission({
  id: 9202,
  name: 'devicePurge',
  role: 'customerAdmin',
  under: 'unusual-list',
})

/** Above this number the count must be typed to confirm. */
export const TYPED_ABOVE = 10

export const deletedReason = storable(z.string().trim().min(1).max(200))

export const deleteDevices = call({
  path: '/api/device/deleteDevices',
  bodyLimit: bodyLimits.selection,
  permission: deviceDeletePermission,
  writes: true,
  about: finds(deviceObject, { by: 'dids' }),
  summary:
    'Moves devices to the abnormal list: disconnected within a second, refused at login, their running task items cancelled.',
  body: deviceSelection.extend({ reason: deletedReason }),
  reply: z.object({ dids: z.array(z.number()) }),
})

const filters = { groupId: rowId.optional().describe('this group and those below it') }

export const getUnusualList = listCall({
  path: '/api/device/getUnusualList',
  permission: unusualListPermission,
  summary: 'Deleted devices with the reason, who and when.',
  sorts: ['deletedAt', 'deviceSn', 'deviceName'],
  descending: ['deletedAt'],
  searches: ['deviceSn', 'deviceName', 'deletedReason'],
  filters,
  row: z.object({
    deviceId: z.number(),
    deviceSn: z.string(),
    deviceName: z.string(),
    groupId: z.number(),
    groupName: z.string(),
    customerName: z.string(),
    model: z.string().nullable(),
    firmware: z.string().nullable(),
    timeZone: deviceZone,
    deletedAt: instant,
    deletedBy: z.string().nullable(),
    deletedReason: z.string().nullable(),
    replacedBy: z.string().nullable().describe('serial number of the device that took its place'),
  }),
})

/** Listed abnormal devices, or those of the list's filter. */
const unusualSelection = z.object({
  dids: z.array(rowId).max(100_000).optional(),
  filter: z.object({ search: searchText(), ...filters }).optional(),
  atMost,
})
export type UnusualSelection = z.infer<typeof unusualSelection>

export const restoreDevices = call({
  path: '/api/device/restoreDevices',
  bodyLimit: bodyLimits.selection,
  permission: deviceRestorePermission,
  writes: true,
  about: finds(deviceObject, { by: 'dids' }),
  summary: 'Takes devices back from the abnormal list; they may log in again with the secret that they have.',
  body: unusualSelection,
  reply: z.object({ restored: z.number() }),
})

export const purgeDevicesForEver = call({
  path: '/api/device/purgeDevices',
  bodyLimit: bodyLimits.selection,
  permission: devicePurgePermission,
  writes: true,
  about: finds(deviceObject, { by: 'dids' }),
  summary:
    'Permanently removes abnormal devices with all their data. Their serial numbers are free immediately; the data is deleted in batches.',
  body: unusualSelection,
  reply: z.object({ purged: z.number() }),
})

/** Deletes the rows of purged devices, a batch at a time, the device itself last. */
export const purgeDevices = job({
  name: 'purgeDevices',
  body: z.object({}),
  single: true,
  everyMs: 60_000,
  deadlineMs: LONG_DEADLINE_MS,
})

export const unusualListScreen = screen({
  name: 'unusual-list',
  path: '/device/unusuallist',
  lists: 'device/getUnusualList',
  menuId: 92,
  role: 'customerAdmin',
  parent: 'device',
  place: 50,
  area: 'management',
})
