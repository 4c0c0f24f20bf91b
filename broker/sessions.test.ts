import { expect, it } from 'vitest'
import { limits } from './limits.ts'
import { type Message, SessionStore } from './sessions.ts'

const DAY_MS = 86_400_000
const message = (brokerCounter: number): Message => ({
  cmd: 'publish',
  brokerCounter,
  topic: 'v1/SN1/s',
  payload: Buffer.alloc(1_000),
  qos: 1,
  retain: false,
  dup: false,
})
const queueOf = (store: SessionStore, id: string) => store.session(id)?.queue.size

it('messages for a session that does not come back take no room after seven days; it stays, as does one that is connected', () => {
  const store = new SessionStore()
  for (const id of ['SN1:away', 'SN1:here', 'SN1:late']) store.enter(id, 'SN1', 1, false)
  for (const id of ['SN1:away', 'SN1:here', 'SN1:late'])
    for (let n = 0; n < 3; n++) store.enqueue(store.session(id) ?? never(), message(n), 1)
  const third = store.bytes / 3
  store.leave('SN1:away', 0)
  store.leave('SN1:late', DAY_MS)
  // Another connection of the same id ends: it left when it left.
  store.leave('SN1:away', DAY_MS)
  store.removeOld(limits.queuedDays * DAY_MS - 1)
  expect(store.bytes).toBe(3 * third)
  store.removeOld(limits.queuedDays * DAY_MS)
  expect(['away', 'here', 'late'].map((tag) => queueOf(store, `SN1:${tag}`))).toEqual([0, 3, 3])
  expect(store.bytes).toBe(2 * third)
  expect(store.enter('SN1:away', 'SN1', 1, false)).toBe(true)
})

it('each message over a limit is reported', () => {
  let refused = 0
  const store = new SessionStore(() => void refused++)
  store.enter('SN1', 'SN1', 1, false)
  const session = store.session('SN1') ?? never()
  for (let n = 0; n < limits.queuedMessages + 2; n++)
    store.enqueue(session, { ...message(n), payload: Buffer.alloc(1) }, 1)
  expect(refused).toBe(2)
  for (let n = 0; n <= limits.retainedMessages; n++)
    store.retain({ ...message(n), topic: `v1/SN1/r/${n}`, retain: true })
  expect(refused).toBe(3)
})

function never(): never {
  throw new Error('no session')
}
