import { sql } from 'drizzle-orm'
import { boolean, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { at, nameKey, serialId } from './columns.ts'
import { customers } from './customer.ts'
import { kept } from './kept.ts'
import { users } from './user.ts'

export const savedViews = pgTable(
  'saved_views',
  {
    id: serialId('id'),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The owner's customer; null: of the platform. A shared view is visible to its users. */
    customerId: integer('customer_id').references(() => customers.id, { onDelete: 'cascade' }),
    /** The name of the list call. */
    list: text('list').notNull(),
    name: text('name').notNull(),
    query: text('query').notNull(),
    shared: boolean('shared').notNull().default(false),
    isDefault: boolean('is_default').notNull().default(false),
    changedAt: at('changed_at').notNull().defaultNow(),
  },
  (t) => [
    uniqueIndex('saved_views_name').on(t.userId, t.list, nameKey(t.name)),
    uniqueIndex('saved_views_default').on(t.userId, t.list).where(sql`is_default`),
    index('saved_views_shared').on(t.customerId, t.list).where(sql`shared`),
  ],
)
export const savedViewsKept = kept(savedViews, 'a bounded number of each user')
