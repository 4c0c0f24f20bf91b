/** Comparing a device with another one, or with its templates. */
import { z } from 'zod'
import { deviceObject } from '../device/device-object.ts'
import { reads } from '../kit/about.ts'
import { call } from '../kit/call.ts'
import { rowId } from '../kit/row-id.ts'
import { configReadPermission } from './commands/config.ts'

export const compareConfigs = call({
  path: '/api/config/compareConfigs',
  permission: configReadPermission,
  about: reads(deviceObject, 'deviceId'),
  summary:
    'The fields in which a device differs from another one, or from what its templates say. Of passwords only that they differ.',
  body: z.object({ deviceId: rowId, withId: rowId.optional().describe('absent: its templates') }),
  reply: z.object({
    fields: z.array(
      z.object({
        page: z.string(),
        name: z.string(),
        own: z.unknown(),
        other: z.unknown(),
        template: z.string().nullable().describe('that sets it; null: none does'),
        isOwn: z.boolean().describe('set on the device itself: its templates leave it alone'),
      }),
    ),
    isSet: z.boolean().describe('false: no template sets anything of the device'),
    fault: z.string().nullable().describe('why its templates cannot be applied'),
  }),
})
