import { pgTable, text } from 'drizzle-orm/pg-core'
import { at } from './columns.ts'
import { kept } from './kept.ts'

/**
 * Since when an api process has been serving files without a gap, and its last heartbeat; both by the database's
 * clock. One row.
 */
export const servingMarks = pgTable('serving_marks', {
  service: text('service').primaryKey(),
  since: at('since').notNull(),
  beatAt: at('beat_at').notNull(),
})
export const servingMarksKept = kept(servingMarks, 'one row')
