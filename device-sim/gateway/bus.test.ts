import { afterEach, expect, it } from 'vitest'
import { startWheel } from '../wheel.ts'
import { Bus } from './bus.ts'
import { Wire } from './wire.ts'

const spec = { kind: 'tcp', host: '127.0.0.1', port: 1, pauseMs: 0, connectDelayMs: 0 } as const
let bus: Bus | undefined
const wheel = startWheel(5)
afterEach(() => {
  bus?.close()
  wheel.close()
})

it('a poll that throws is reported, and the other polls of the bus continue', async () => {
  const faults: string[] = []
  bus = new Bus(
    spec,
    () => new Wire({ host: '127.0.0.1', port: 1, isTcp: true, wheel }),
    wheel,
    ({ message }) => faults.push(message),
  )
  let broken = true
  let polls = 0
  const at = performance.now()
  bus.poll({
    due: () => (broken ? at : null),
    poll: () => {
      broken = false
      return Promise.reject(new Error('disk full'))
    },
  })
  bus.poll({
    due: () => (polls === 0 ? at + 1 : null),
    poll: async () => {
      polls += 1
    },
  })
  await expect.poll(() => polls).toBeGreaterThan(0)
  expect(faults).toEqual(['disk full'])
})
