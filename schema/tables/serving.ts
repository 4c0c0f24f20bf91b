import { pgTable, text } from 'drizzle-orm/pg-core'
import { at } from './columns.ts'
import { kept } from './kept.ts'

/** Since when some api process serves files without a gap, and its last beat; both by the database's clock. One row. */
export const servingMarks = pgTable('serving_marks', {
  service: text('service').primaryKey(),
  since: at('since').notNull(),
  beatAt: at('beat_at').notNull(),
})
export const servingMarksKept = kept(servingMarks, 'one row')
