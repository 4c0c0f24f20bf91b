import { boolean, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { at, nameKey, serialId } from './columns.ts'
import { customers } from './customer.ts'
import { BY_PEOPLE, kept } from './kept.ts'

/** Lines for terminals, of one customer. */
export const terminalSnippets = pgTable(
  'terminal_snippets',
  {
    id: serialId('id'),
    customerId: integer('customer_id')
      .notNull()
      .references(() => customers.id),
    name: text('name').notNull(),
    text: text('text').notNull(),
    /** Followed by the Enter key. */
    enter: boolean('enter').notNull().default(true),
    createdAt: at('created_at').notNull().defaultNow(),
  },
  (t) => [uniqueIndex('terminal_snippets_name').on(t.customerId, nameKey(t.name))],
)
export const terminalSnippetsKept = kept(terminalSnippets, BY_PEOPLE)
