/** A source that comes back while its account is still being read: its connections count as one account's. */
import { EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { southTest } from '#test/south-bench'
import type { Guard } from '../guard.ts'
import { openSouth } from './south.ts'

const { context, account } = await southTest('RETURN-')

/** A connection that can be closed, and notes that it was cut. */
const connection = () => {
  const cut: string[] = []
  const guard = Object.assign(new EventEmitter(), { filters: new Map(), cut: (why: string) => cut.push(why) })
  return { guard: guard as unknown as Guard, cut, close: () => guard.emit('close') }
}

it('is cut when the account is switched off, although its first connection closed before the account was read', async () => {
  const { id } = await account('mapping', ['line/+'], {
    mapping: { terminalAt: 'topic/2', valuesAt: '/d' },
  })
  const held = Promise.withResolvers<void>()
  let asked = 0
  const sql = new Proxy(context.sql, {
    get: (of, name) =>
      name === 'unsafe'
        ? async (...args: Parameters<typeof of.unsafe>) => {
            if (asked++ === 0) await held.promise
            return of.unsafe(...args)
          }
        : Reflect.get(of, name),
  })
  const south = await openSouth({ ...context, sql, file: () => undefined, hasRoom: () => true })
  try {
    const of = { kind: 'source' as const, accountId: id, topics: ['line/+'] }
    const first = connection()
    south.enter(first.guard, of)
    first.close()
    const second = connection()
    south.enter(second.guard, of)
    held.resolve()
    await sleep(200)
    await context.sql`update south_accounts set enabled = false where id = ${id}`
    await expect.poll(() => second.cut).toEqual(['revoked'])
  } finally {
    await south.close()
  }
})

it('is forgotten when both connections have closed meanwhile', async () => {
  const { id } = await account('mapping', ['line/+'], {
    mapping: { terminalAt: 'topic/2', valuesAt: '/d' },
  })
  const south = await openSouth({ ...context, file: () => undefined, hasRoom: () => true })
  try {
    const of = { kind: 'source' as const, accountId: id, topics: ['line/+'] }
    for (let n = 0; n < 2; n++) {
      const one = connection()
      south.enter(one.guard, of)
      one.close()
    }
    await expect
      .poll(
        async () =>
          (await context.sql`select brokers from south_states where account_id = ${id}`)[0]?.['brokers'],
      )
      .toEqual({})
  } finally {
    await south.close()
  }
})
