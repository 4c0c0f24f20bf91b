/** What a device does by itself at a moment of its reboot schedule. */
import { beforeEach, expect, it } from 'vitest'
import { Planned } from './planned.ts'
import type { KeptSchedule } from './settings.ts'

const NOW = 1_795_284_000_000
const DUE = NOW + 1_000

let kept: KeptSchedule
/** Each state of the schedule that was in flash. */
let written: KeptSchedule[]
let downs: number

beforeEach(() => {
  kept = { revision: 0, dueAts: [], waitS: 60, lastRunAt: 0, unreported: [] }
  written = []
  downs = 0
})

/** Runs its only moment while it is not connected. */
async function due(isSet: boolean): Promise<void> {
  let run: () => void = () => undefined
  const part = {
    online: false,
    now: () => NOW,
    clock: { isSet },
    power: new AbortController().signal,
    dice: { between: () => 0 },
    down: () => {
      downs += 1
    },
    settings: {
      get: () => kept,
      put: async (_: string, value: KeptSchedule) => {
        kept = value
        written.push(value)
      },
    },
    world: {
      speed: 1,
      wheel: {
        after: (_: number, next: () => void) => {
          run = next
          return { cancel: () => undefined }
        },
        sleep: () => new Promise(() => undefined),
      },
    },
  }
  await new Planned(part as never).set({ revision: 1, dueAts: [DUE], waitS: 1 })
  written = []
  run()
  await new Promise((done) => setImmediate(done))
}

it('it restarts, and what it has run is in flash together with what it has to report', async () => {
  await due(true)
  expect(downs).toBe(1)
  expect(written.map(({ lastRunAt, unreported }) => [lastRunAt, unreported])).toEqual([
    [DUE, [{ dueAt: DUE, at: NOW }]],
  ])
})

it('without a clock it does nothing by itself', async () => {
  await due(false)
  expect(downs).toBe(0)
  expect(written).toEqual([])
})
