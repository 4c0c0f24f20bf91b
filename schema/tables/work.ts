import { pgTable, text } from 'drizzle-orm/pg-core'
import { at } from './columns.ts'
import { kept } from './kept.ts'

/** When the workers last completed a job, by the database's clock. One row. */
export const workMarks = pgTable('work_marks', {
  queue: text('queue').primaryKey(),
  workedAt: at('worked_at').notNull(),
})
export const workMarksKept = kept(workMarks, 'one row')

/** One-time events of the installation that must not happen again. */
export const installationMarks = pgTable('installation_marks', {
  name: text('name').primaryKey(),
  at: at('at').notNull().defaultNow(),
})
export const installationMarksKept = kept(installationMarks, 'one row for each thing that happens once')
