import { gte, inArray } from 'drizzle-orm'
import { getDeviceLogList, logPriorities } from '#schema/device/log'
import { deviceLogs } from '#schema/tables/status'
import { listOf } from '../kit/list-of.ts'

const rank = (name: (typeof logPriorities)[number]) => logPriorities.indexOf(name)

export const getDeviceLogListHandler = listOf(
  getDeviceLogList,
  deviceLogs,
  ({ db }) => ({
    table: deviceLogs,
    rows: db
      .select({
        at: deviceLogs.at,
        priority: deviceLogs.priority,
        tag: deviceLogs.tag,
        text: deviceLogs.text,
      })
      .from(deviceLogs),
    filters: {
      priority: (name) => gte(deviceLogs.priority, rank(name)),
      priorities: (names) => inArray(deviceLogs.priority, names.map(rank)),
    },
    tie: deviceLogs.seq,
  }),
  (rows) => rows.map((row) => ({ ...row, priority: logPriorities[row.priority] ?? 'info' })),
)
