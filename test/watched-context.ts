/** A context that records every statement it sends, with its parameters: for tests of plans and for benchmarks. */
import { drizzle } from 'drizzle-orm/postgres-js'
import postgres from 'postgres'
import type { Context } from '#infra/context'
import type { Sql } from '#infra/postgres'

export type Statement = { text: string; parameters: readonly unknown[] }

/** The same context with its own clients; `watched` contains everything sent since it was last emptied. */
export function watchedContext<C extends Context>(
  context: C,
  settings: Record<string, string> = {},
): {
  context: C
  watched: Statement[]
  run: (statement: Statement, prefix?: string) => Promise<Record<string, unknown>[]>
  end(): Promise<void>
} {
  const watched: Statement[] = []
  const open = (max: number, listen: boolean) =>
    postgres(context.databaseUrl, {
      max,
      onnotice: () => undefined,
      connection: settings,
      types: {
        bigint: { to: 20, from: [20, 1700], serialize: (value: number) => String(value), parse: Number },
      },
      ...(listen
        ? {
            debug: (_: number, text: string, parameters: unknown[]) => {
              watched.push({ text, parameters: [...parameters] })
            },
          }
        : {}),
    })
  const [forDrizzle, sql, plain] = [open(4, true), open(4, true), open(4, false)]
  return {
    context: { ...context, db: drizzle(forDrizzle), sql: sql as unknown as Sql },
    watched,
    run: (statement, prefix = '') =>
      plain.unsafe(prefix + statement.text, statement.parameters as never[]) as unknown as Promise<
        Record<string, unknown>[]
      >,
    end: async () => {
      await Promise.all([forDrizzle.end(), sql.end(), plain.end()])
    },
  }
}
