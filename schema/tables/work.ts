import { pgTable, text } from 'drizzle-orm/pg-core'
import { at } from './columns.ts'

/** When the workers last did a job, as the database's clock says. One row. */
export const workMarks = pgTable('work_marks', {
  queue: text('queue').primaryKey(),
  workedAt: at('worked_at').notNull(),
})
