import { expect, it } from 'vitest'
import type { Base } from './base.ts'
import { Logbook } from './logbook.ts'

it('lines are sent at once while the log is followed, and no longer when a further request does not follow it', () => {
  const waits: number[] = []
  const wheel = { after: (ms: number) => void waits.push(ms) }
  const part = { now: () => 1_000, world: { wheel }, power: { aborted: true } } as unknown as Base
  const logbook = new Logbook(part)
  logbook.follow(60_000)
  logbook.note('info', 'test', 'followed')
  logbook.follow(0)
  logbook.note('info', 'test', 'not followed')
  expect(waits).toEqual([0, 2_000])
})
