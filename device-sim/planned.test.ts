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
let now: number
let armed: number[]

beforeEach(() => {
  kept = { revision: 0, dueAts: [], waitS: 60, lastRunAt: 0, unreported: [] }
  written = []
  downs = 0
  now = NOW
  armed = []
  run = () => undefined
})

let run: () => void

async function scheduled(isSet: boolean): Promise<Planned> {
  const part = {
    online: false,
    now: () => now,
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
        after: (ms: number, next: () => void) => {
          armed.push(ms)
          run = next
          return { cancel: () => undefined }
        },
        sleep: () => new Promise(() => undefined),
      },
    },
  }
  const planned = new Planned(part as never)
  await planned.set({ revision: 1, dueAts: [DUE], waitS: 1 })
  return planned
}

/** Runs its only moment while it is not connected. */
async function due(isSet: boolean): Promise<void> {
  await scheduled(isSet)
  written = []
  run()
  await new Promise((done) => setImmediate(done))
}

it('a moment is waited for by the new time when the clock is set', async () => {
  now = DUE + 60_000
  const planned = await scheduled(true)
  expect(armed).toEqual([])
  now = NOW
  planned.clockSet()
  expect(armed).toEqual([DUE - NOW])
})

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
