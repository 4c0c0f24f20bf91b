import {
  bigint,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  real,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { simSwitchReasons } from '../device/sim-switch.ts'
import { at } from './columns.ts'
import { devices } from './device.ts'
import { kept } from './kept.ts'

/** The last report of each device on each of its sections. */
export const deviceSections = pgTable(
  'device_sections',
  {
    deviceId: integer('device_id')
      .notNull()
      .references(() => devices.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    at: at('at').notNull(),
    value: jsonb('value').notNull(),
  },
  (t) => [primaryKey({ columns: [t.deviceId, t.name] })],
)
export const deviceSectionsKept = kept(deviceSections, 'one row for each device and section')

/** Network monitoring; partitioned by day of `at` (infra/partitions.ts). */
export const probeSamples = pgTable(
  'probe_samples',
  {
    deviceId: integer('device_id').notNull(),
    at: at('at').notNull(),
    target: text('target').notNull(),
    link: text('link'),
    sent: integer('sent').notNull(),
    received: integer('received').notNull(),
    minMs: real('min_ms'),
    avgMs: real('avg_ms'),
    maxMs: real('max_ms'),
  },
  (t) => [primaryKey({ columns: [t.deviceId, t.at, t.target] })],
)

/** [§2] The switch-card record. */
export const simSwitches = pgTable(
  'sim_switches',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    deviceId: integer('device_id')
      .notNull()
      .references(() => devices.id, { onDelete: 'cascade' }),
    at: at('at').notNull(),
    fromSlot: integer('from_slot').notNull(),
    toSlot: integer('to_slot').notNull(),
    reason: text('reason', { enum: simSwitchReasons }).notNull(),
    fromIccid: text('from_iccid'),
    toIccid: text('to_iccid'),
    operator: text('operator'),
    detail: text('detail'),
  },
  (t) => [uniqueIndex('sim_switches_device_at').on(t.deviceId, t.at), index('sim_switches_at').on(t.at)],
)
