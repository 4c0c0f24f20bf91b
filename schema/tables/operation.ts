import { sql } from 'drizzle-orm'
import { bigint, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { at } from './columns.ts'

/** Operation log: append-only, one row per writing call. No foreign keys: it outlives what it refers to. */
export const operations = pgTable(
  'operations',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    at: at('at').notNull().defaultNow(),
    userId: integer('user_id'),
    username: text('username'),
    /** The user's customer. */
    customerId: integer('customer_id'),
    /** The object's customer, if it is not the user's: a platform user worked on a customer's object. */
    objectCustomerId: integer('object_customer_id'),
    /** The call's name. */
    call: text('call').notNull(),
    deviceId: integer('device_id'),
    /** The body, with secrets redacted and long values truncated. */
    body: jsonb('body'),
    /** The name of the object, which outlives it. */
    object: text('object'),
    /** The declared kind of the object, and the ids; `editions`: the states that this call left. */
    objectKind: text('object_kind'),
    objects: jsonb('objects').$type<{ id: string; editions?: Record<string, string> }[]>(),
    before: jsonb('before'),
    after: jsonb('after'),
    /** The returned product code. */
    code: integer('code').notNull(),
    ip: text('ip'),
    requestId: text('request_id'),
    /** The searchable text. Stored: rows are never rewritten, and short searches compare row by row. */
    searchText: text('search_text')
      .notNull()
      .generatedAlwaysAs(
        sql`lower(call || ' ' || coalesce(object, '') || ' ' || coalesce(username, '') || ' ' || coalesce(ip, ''))`,
      ),
  },
  (t) => [
    index('operations_customer_at').on(t.customerId, t.at),
    index('operations_object_customer_at').on(t.objectCustomerId, t.at),
    index('operations_at').on(t.at, t.id),
    index('operations_search').using('gin', sql`${t.searchText} gin_trgm_ops`),
    index('operations_user_at').on(t.userId, t.at),
    index('operations_device_at').on(t.deviceId, t.at),
    index('operations_request').using('hash', t.requestId),
  ],
)
