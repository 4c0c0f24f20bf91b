import { sql } from 'drizzle-orm'
import { index, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { commandStates } from '../command/command.ts'
import { at } from './columns.ts'
import { devices } from './device.ts'

export const commands = pgTable(
  'commands',
  {
    id: uuid('id').primaryKey(),
    deviceId: integer('device_id')
      .notNull()
      .references(() => devices.id),
    customerId: integer('customer_id').notNull(),
    name: text('name').notNull(),
    args: jsonb('args').$type<Record<string, unknown>>().notNull(),
    state: text('state', { enum: commandStates }).notNull().default('queued'),
    createdBy: integer('created_by'),
    createdAt: at('created_at').notNull().defaultNow(),
    sentAt: at('sent_at'),
    deadlineAt: at('deadline_at').notNull(),
    endedAt: at('ended_at'),
    result: jsonb('result').$type<Record<string, unknown>>(),
    error: text('error'),
    /** Boot id when it was sent; `verify: 'return'` waits for another one. */
    fromBootId: text('from_boot_id'),
  },
  (t) => [
    index('commands_device').on(t.deviceId, t.createdAt),
    index('commands_ended').on(t.endedAt).where(sql`${t.endedAt} is not null`),
    // Devices with an open command: read for the state of every listed device.
    index('commands_awaited')
      .on(t.deviceId)
      .where(sql`${t.endedAt} is null and ${t.state} in ('sent', 'accepted')`),
    index('commands_open').on(t.deadlineAt).where(sql`${t.endedAt} is null`),
  ],
)
