/**
 * Source of reports: sums by hour and by day, of devices and of fleets. Maintained by jobs (schema/report/rollup.ts).
 */
import {
  date,
  doublePrecision,
  index,
  integer,
  pgTable,
  primaryKey,
  real,
  text,
  timestamp,
} from 'drizzle-orm/pg-core'
import { at, bytes } from './columns.ts'
import { kept } from './kept.ts'

/**
 * One hour of one device. `customer_id` and `group_id` are those when the hour was first counted: the history of a
 * moved device stays where it was. Signal is added sample by sample, exactly once; presence is recomputed.
 */
export const deviceHours = pgTable(
  'device_hours',
  {
    deviceId: integer('device_id').notNull(),
    hour: at('hour').notNull(),
    customerId: integer('customer_id').notNull(),
    groupId: integer('group_id').notNull(),
    /** Seconds in which its state is known; otherwise it did not exist, or the platform was down. */
    knownS: integer('known_s').notNull().default(0),
    onlineS: integer('online_s').notNull().default(0),
    signalSum: doublePrecision('signal_sum').notNull().default(0),
    signalCount: integer('signal_count').notNull().default(0),
    signalMin: real('signal_min'),
    signalMax: real('signal_max'),
  },
  (t) => [primaryKey({ columns: [t.deviceId, t.hour] }), index('device_hours_hour').using('brin', t.hour)],
)

/**
 * Sums of one device up to the end of a day (UTC), since it belongs to its owner: any range of days is the difference
 * of two rows. One row per device and day.
 */
export const deviceDays = pgTable(
  'device_days',
  {
    day: date('day', { mode: 'string' }).notNull(),
    deviceId: integer('device_id').notNull(),
    /** 1970: it never had another owner. */
    ownedSince: at('owned_since').notNull(),
    knownS: bytes('known_s').notNull(),
    onlineS: bytes('online_s').notNull(),
    signalSum: doublePrecision('signal_sum').notNull(),
    signalCount: bytes('signal_count').notNull(),
    rxBytes: bytes('rx_bytes').notNull(),
    txBytes: bytes('tx_bytes').notNull(),
  },
  (t) => [primaryKey({ columns: [t.day, t.deviceId] }), index('device_days_device').on(t.deviceId, t.day)],
)
export const deviceDaysKept = kept(deviceDays, 'sums of days are kept for ever, as reports promise')

/** Sums over devices. `signal_*` are of the devices' averages; the bands count devices by theirs. */
const sums = () => ({
  /** 0: all customers. */
  customerId: integer('customer_id').notNull(),
  /** 0: all groups of the customer. */
  groupId: integer('group_id').notNull(),
  /** `*`: all models; empty: unknown. */
  model: text('model').notNull(),
  devices: integer('devices').notNull(),
  knownS: bytes('known_s').notNull(),
  onlineS: bytes('online_s').notNull(),
  /** null: nothing was counted, which is not zero. */
  rxBytes: bytes('rx_bytes'),
  txBytes: bytes('tx_bytes'),
  signalSum: doublePrecision('signal_sum').notNull(),
  signalDevices: integer('signal_devices').notNull(),
  signalMin: real('signal_min'),
  signalMax: real('signal_max'),
  excellent: integer('excellent').notNull(),
  good: integer('good').notNull(),
  fair: integer('fair').notNull(),
  poor: integer('poor').notNull(),
})

export const fleetHours = pgTable('fleet_hours', { hour: at('hour').notNull(), ...sums() }, (t) => [
  primaryKey({ columns: [t.groupId, t.model, t.hour, t.customerId] }),
  index('fleet_hours_hour').using('brin', t.hour),
  index('fleet_hours_customer').on(t.customerId, t.groupId, t.model, t.hour),
])

/** Days of UTC, kept permanently. */
export const fleetDays = pgTable(
  'fleet_days',
  { day: date('day', { mode: 'string' }).notNull(), ...sums() },
  (t) => [
    primaryKey({ columns: [t.groupId, t.model, t.day, t.customerId] }),
    index('fleet_days_day').on(t.day),
    index('fleet_days_customer').on(t.customerId, t.groupId, t.model, t.day),
  ],
)
export const fleetDaysKept = kept(fleetDays, 'sums of days are kept for ever, as reports promise')

/** Number of devices per model and firmware, at the end of each day (UTC); for today: now. */
export const versionDays = pgTable(
  'version_days',
  {
    day: date('day', { mode: 'string' }).notNull(),
    /** 0: all customers. */
    customerId: integer('customer_id').notNull(),
    /** 0: all groups of the customer. */
    groupId: integer('group_id').notNull(),
    model: text('model').notNull(),
    firmware: text('firmware').notNull(),
    devices: integer('devices').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.groupId, t.day, t.customerId, t.model, t.firmware] }),
    index('version_days_customer').on(t.customerId, t.groupId, t.day),
    index('version_days_day').on(t.day),
  ],
)
export const versionDaysKept = kept(versionDays, 'sums of days are kept for ever, as reports promise')

/** How far each rollup has read: `signal` by `stored_at`, `fleet` by completed hours. */
export const rollupCursors = pgTable('rollup_cursors', {
  name: text('name').primaryKey(),
  at: timestamp('at', { withTimezone: true, mode: 'date' }).notNull(),
})
export const rollupCursorsKept = kept(rollupCursors, 'one row for each rollup')

/** Hours whose sums are out of date: samples arrived for them. */
export const staleHours = pgTable('stale_hours', { hour: at('hour').primaryKey() })
export const staleHoursKept = kept(staleHours, 'rows leave when they are dealt with')
