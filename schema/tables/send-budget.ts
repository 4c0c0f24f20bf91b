import { sql } from 'drizzle-orm'
import { doublePrecision, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { sendPurposes } from '../platform/send-budget.ts'
import { at } from './columns.ts'
import { customers } from './customer.ts'
import { kept } from './kept.ts'

/** How much of a budget is used. It decreases at the rate of the budget; infra/send-budget.ts reads and writes it. */
export const sendBudgets = pgTable(
  'send_budgets',
  {
    /** null: of the platform. */
    customerId: integer('customer_id').references(() => customers.id, { onDelete: 'cascade' }),
    purpose: text('purpose', { enum: sendPurposes }).notNull(),
    /** At `countedAt`. Above the budget: that much is queued to be sent later. */
    used: doublePrecision('used').notNull(),
    countedAt: at('counted_at').notNull(),
  },
  (t) => [uniqueIndex('send_budgets_owner').on(sql`coalesce(${t.customerId}, 0)`, t.purpose)],
)
export const sendBudgetsKept = kept(sendBudgets, 'one row for each customer and purpose')
