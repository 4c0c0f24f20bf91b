import { sql } from 'drizzle-orm'
import { index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { accessStates } from '../remote/access-policy.ts'
import { at, serialId } from './columns.ts'
import { devices } from './device.ts'

/** One row per request for access to a device that a second person has to approve. */
export const remoteAccesses = pgTable(
  'remote_accesses',
  {
    id: serialId('id'),
    deviceId: integer('device_id')
      .notNull()
      .references(() => devices.id),
    /** The device's owner then. */
    customerId: integer('customer_id').notNull(),
    userId: integer('user_id').notNull(),
    reason: text('reason').notNull(),
    minutes: integer('minutes').notNull(),
    state: text('state', { enum: accessStates }).notNull().default('waiting'),
    createdAt: at('created_at').notNull().defaultNow(),
    decidedAt: at('decided_at'),
    decidedBy: integer('decided_by'),
    note: text('note'),
    /** Waiting: when it expires; approved: when it ends; otherwise: when it ended. */
    until: at('until').notNull(),
  },
  (t) => [
    uniqueIndex('remote_accesses_open')
      .on(t.deviceId, t.userId)
      .where(sql`${t.state} in ('waiting', 'approved')`),
    index('remote_accesses_created').on(t.createdAt),
    index('remote_accesses_until').on(t.until),
  ],
)
