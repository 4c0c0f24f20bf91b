/** The database clients. Two: Drizzle changes how its client treats dates, raw SQL and COPY need the plain one. */
import { drizzle, type PostgresJsDatabase } from 'drizzle-orm/postgres-js'
import postgres from 'postgres'
import { safeBegin } from './transaction.ts'

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
 * Opens both clients, `max` connections each (lazily). bigint columns arrive as numbers: ours stay under 2^53.
 * @param url postgres://…; errors appear on first use.
 */
export function openDatabase(
  url: string,
  options: { max?: number; applicationName?: string; statementTimeoutMs?: number } = {},
): DatabasePool {
  const shared = {
    max: options.max ?? 5,
    onnotice: () => undefined,
    connection: {
      application_name: options.applicationName ?? 'iot',
      ...(options.statementTimeoutMs ? { statement_timeout: options.statementTimeoutMs } : {}),
    },
    connect_timeout: 10,
    max_lifetime: null,
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
