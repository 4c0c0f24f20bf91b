import { and, sql } from 'drizzle-orm'
import { remoteSessionObject } from '#schema/remote/remote-session'
import { devices } from '#schema/tables/device'
import { remoteSessions } from '#schema/tables/remote'
import { stored } from '../kit/stored.ts'

const { id, deviceId, customerId, kind, host, port } = remoteSessions

export const storedRemoteSession = stored({
  object: remoteSessionObject,
  table: remoteSessions,
  id,
  name: sql`(select d.sn from devices d where d.id = ${deviceId}) || ' ' || ${kind} || ' ' || ${host} || ':' || ${port}`,
  customerId,
  deviceId,
  // Of the customer that owned the device then, and only while the device is visible.
  seen: (walls) =>
    and(
      walls.own(customerId),
      sql`exists (select 1 from ${devices} where ${devices.id} = ${deviceId} and ${walls.devices})`,
    ),
  row: () => ({
    id,
    deviceId,
    customerId,
    kind,
    scheme: remoteSessions.scheme,
    host,
    port,
    userId: remoteSessions.userId,
    state: remoteSessions.state,
    endedAt: remoteSessions.endedAt,
  }),
  facts: { kind, host, port },
})
