import { isNull, or } from 'drizzle-orm'
import { getPresenceList } from '#schema/device/presence'
import { presenceRecords } from '#schema/tables/presence'
import { inLastDays } from '../kit/history.ts'
import { listOf } from '../kit/list-of.ts'

export const getPresenceListHandler = listOf(
  getPresenceList,
  { deviceId: presenceRecords.deviceId, at: presenceRecords.onlineAt },
  ({ db, now }) => ({
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
    // A connection that lasts into the time belongs to it.
    filters: {
      days: (days) =>
        or(isNull(presenceRecords.offlineAt), inLastDays(presenceRecords.offlineAt, now())(days)),
    },
    tie: presenceRecords.connectionId,
  }),
  // An open connection lasts until now.
  (rows, { now }) =>
    rows.map((row) => ({
      ...row,
      durationS: Math.max(0, ((row.offlineAt ?? now()).getTime() - row.onlineAt.getTime()) / 1000),
    })),
)
