/** When a value that changes oftener than its shortest interval is reported. */
import { expect, it } from 'vitest'
import type { PlanTerminal } from '#schema/monitor/wire'
import type { Wheel } from '../wheel.ts'
import type { Gatherer } from './gatherer.ts'
import { type Job, PolledSlave } from './polled-slave.ts'

const plan: PlanTerminal = {
  t: 1,
  bus: 0,
  unit: 1,
  timeoutMs: 1_000,
  retries: 0,
  reads: [{ fn: 3, address: 0, count: 1, everyMs: 1_000 }],
  vars: [
    {
      slot: 0,
      read: 0,
      at: 0,
      type: 'uint16',
      order: 'ABCD',
      report: 'change',
      cycleMs: 1_000,
      minIntervalMs: 10_000,
    },
  ],
}

it('once the interval since its last report has passed, also where that one had been held back', () => {
  const reported: [at: number, value: unknown][] = []
  let now = 0
  const timers: { at: number; run: () => void }[] = []
  const wheel = {
    after: (ms: number, run: () => void) => {
      timers.push({ at: now + ms, run })
      return { cancel: () => undefined }
    },
  } as Wheel
  const gatherer = { add: (_: number, { value }: { value: unknown }) => reported.push([now, value]) }
  const slave = new PolledSlave(plan, gatherer as unknown as Gatherer, wheel)
  const read = (at: number, value: number) => {
    for (const { at: due, run } of timers.filter((timer) => timer.at > now && timer.at <= at)) {
      now = due
      run()
    }
    now = at
    slave.took(slave.jobs[0] as Job, { fn: 3, data: Uint8Array.of(0, value) }, at)
  }
  read(0, 1)
  read(1_000, 2)
  read(9_000, 3)
  read(20_000, 4)
  read(24_000, 3)
  read(25_000, 3)
  expect(reported).toEqual([
    [0, 1],
    [10_000, 3],
    [20_000, 4],
  ])
})
