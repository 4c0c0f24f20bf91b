/** Time series: partitioned by day of `at` (infra/partitions.ts). */
import { bigint, date, index, integer, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'
import { at, bytes, figureColumns } from './columns.ts'
import { kept, PER_DEVICE } from './kept.ts'

export const statusSamples = pgTable(
  'status_samples',
  {
    deviceId: integer('device_id').notNull(),
    at: at('at').notNull(),
    /** The database's clock at insert; rollups read in this order. */
    storedAt: timestamp('stored_at', { withTimezone: true, mode: 'date' }).notNull().defaultNow(),
    uptimeS: bytes('uptime_s'),
    networkMode: text('network_mode'),
    rxBytes: bytes('rx_bytes'),
    txBytes: bytes('tx_bytes'),
    ...figureColumns(),
  },
  (t) => [
    primaryKey({ columns: [t.deviceId, t.at] }),
    index('status_samples_stored').using('brin', t.storedAt),
  ],
)

/** Bytes transferred in one hour: differences of counters, restarts from zero taken into account. */
export const trafficHours = pgTable(
  'traffic_hours',
  {
    deviceId: integer('device_id').notNull(),
    hour: at('hour').notNull(),
    rxBytes: bytes('rx_bytes').notNull(),
    txBytes: bytes('tx_bytes').notNull(),
  },
  (t) => [primaryKey({ columns: [t.deviceId, t.hour] }), index('traffic_hours_hour').using('brin', t.hour)],
)

/** The last counted sample of each device, and in row 0 how far the rollup has read. */
export const trafficCursors = pgTable('traffic_cursors', {
  deviceId: integer('device_id').primaryKey(),
  at: timestamp('at', { withTimezone: true, mode: 'date' }).notNull(),
  rxBytes: bytes('rx_bytes'),
  txBytes: bytes('tx_bytes'),
})
export const trafficCursorsKept = kept(trafficCursors, PER_DEVICE)

/** Bytes of each device per calendar day (UTC), for lists and reports. */
export const trafficDays = pgTable(
  'traffic_days',
  {
    deviceId: integer('device_id').notNull(),
    day: date('day', { mode: 'string' }).notNull(),
    rxBytes: bytes('rx_bytes').notNull(),
    txBytes: bytes('tx_bytes').notNull(),
  },
  (t) => [primaryKey({ columns: [t.deviceId, t.day] }), index('traffic_days_day').using('brin', t.day)],
)

/** Sums of deleted days: with `traffic_days` they make the total of a device. */
export const trafficTotals = pgTable(
  'traffic_totals',
  {
    deviceId: integer('device_id').notNull(),
    /** 1970: before the current owner, or it never had another. */
    ownedSince: at('owned_since').notNull(),
    rxBytes: bytes('rx_bytes').notNull(),
    txBytes: bytes('tx_bytes').notNull(),
  },
  (t) => [primaryKey({ columns: [t.deviceId, t.ownedSince] })],
)
export const trafficTotalsKept = kept(trafficTotals, 'one row for each device and owner of it')

export const deviceLogs = pgTable(
  'device_logs',
  {
    deviceId: integer('device_id').notNull(),
    at: at('at').notNull(),
    bootId: text('boot_id').notNull(),
    seq: bigint('seq', { mode: 'number' }).notNull(),
    priority: integer('priority').notNull(),
    tag: text('tag'),
    text: text('text').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.deviceId, t.bootId, t.seq, t.at] }),
    index('device_logs_device_at').on(t.deviceId, t.at),
  ],
)
