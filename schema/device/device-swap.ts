/** Hardware swap: another machine replaces a broken one. */

import { z } from 'zod'
import { uses } from '../kit/about.ts'
import { call } from '../kit/call.ts'
import { labelled, secret } from '../kit/field.ts'
import { permission } from '../kit/permission.ts'
import { rowId } from '../kit/row-id.ts'
import { deviceObject } from './device-object.ts'
import { mqttAddresses } from './enrol.ts'
import { serialNumber } from './hello.ts'
import { deletedReason } from './unusual.ts'

export const deviceSwapPermission = permission({
  id: 1409,
  name: 'deviceSwap',
  role: 'customerAdmin',
  under: 'device-list',
})

export const swapDevice = call({
  path: '/api/device/swapDevice',
  permission: deviceSwapPermission,
  writes: true,
  about: uses(deviceObject, 'deviceId'),
  summary:
    'A new serial number, registered already or not, inherits group, name, location, rules, configuration backups and the tasks still to come; the old device goes to the abnormal list.',
  body: z.object(
    labelled(
      { deviceId: rowId, deviceSn: serialNumber, reason: deletedReason },
      { deviceSn: 'unusual:swap.deviceSn', reason: 'unusual:swap.reason' },
    ),
  ),
  reply: z.object({
    deviceId: z.number(),
    groupId: z.number(),
    deviceSn: z.string(),
    secret: secret(
      z.string().nullable().describe('shown once; null: it was already in use and keeps its own'),
    ),
    mqtt: mqttAddresses,
    tasks: z.number().describe('task items that it inherited'),
  }),
})
