import { index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { at, serialId } from './columns.ts'
import { devices } from './device.ts'

/** A short message of a device; its state is that of its command, without one it is a draft. */
export const smsMessages = pgTable(
  'sms_messages',
  {
    id: serialId('id'),
    deviceId: integer('device_id')
      .notNull()
      .references(() => devices.id),
    /** The device's owner when it was written. */
    customerId: integer('customer_id').notNull(),
    number: text('number').notNull(),
    text: text('text').notNull(),
    commandId: uuid('command_id'),
    /** When it was last handed to the device. */
    sentAt: at('sent_at'),
    createdBy: integer('created_by'),
    createdAt: at('created_at').notNull().defaultNow(),
  },
  (t) => [
    index('sms_messages_device').on(t.deviceId, t.createdAt),
    index('sms_messages_command').on(t.commandId),
    index('sms_messages_sent').on(t.sentAt),
  ],
)
