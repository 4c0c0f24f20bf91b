import { sql } from 'drizzle-orm'
import { index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { at, nameKey, serialId } from './columns.ts'
import { customers } from './customer.ts'
import { kept } from './kept.ts'

/** Values that differ from the default; the declarations are in schema/platform/parameter.ts. */
export const parameterValues = pgTable(
  'parameter_values',
  {
    id: serialId('id'),
    key: text('key').notNull(),
    /** null: for all customers without their own value. */
    customerId: integer('customer_id').references(() => customers.id, { onDelete: 'cascade' }),
    value: integer('value').notNull(),
    updatedAt: at('updated_at').notNull().defaultNow(),
    updatedBy: text('updated_by'),
  },
  (t) => [
    uniqueIndex('parameter_values_key').on(t.key, sql`coalesce(${t.customerId}, 0)`),
    index('parameter_values_customer').on(t.customerId),
  ],
)
export const parameterValuesKept = kept(parameterValues, 'one row for each parameter and customer')

/** Parameters that users add: texts for scripts and integrations; the platform itself reads none of them. */
export const extraParameters = pgTable(
  'extra_parameters',
  {
    id: serialId('id'),
    /** null: of the platform. */
    customerId: integer('customer_id').references(() => customers.id, { onDelete: 'cascade' }),
    nameZh: text('name_zh').notNull(),
    nameEn: text('name_en').notNull(),
    description: text('description').notNull().default(''),
    value: text('value').notNull(),
    updatedAt: at('updated_at').notNull().defaultNow(),
    updatedBy: text('updated_by'),
  },
  (t) => [
    uniqueIndex('extra_parameters_name_zh').on(sql`coalesce(${t.customerId}, 0)`, nameKey(t.nameZh)),
    uniqueIndex('extra_parameters_name_en').on(sql`coalesce(${t.customerId}, 0)`, nameKey(t.nameEn)),
  ],
)
export const extraParametersKept = kept(extraParameters, 'at most 200 of an owner')
