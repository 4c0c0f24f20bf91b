import { sql } from 'drizzle-orm'
import { bigint, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { loginWays } from '../people/login.ts'
import { at } from './columns.ts'

/** Login history: append-only, one row per attempt that was checked. No foreign keys: it outlives its users. */
export const logins = pgTable(
  'logins',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    at: at('at').notNull().defaultNow(),
    /** null: no user of that name. */
    userId: integer('user_id'),
    /** As typed, truncated to 64 characters; for a known user their name. */
    username: text('username').notNull(),
    customerId: integer('customer_id'),
    way: text('way', { enum: loginWays }).notNull(),
    /** The returned product code; 0: logged in. */
    code: integer('code').notNull(),
    ip: text('ip'),
    userAgent: text('user_agent'),
    sessionId: uuid('session_id'),
    /** The searchable text. */
    searchText: text('search_text')
      .notNull()
      .generatedAlwaysAs(sql`lower(username || ' ' || coalesce(ip, ''))`),
  },
  (t) => [
    index('logins_at').on(t.at, t.id),
    index('logins_search').using('gin', sql`${t.searchText} gin_trgm_ops`),
    index('logins_customer_at').on(t.customerId, t.at),
    index('logins_user_at').on(t.userId, t.at),
  ],
)
