import { index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { at, serialId } from './columns.ts'
import { users } from './user.ts'

/** A login. The JWT refers to it; ending the row ends the token everywhere. */
export const sessions = pgTable(
  'sessions',
  {
    id: uuid('id').primaryKey(),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    createdAt: at('created_at').notNull().defaultNow(),
    expiresAt: at('expires_at').notNull(),
    endedAt: at('ended_at'),
    ip: text('ip'),
    userAgent: text('user_agent'),
  },
  (t) => [index('sessions_user').on(t.userId), index('sessions_expires').on(t.expiresAt)],
)

export const apiTokens = pgTable(
  'api_tokens',
  {
    id: serialId('id'),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    /** SHA-256 of the token: 256 random bits need no slow hash. */
    hash: text('hash').notNull().unique(),
    /** Empty: all of the owner's. */
    functionIds: integer('function_ids').array().notNull().default([]),
    createdAt: at('created_at').notNull().defaultNow(),
    expiresAt: at('expires_at').notNull(),
    lastUsedAt: at('last_used_at'),
    revokedAt: at('revoked_at'),
  },
  (t) => [index('api_tokens_user').on(t.userId)],
)

/** Failed logins per user name and per address, shared by all api processes. */
export const loginAttempts = pgTable('login_attempts', {
  key: text('key').primaryKey(),
  failures: integer('failures').notNull(),
  firstAt: at('first_at').notNull(),
  blockedUntil: at('blocked_until'),
})
