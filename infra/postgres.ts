/** The database clients. Two: Drizzle changes how its client treats dates, raw SQL and COPY need the plain one. */
import { drizzle, type PostgresJsDatabase } from 'drizzle-orm/postgres-js'
import postgres from 'postgres'
import { safeBegin } from './transaction.ts'
import { STARTUP_PADDING, wiresOf } from './wire.ts'

/** Whatever JSON can say: the driver's own type refuses dates and every interface. */
type Json = { json(value: unknown): postgres.Parameter }
export type Transaction = Json & postgres.TransactionSql
/** The driver's own type of `begin` cannot say that a generic promise is unwrapped. */
export type Sql = Json & {
  begin<T>(work: (tx: Transaction) => T | Promise<T>): Promise<T>
} & postgres.Sql
export type Database = PostgresJsDatabase
export type DatabasePool = { db: Database; sql: Sql; close(): Promise<void> }

/**
 * How long the server works on one statement, and lets a transaction stand idle, in the rooms where somebody waits; and
 * anywhere else. Migrations have no such end (infra/migrate.ts).
 */
export const ANSWER_MS: Readonly<Record<string, number>> = { api: 30_000, broker: 20_000 }
export const OTHER_ANSWER_MS = 120_000
/** The server has ended a statement by then; a connection that still says nothing is dead. */
const SILENT_AFTER_MS = 5_000

const asksForTls = (url: string) => /[?&](ssl|sslmode)=(?!disable|false)/.test(url)

/**
 * Opens both clients, `max` connections each (lazily). bigint columns arrive as numbers: ours stay under 2^53.
 * No wait is without end: `answerMs` for the server, a little longer for a connection that has gone silent.
 * @param url postgres://…; errors appear on first use.
 */
export function openDatabase(
  url: string,
  options: { max?: number; applicationName?: string; answerMs?: number; silentAfterMs?: number } = {},
): DatabasePool {
  const answerMs = options.answerMs ?? OTHER_ANSWER_MS
  const silentMs = answerMs + (options.silentAfterMs ?? SILENT_AFTER_MS)
  const shared = {
    max: options.max ?? 5,
    onnotice: () => undefined,
    connection: {
      application_name: options.applicationName ?? 'iot',
      statement_timeout: answerMs,
      idle_in_transaction_session_timeout: answerMs,
      options: STARTUP_PADDING,
    },
    connect_timeout: 10,
    max_lifetime: null,
    // Before its silence ends it by force: a query sent at that moment would be lost.
    idle_timeout: answerMs / 1000,
    // postgres.js puts its TLS over such a socket in a way that cannot be ended from below: there keep-alive must do.
    ...(asksForTls(url) ? {} : { socket: wiresOf({ ms: silentMs, ends: 'always' }) }),
    types: {
      bigint: {
        to: 20,
        from: [20, 1700] as number[],
        serialize: (value: number) => String(value),
        parse: Number,
      },
    },
  }
  const forDrizzle = postgres(url, shared)
  const sql = postgres(url, shared)
  for (const client of [forDrizzle, sql])
    client.begin = safeBegin(client.begin as Parameters<typeof safeBegin>[0]) as typeof client.begin
  return {
    db: drizzle(forDrizzle),
    sql: sql as unknown as Sql,
    close: async () => {
      await Promise.all([forDrizzle.end({ timeout: 5 }), sql.end({ timeout: 5 })])
    },
  }
}
