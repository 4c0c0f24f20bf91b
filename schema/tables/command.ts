import { sql } from 'drizzle-orm'
import { index, integer, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { commandStates } from '../command/command.ts'
import { batchStops, type LeftOut } from '../task/command-batch.ts'
import { at } from './columns.ts'
import { customers } from './customer.ts'
import { devices } from './device.ts'
import { users } from './user.ts'

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
    /** Boot id when sent; `verify: 'return'` waits for another one. */
    fromBootId: text('from_boot_id'),
    /** One of many: sent at the pace of its batch. */
    batchId: uuid('batch_id'),
  },
  (t) => [
    index('commands_device').on(t.deviceId, t.createdAt),
    index('commands_ended').on(t.endedAt).where(sql`${t.endedAt} is not null`),
    index('commands_open').on(t.deadlineAt).where(sql`${t.endedAt} is null`),
    index('commands_batch').on(t.batchId, t.state).where(sql`${t.batchId} is not null`),
  ],
)

/** One command to many devices; what becomes of each is its row in `commands`. */
export const commandBatches = pgTable(
  'command_batches',
  {
    id: uuid('id').primaryKey(),
    /** The sender's; null: a platform user, over several customers. */
    customerId: integer('customer_id').references(() => customers.id, { onDelete: 'cascade' }),
    createdBy: integer('created_by').references(() => users.id, { onDelete: 'set null' }),
    /** Made by the asker: the same request again finds this batch instead of making another. */
    requestId: uuid('request_id').notNull(),
    name: text('name').notNull(),
    args: jsonb('args').$type<Record<string, unknown>>().notNull(),
    createdAt: at('created_at').notNull(),
    /** What was not sent by then is not sent any more. */
    expiresAt: at('expires_at').notNull(),
    cancelledAt: at('cancelled_at'),
    /** It stands still since, and why; how many of those tried had failed. [decisions/060] */
    stoppedAt: at('stopped_at'),
    stopReason: text('stop_reason', { enum: batchStops }),
    stoppedFailed: integer('stopped_failed'),
    stoppedTried: integer('stopped_tried'),
    /** Failures count from then on, and it is his who let it go on. */
    resumedAt: at('resumed_at'),
    resumedBy: integer('resumed_by').references(() => users.id, { onDelete: 'set null' }),
    matching: integer('matching').notNull(),
    leftOut: jsonb('left_out').$type<LeftOut[]>().notNull(),
  },
  (t) => [
    uniqueIndex('command_batches_request').on(t.createdBy, t.requestId),
    index('command_batches_customer').on(t.customerId, t.createdAt),
    index('command_batches_created').on(t.createdAt),
  ],
)
