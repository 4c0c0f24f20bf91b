import { index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { offlineReasons } from '../device/presence.ts'
import { at } from './columns.ts'
import { kept } from './kept.ts'

/** One row per connection of a device: the online/offline record. */
export const presenceRecords = pgTable(
  'presence_records',
  {
    connectionId: uuid('connection_id').primaryKey(),
    deviceId: integer('device_id').notNull(),
    brokerId: text('broker_id').notNull(),
    onlineAt: at('online_at').notNull(),
    offlineAt: at('offline_at'),
    reason: text('reason', { enum: offlineReasons }),
    ip: text('ip'),
    transport: text('transport'),
  },
  (t) => [
    index('presence_device_at').on(t.deviceId, t.onlineAt),
    index('presence_offline_at').on(t.offlineAt),
    index('presence_online_at').on(t.onlineAt),
  ],
)

/** Running brokers; the devices of a silent one are marked offline as of its last heartbeat. */
export const brokers = pgTable(
  'brokers',
  {
    id: text('id').primaryKey(),
    startedAt: at('started_at').notNull(),
    beatAt: at('beat_at').notNull(),
  },
  (t) => [uniqueIndex('brokers_beat').on(t.beatAt, t.id)],
)
export const brokersKept = kept(brokers, 'one row for each broker that runs; silent ones are swept')
