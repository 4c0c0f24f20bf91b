import { expect, it } from 'vitest'
import { Clock } from '../clock.ts'
import { Forwarder } from './forwarder.ts'

const HOUR_MS = 3_600_000

it('reports have different times, and those of the new clock after it was set back', () => {
  const times: number[] = []
  const clock = new Clock(true)
  const part = {
    sn: 'GT24000001',
    online: true,
    clock,
    world: { backlogLimit: 10, store: { backlogCount: () => 0, droppedBacklog: () => [] } },
    deliver: async (_: unknown, { at }: { at: number }) => {
      times.push(at)
      return true
    },
  }
  const forwarder = new Forwarder(part as never)
  const send = () => forwarder.send({ t: 1, plan: 1, i: [0], v: [1] }, clock.uptime())
  send()
  send()
  clock.set(Date.now() - HOUR_MS)
  send()
  send()
  const [first = 0, second = 0, third = 0, fourth = 0] = times
  expect(second).toBeGreaterThan(first)
  expect(first - third).toBeGreaterThan(HOUR_MS - 60_000)
  expect(fourth).toBeGreaterThan(third)
})
