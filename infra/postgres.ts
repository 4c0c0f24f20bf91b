/**
 * The database clients. There are two, because Drizzle changes how its client handles dates; raw SQL and COPY need
 * the plain one.
 */
import { drizzle, type PostgresJsDatabase } from 'drizzle-orm/postgres-js'
import postgres from 'postgres'
import { SESSION, splitTls } from './settings/database-url.ts'
import { safeBegin } from './transaction.ts'
import { type Silence, STARTUP_PADDING, socketFactory } from './wire.ts'

/** Any JSON value: the driver's own type rejects dates and every interface. */
type Json = { json(value: unknown): postgres.Parameter }
export type Transaction = Json & postgres.TransactionSql
/** The driver's own type of `begin` cannot express that a generic promise is unwrapped. */
export type Sql = Json & {
  begin<T>(work: (tx: Transaction) => T | Promise<T>): Promise<T>
} & postgres.Sql
export type Database = PostgresJsDatabase
export type DatabasePool = { db: Database; sql: Sql; close(): Promise<void> }

/**
 * Time limit of the server for one statement or an idle transaction, in rooms where a client waits; and elsewhere.
 * Migrations have no limit (infra/migrate.ts).
 */
export const ANSWER_MS: Readonly<Record<string, number>> = { api: 30_000, broker: 20_000 }
export const OTHER_ANSWER_MS = 120_000
/** By then the server has ended the statement; a connection that is still silent is dead. */
const SILENT_AFTER_MS = 5_000

/** A client of postgres.js, secured as the URL says, its sessions as our statements expect them. Without `silence` its connections may be silent for any time. */
export function openClient(
  url: string,
  options: postgres.Options<Record<string, postgres.PostgresType>>,
  silence?: Silence,
): postgres.Sql {
  const { plain, tls } = splitTls(url)
  // Missing in its types, as is what it does with them: it leaves TLS to such a socket only if it is told nothing of it.
  const socket = { socket: socketFactory(tls, silence), ssl: false }
  const connection = { ...SESSION, ...options.connection }
  return postgres(plain, { ...options, ...socket, connection } as postgres.Options<
    Record<string, postgres.PostgresType>
  >)
}

/**
 * A connection that only listens is closed after each silence and opened again (docs/decisions/063). An `unlisten`
 * sent just then would fail and keep its owner from closing what else it has open; and after such a renewal the
 * driver's `unlisten` finds nothing to remove. So the end is noted here, and the callbacks are silent from then on.
 */
function endable(listen: postgres.Sql['listen']): postgres.Sql['listen'] {
  return async (channel, onNotify, onListen) => {
    let ended = false
    const listening = await listen(
      channel,
      (payload) => ended || onNotify(payload),
      () => ended || onListen?.(),
    )
    const unlisten = async () => {
      ended = true
      await listening.unlisten().catch(() => undefined)
    }
    return { ...listening, unlisten }
  }
}

/**
 * Opens both clients, `max` connections each (lazily). bigint columns are returned as numbers: ours stay below 2^53.
 * Every wait has a timeout: `answerMs` on the server, a little longer for a silent connection. @param url
 * postgres://…; errors appear on first use.
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
    // Before its silence ends it by force, which would lose a query sent at that moment.
    idle_timeout: answerMs / 1000,
    types: {
      bigint: {
        to: 20,
        from: [20, 1700] as number[],
        serialize: (value: number) => String(value),
        parse: Number,
      },
    },
  }
  const silence = { ms: silentMs, ends: 'always' } as const
  const forDrizzle = openClient(url, shared, silence)
  const sql = openClient(url, shared, silence)
  for (const client of [forDrizzle, sql]) {
    client.begin = safeBegin(client.begin as Parameters<typeof safeBegin>[0]) as typeof client.begin
    client.listen = endable(client.listen)
  }
  return {
    db: drizzle(forDrizzle),
    sql: sql as unknown as Sql,
    close: async () => {
      await Promise.all([forDrizzle.end({ timeout: 5 }), sql.end({ timeout: 5 })])
    },
  }
}
