import { expect, it } from 'vitest'
import type { Guard } from './guard.ts'
import { leaveGradually } from './leave.ts'

it('closes connections evenly, after load balancers have noticed, and those with unacknowledged publishes last', async () => {
  let now = 0
  const guards = new Set<Guard>()
  const gone: { name: number; at: number; why: string }[] = []
  for (let name = 0; name < 100; name++) {
    const guard = {
      turns: { length: name < 5 ? 1 : 0 },
      cut: (why: string) => {
        gone.push({ name, at: now, why })
        guards.delete(guard as unknown as Guard)
      },
    }
    guards.add(guard as unknown as Guard)
  }
  await leaveGradually(guards, 10_000, async (ms) => {
    now += ms
  })
  expect(gone.map(({ name }) => name).toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: 95 }, (_, i) => i + 5),
  )
  expect(gone[0]?.at).toBeGreaterThanOrEqual(3_000)
  expect(gone.every(({ why }) => why === 'brokerStopped')).toBe(true)
  // Half of them in the first half of the time.
  expect(gone.filter(({ at }) => at < 6_500).length).toBeGreaterThan(40)
  expect(gone.filter(({ at }) => at < 6_500).length).toBeLessThan(60)
})
