import { sql } from 'drizzle-orm'
import { integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { at, serialId } from './columns.ts'
import { customers } from './customer.ts'
import { BY_PEOPLE, kept } from './kept.ts'

/** Public keys for packages; of a customer, or of the platform's own packages. */
export const signingKeys = pgTable(
  'signing_keys',
  {
    id: serialId('id'),
    customerId: integer('customer_id').references(() => customers.id),
    name: text('name').notNull(),
    /** 8 bytes in hexadecimal, by which signatures name it. */
    keyName: text('key_name').notNull(),
    /** 32 bytes in base64. */
    publicKey: text('public_key').notNull(),
    createdBy: integer('created_by'),
    createdAt: at('created_at').notNull().defaultNow(),
  },
  (t) => [
    uniqueIndex('signing_keys_key').on(sql`coalesce(${t.customerId}, 0)`, t.keyName),
    uniqueIndex('signing_keys_public').on(sql`coalesce(${t.customerId}, 0)`, t.publicKey),
  ],
)
export const signingKeysKept = kept(signingKeys, BY_PEOPLE)
