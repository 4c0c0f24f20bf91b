import { sql } from 'drizzle-orm'
import { boolean, customType, index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { serviceTypes } from '../people/customer.ts'
import { recordingPolicies } from '../remote/recording-policy.ts'
import { at, nameKey, serialId } from './columns.ts'
import { BY_PEOPLE, kept } from './kept.ts'

export const customers = pgTable(
  'customers',
  {
    id: serialId('id'),
    name: text('name').notNull(),
    contact: text('contact'),
    phone: text('phone'),
    email: text('email'),
    address: text('address'),
    serviceType: text('service_type', { enum: serviceTypes }).notNull().default('standard'),
    /** Replaces the default copyright line [§2 Layout]. */
    copyright: text('copyright'),
    /** An image; hides the default copyright line. */
    logo: uuid('logo'),
    /** Every user of the customer must log in with a second factor. */
    totpRequired: boolean('totp_required').notNull().default(false),
    /** Whether terminals of its devices are recorded. */
    /** Machines behind its devices that sessions may reach; null: any in their LANs. */
    remoteTargets: text('remote_targets'),
    terminalRecording: text('terminal_recording', { enum: recordingPolicies }).notNull().default('on'),
    /** Created by the first start; can be deleted as a whole. */
    demonstration: boolean('demonstration').notNull().default(false),
    createdAt: at('created_at').notNull().defaultNow(),
  },
  (t) => [
    uniqueIndex('customers_name_unique').on(nameKey(t.name)),
    uniqueIndex('customers_demonstration').on(t.demonstration).where(sql`demonstration`),
  ],
)
export const customersKept = kept(customers, BY_PEOPLE)

const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' })

/** Logos, avatars and portal pictures as re-encoded by us, never the uploaded bytes. */
export const images = pgTable(
  'images',
  {
    id: uuid('id').primaryKey(),
    /** null: of a platform user. */
    customerId: integer('customer_id').references(() => customers.id, { onDelete: 'cascade' }),
    mime: text('mime').notNull(),
    content: bytea('content').notNull(),
    createdAt: at('created_at').notNull().defaultNow(),
  },
  (t) => [index('images_customer').on(t.customerId)],
)
export const imagesKept = kept(images, 'those that nothing shows any more are removed at the next upload')
