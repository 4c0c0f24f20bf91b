import { index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { at, serialId } from './columns.ts'
import { users } from './user.ts'

/** An address that its owner has not yet confirmed by the link in their mail. */
export const emailBindings = pgTable(
  'email_bindings',
  {
    id: serialId('id'),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    email: text('email').notNull(),
    /** SHA-256 of the link's token: 256 random bits need no slow hash. */
    hash: text('hash').notNull().unique(),
    createdAt: at('created_at').notNull().defaultNow(),
    expiresAt: at('expires_at').notNull(),
    /** Used, or replaced by a later one. */
    usedAt: at('used_at'),
  },
  (t) => [index('email_bindings_user').on(t.userId, t.createdAt)],
)
