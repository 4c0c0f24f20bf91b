import { and, sql } from 'drizzle-orm'
import { accessObject } from '#schema/remote/access'
import { devices } from '#schema/tables/device'
import { remoteAccesses } from '#schema/tables/remote-access'
import { stored } from '../kit/stored.ts'

const { id, deviceId, customerId, userId, reason, minutes, state } = remoteAccesses

export const storedAccess = stored({
  object: accessObject,
  table: remoteAccesses,
  id,
  name: sql`(select d.sn from devices d where d.id = ${deviceId}) || ' · ' || ${reason}`,
  customerId,
  deviceId,
  // Of the customer that owned the device then, and only while the device is visible.
  seen: (walls) =>
    and(
      walls.own(customerId),
      sql`exists (select 1 from ${devices} where ${devices.id} = ${deviceId} and ${walls.devices})`,
    ),
  row: () => ({ id, deviceId, customerId, userId, minutes, state }),
  facts: { reason, minutes },
})
