import { sql } from 'drizzle-orm'
import { integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { channelEvents } from '../alarm/channel-event.ts'
import { languages } from '../kit/refusal.ts'
import { at, phoneKey, serialId } from './columns.ts'
import { customers } from './customer.ts'
import { BY_PEOPLE, kept } from './kept.ts'

/** [§3 Alarm contact] [§5] phone and e-mail are unique per customer. */
export const contacts = pgTable(
  'contacts',
  {
    id: serialId('id'),
    customerId: integer('customer_id')
      .notNull()
      .references(() => customers.id),
    name: text('name').notNull(),
    /** Without spaces and dashes, so that duplicates are found. */
    phone: text('phone').notNull(),
    email: text('email').notNull(),
    wechat: text('wechat'),
    remark: text('remark'),
    /** The events that they get by mail besides alarms, in the language of the user who chose them. */
    events: text('events', { enum: channelEvents }).array().notNull().default([]),
    eventLanguage: text('event_language', { enum: languages }).notNull().default('zh-CN'),
    createdAt: at('created_at').notNull().defaultNow(),
    updatedAt: at('updated_at').notNull().defaultNow(),
  },
  (t) => [
    uniqueIndex('contacts_phone').on(t.customerId, phoneKey(t.phone)),
    uniqueIndex('contacts_email').on(t.customerId, sql`lower(${t.email})`),
  ],
)
export const contactsKept = kept(contacts, BY_PEOPLE)
