import { type AnyPgColumn, boolean, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { at, serialId } from './columns.ts'
import { customers } from './customer.ts'

export const groups = pgTable(
  'groups',
  {
    id: serialId('id'),
    customerId: integer('customer_id')
      .notNull()
      .references(() => customers.id),
    parentId: integer('parent_id').references((): AnyPgColumn => groups.id),
    level: integer('level').notNull(),
    name: text('name').notNull(),
    isDefault: boolean('is_default').notNull().default(false),
    createdAt: at('created_at').notNull().defaultNow(),
    createdBy: integer('created_by'),
    updatedAt: at('updated_at').notNull().defaultNow(),
  },
  (t) => [uniqueIndex('groups_name').on(t.customerId, t.name), index('groups_parent').on(t.parentId)],
)
