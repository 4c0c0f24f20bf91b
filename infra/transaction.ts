/**
 * Transactions that survive a broken connection. postgres.js 3.4.9 sends ROLLBACK, COMMIT or the next statement to a
 * closed socket, from a timer: an uncaught exception that ends the process (its issues 1154 and 1208). Here a
 * transaction whose connection broke sends nothing more: it is rejected, and its work never settles.
 */
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import type postgres from 'postgres'

type Tx = postgres.TransactionSql
type Work = (tx: Tx) => unknown
type Begin = (...given: [Work] | [string, Work]) => Promise<unknown>

/** Errors of a breaking connection, or of one that the server is about to close (57P01 to 57P03). */
function mayBreak(error: unknown): boolean {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: { code?: unknown } }
  return /^(CONNECTION_(CLOSED|ENDED|DESTROYED|SILENT)|57P0[123]|25P03|ECONNRESET|EPIPE|ETIMEDOUT)$/.test(
    String(code ?? cause?.code),
  )
}

/** After such an error the connection must close within this time; otherwise the error had another cause. */
const CLOSED_WITHIN_MS = 1_000

/** A promise that never settles, returned instead of any query. */
function silence(): unknown {
  const nothing: object = new Promise(() => undefined)
  const itself = () => nothing
  return Object.assign(nothing, {
    values: itself,
    raw: itself,
    simple: itself,
    execute: itself,
    describe: itself,
    cursor: itself,
    forEach: itself,
  })
}

type Fate = { broken: boolean; gone: Promise<unknown> }

/** Runs `work`; if the connection breaks it never settles, so that nothing is sent on its behalf. */
async function quietly(work: Work, tx: Tx, fate: Fate): Promise<unknown> {
  try {
    const result = await work(watched(tx, fate))
    if (!fate.broken) return result
  } catch (error) {
    // The close event is emitted in the same turn of the event loop, but reaches us a moment later.
    await setImmediate()
    if (!fate.broken && mayBreak(error)) await Promise.race([fate.gone, sleep(CLOSED_WITHIN_MS)])
    if (!fate.broken) throw error
  }
  return silence()
}

/** The same transaction, which sends nothing once its connection is gone. */
function watched(tx: Tx, fate: Fate): Tx {
  return new Proxy(tx, {
    apply: (target, self, given: unknown[]) => {
      const isStatement = Array.isArray(given[0]) && 'raw' in given[0]
      return fate.broken && isStatement ? silence() : Reflect.apply(target as never, self, given)
    },
    get: (target, name) => {
      const found: unknown = Reflect.get(target, name)
      if (name === 'savepoint')
        return (...given: [Work] | [string, Work]) => {
          const [label, work] = given.length === 1 ? [undefined, given[0]] : given
          const inner: Work = (below) => quietly(work, below as Tx, fate)
          return label === undefined ? target.savepoint(inner) : target.savepoint(label, inner)
        }
      if ((name === 'unsafe' || name === 'file') && fate.broken) return silence
      return found
    },
  })
}

/** `sql.begin` that rejects when the connection breaks, at any point of the transaction. */
export function safeBegin(begin: Begin): Begin {
  return (...given) => {
    const [mode, work] = given.length === 1 ? [undefined, given[0]] : given
    const { promise: gone, resolve } = Promise.withResolvers<void>()
    const fate: Fate = { broken: false, gone }
    const inner: Work = (tx) => quietly(work, tx, fate)
    const outcome = mode === undefined ? begin(inner) : begin(mode, inner)
    // While the work runs only a closed connection rejects it.
    outcome.catch(() => {
      fate.broken = true
      resolve()
    })
    return outcome
  }
}
