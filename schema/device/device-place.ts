/** Pinning a device to the map. */
import { z } from 'zod'
import { edits } from '../kit/about.ts'
import { call } from '../kit/call.ts'
import { openedEdition } from '../kit/edition.ts'
import { rowId } from '../kit/row-id.ts'
import { deviceObject } from './device-object.ts'
import { deviceEditPermission } from './device-pages.ts'

/** Degrees, WGS-84. Not converted: what is not filled in would be 0°, a place in the sea. */
const longitude = z.number().min(-180).max(180)
const latitude = z.number().min(-90).max(90)

export const placeDevice = call({
  path: '/api/device/placeDevice',
  permission: deviceEditPermission,
  writes: true,
  about: edits(deviceObject, 'deviceId', 'pin'),
  summary: 'Pins a device to the map, before what its GPS says; without coordinates the pin is taken away.',
  body: z.object({
    deviceId: rowId,
    position: z.object({ longitude, latitude }).nullable(),
    edition: openedEdition,
  }),
})
