import { expect, it, vi } from 'vitest'
import { liveHub, type Viewer } from './live-hub.ts'

const T = 1_790_000_000_000
const viewer: Viewer = {
  login: 'kiosk 1',
  tell: () => true,
  again: () => Promise.reject(new Error('not asked')),
  end: () => undefined,
}

it('forgets a viewer whose first values cannot be read', async () => {
  const away = { execute: () => Promise.reject(new Error('the database is away')) }
  const hub = liveHub(away as never, () => undefined)
  const watched = [{ terminalId: 1, variableId: 2, slot: 3, staleMs: 60_000, place: 'a' }]
  await expect(hub.join(viewer, watched)).rejects.toThrow('the database is away')
  expect(hub.size).toBe(0)
})

it('reads once a tick, also when the last viewer leaves and the next one comes while values are read', async () => {
  vi.useFakeTimers()
  const asked: (() => void)[] = []
  let reads = 0
  const slow = {
    execute: () => {
      reads++
      return new Promise((done) => asked.push(() => done([])))
    },
  }
  const answer = async () => {
    for (const one of asked.splice(0)) one()
    await vi.advanceTimersByTimeAsync(0)
  }
  const hub = liveHub(slow as never, () => undefined, 1_000)
  const watched = [{ terminalId: 1, variableId: 2, slot: 3, staleMs: 60_000, place: 'a' }]
  const join = async () => {
    const joined = hub.join({ ...viewer, again: () => Promise.resolve(watched) }, watched)
    await answer()
    return joined
  }
  for (let i = 0; i < 5; i++) {
    const leave = await join()
    // The beat has begun to read, as the page is loaded anew.
    await vi.advanceTimersByTimeAsync(1_000)
    leave()
    await join().then((next) => next())
    await answer()
  }
  const leave = await join()
  reads = 0
  for (let tick = 0; tick < 9; tick++) {
    await vi.advanceTimersByTimeAsync(1_000)
    await answer()
    await answer()
  }
  // One of values each, and one of logins every third.
  expect(reads).toBeLessThanOrEqual(9 + 3)
  leave()
  expect(vi.getTimerCount()).toBe(0)
  vi.useRealTimers()
})

it('sends a viewer that comes just after a gateway was moved the values that nobody has changed since', async () => {
  vi.useFakeTimers()
  const row = (place: string) => ({
    ...{ terminalId: 1, sign: place, place, online: true, slave: null, at: [T], vals: [5], quality: [0] },
    ...{ texts: null, goodAt: null, goodVals: null },
  })
  let place = 'before'
  // As the database does: only what is not known yet.
  let known = ''
  const db = {
    execute: () => {
      const rows = place === known ? [] : [row(place)]
      known = place
      return Promise.resolve(rows)
    },
  }
  const hub = liveHub(db as never, () => undefined, 1_000)
  const watched = () => [{ terminalId: 1, variableId: 2, slot: 0, staleMs: 1e12, place }]
  const sent: string[] = []
  const join = (told: string[]) =>
    hub.join({ ...viewer, tell: (text) => told.push(text) > 0, again: async () => watched() }, watched())
  const leave = [await join([])]
  // Moved, and opened by somebody else before the next tick has read it.
  place = 'after'
  leave.push(await join(sent))
  await vi.advanceTimersByTimeAsync(5_000)
  expect(sent.join()).toContain('"value":5')
  for (const one of leave) one()
  vi.useRealTimers()
})
