import { index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { at, serialId } from './columns.ts'
import { customers } from './customer.ts'
import { BY_PEOPLE, kept } from './kept.ts'

/** A contract with a carrier that a customer's SIM cards run on. */
export const dataPlans = pgTable(
  'data_plans',
  {
    id: serialId('id'),
    customerId: integer('customer_id')
      .notNull()
      .references(() => customers.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    carrier: text('carrier').notNull(),
    monthlyMib: integer('monthly_mib').notNull(),
    remark: text('remark'),
    updatedAt: at('updated_at').notNull().defaultNow(),
  },
  (t) => [index('data_plans_customer').on(t.customerId, t.name)],
)
export const dataPlansKept = kept(dataPlans, BY_PEOPLE)
