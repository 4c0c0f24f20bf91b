/** A will is published after its connection has closed, while the source is coming back. */
import { EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { southTest } from '#test/south-bench'
import type { Guard } from '../guard.ts'
import type { Reading } from '../variables/reading.ts'
import { openSouth } from './south.ts'

const { context, account, linked } = await southTest('WILL-')

it('that is read slowly does not make the new connection forget its birth', async () => {
  const { id } = await account('sparkplugB', ['spBv1.0/G/#'])
  await linked(id, 'G/N', { A: 'int32' })
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
  const filed: Reading[] = []
  const file = (reading: Reading, _: number, done: (stored: boolean) => void) => {
    filed.push(reading)
    done(true)
  }
  const south = await openSouth({ ...context, sql, file, hasRoom: () => true })
  try {
    const of = { kind: 'source' as const, accountId: id, topics: ['spBv1.0/G/#'] }
    const say = (type: string, hex: string) =>
      new Promise((done) => south.receive(of, `spBv1.0/G/${type}/N`, Buffer.from(hex, 'hex'), 1, done))
    const will = say('NDEATH', '')
    const guard = Object.assign(new EventEmitter(), { filters: new Map(), cut: () => undefined })
    south.enter(guard as unknown as Guard, of)
    // "A" (Int32, alias 1) is 5.
    await say('NBIRTH', '12090a01411001200350051800')
    held.resolve()
    await will
    await sleep(20)
    // By its alias: 7.
    await say('NDATA', '1204100150071801')
    expect(filed.at(-1)?.vals).toEqual([7])
  } finally {
    await south.close()
  }
})
