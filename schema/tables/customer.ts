import { pgTable, text } from 'drizzle-orm/pg-core'
import { at, serialId } from './columns.ts'

export const customers = pgTable('customers', {
  id: serialId('id'),
  name: text('name').notNull().unique(),
  copyright: text('copyright'),
  logo: text('logo'),
  createdAt: at('created_at').notNull().defaultNow(),
})
