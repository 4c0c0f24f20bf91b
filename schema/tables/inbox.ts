import { bigint, index, integer, json, pgTable, text } from 'drizzle-orm/pg-core'
import { at } from './columns.ts'
import { kept } from './kept.ts'

/**
 * Reports committed before PUBACK, waiting for the worker; id is the arrival order. Rows are deleted when processed.
 */
export const inbox = pgTable('inbox', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  deviceId: integer('device_id').notNull(),
  name: text('name').notNull(),
  // Written and read once, as a whole: jsonb would be parsed and serialized again.
  payload: json('payload').notNull(),
  receivedAt: at('received_at').notNull().defaultNow(),
})
export const inboxKept = kept(inbox, 'rows leave when they are dealt with')

/** Broker events for people to see: refused messages, suspected duplicates. */
export const deviceWarnings = pgTable(
  'device_warnings',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    deviceId: integer('device_id').notNull(),
    at: at('at').notNull().defaultNow(),
    what: text('what').notNull(),
    detail: text('detail'),
  },
  (t) => [index('device_warnings_device_at').on(t.deviceId, t.at), index('device_warnings_at').on(t.at)],
)
