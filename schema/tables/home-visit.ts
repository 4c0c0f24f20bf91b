import { integer, pgTable } from 'drizzle-orm/pg-core'
import { at } from './columns.ts'
import { kept } from './kept.ts'
import { users } from './user.ts'

/** When each user last looked at the home page, and when they did before that visit. */
export const homeVisits = pgTable('home_visits', {
  userId: integer('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  seenAt: at('seen_at').notNull(),
  /** The end of the visit before the current one; null: there was none. */
  since: at('since'),
})
export const homeVisitsKept = kept(homeVisits, 'one row for each user')
