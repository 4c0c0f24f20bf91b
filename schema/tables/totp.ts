import { index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { at, serialId } from './columns.ts'
import { kept } from './kept.ts'
import { users } from './user.ts'

/** Ten codes per user, each usable for one login without the second factor. */
export const recoveryCodes = pgTable(
  'recovery_codes',
  {
    id: serialId('id'),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** SHA-256 of 80 random bits. */
    hash: text('hash').notNull(),
    usedAt: at('used_at'),
  },
  (t) => [index('recovery_codes_user').on(t.userId)],
)
export const recoveryCodesKept = kept(recoveryCodes, 'ten of each user')
