/**
 * Notices work that asks for a second connection while its transaction holds one. If as many such transactions run as
 * the pool has connections, all of them wait for ever, and so does everybody else.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Context } from '#infra/context'

type Clients = Pick<Context, 'db' | 'sql' | 'parameters'>
type Call = (...given: unknown[]) => unknown

const asking = new Set(['select', 'selectDistinct', 'insert', 'update', 'delete', 'execute', '$count'])

/** The same clients; a statement outside of the transaction in which it is sent is an error. */
export function oneConnection<C extends Clients>(context: C): C {
  const holding = new AsyncLocalStorage<true>()
  const refuse = () => {
    if (holding.getStore())
      throw new Error('a transaction holds a connection and asks for a second one: use the transaction')
  }
  const within = (work: unknown) =>
    typeof work === 'function' ? (tx: unknown) => holding.run(true, () => (work as Call)(tx)) : work
  const begins =
    (begin: Call, self: unknown): Call =>
    (...given) => {
      refuse()
      return begin.apply(self, given.map(within))
    }
  const db = new Proxy(context.db, {
    get(target, name) {
      const found: unknown = Reflect.get(target, name)
      if (typeof found !== 'function') return found
      if (name === 'transaction') return begins(found as Call, target)
      if (!asking.has(String(name))) return found
      return (...given: unknown[]) => {
        refuse()
        return (found as Call).apply(target, given)
      }
    },
  })
  const sql = new Proxy(context.sql, {
    apply(target, self, given: unknown[]) {
      // A fragment, such as a list of values, is no statement.
      if (Array.isArray(given[0]) && 'raw' in given[0]) refuseStatement(given)
      return Reflect.apply(target as never, self, given)
    },
    get(target, name) {
      const found: unknown = Reflect.get(target, name)
      return name === 'begin' ? begins(found as Call, target) : found
    },
  })
  function refuseStatement([text]: unknown[]) {
    if (/^\s*(select|insert|update|delete|with)\b/i.test((text as readonly string[])[0] ?? '')) refuse()
  }
  const { parameters: kept } = context
  const parameters: typeof kept = {
    ...kept,
    get: (key, customerId, via) => {
      // It asks only when what it knows is older than some seconds.
      if (!via) refuse()
      return kept.get(key, customerId, via)
    },
  }
  const clients: Partial<Record<PropertyKey, unknown>> = { db, sql, parameters }
  // Tests may replace other parts later.
  return new Proxy(context, { get: (target, name) => clients[name] ?? Reflect.get(target, name) })
}
