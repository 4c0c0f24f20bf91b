import { and, or, sql } from 'drizzle-orm'
import { recordingObject } from '#schema/remote/recording'
import { devices } from '#schema/tables/device'
import { terminalRecordings } from '#schema/tables/terminal-recording'
import { stored } from '../kit/stored.ts'

const { id, deviceId, customerId, account, startedAt, fileKey, endedAt } = terminalRecordings

const deviceSn = sql<string>`(select d.sn from devices d where d.id = ${deviceId})`

export const storedRecording = stored({
  object: recordingObject,
  table: terminalRecordings,
  id,
  name: sql`${deviceSn} || ' '
    || to_char(${startedAt} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`,
  customerId,
  deviceId,
  // Of the customer that owned the device then, and only while the device is visible.
  seen: (walls) =>
    and(
      walls.own(customerId),
      sql`exists (select 1 from ${devices} where ${devices.id} = ${deviceId}
        and ${or(walls.devices, walls.unusualDevices)})`,
    ),
  row: () => ({ id, sn: deviceSn, startedAt, fileKey, endedAt }),
  facts: { account, startedAt, sizeBytes: terminalRecordings.sizeBytes },
})
