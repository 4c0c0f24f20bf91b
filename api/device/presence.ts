import { getPresenceList } from '#schema/device/presence'
import { presenceRecords } from '#schema/tables/presence'
import { listOf } from '../kit/list-of.ts'

export const getPresenceListHandler = listOf(
  getPresenceList,
  { deviceId: presenceRecords.deviceId, at: presenceRecords.onlineAt },
  ({ db }) => ({
    table: presenceRecords,
    rows: db
      .select({
        onlineAt: presenceRecords.onlineAt,
        offlineAt: presenceRecords.offlineAt,
        reason: presenceRecords.reason,
        ip: presenceRecords.ip,
        transport: presenceRecords.transport,
      })
      .from(presenceRecords),
    tie: presenceRecords.connectionId,
  }),
  // An open connection lasts until now.
  (rows, { now }) =>
    rows.map((row) => ({
      ...row,
      durationS: Math.max(0, ((row.offlineAt ?? now()).getTime() - row.onlineAt.getTime()) / 1000),
    })),
)
