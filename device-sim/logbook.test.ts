import { expect, it } from 'vitest'
import { log } from '#schema/device/log'
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

it('what somebody typed or configured is in a line that the platform takes', () => {
  const part = { now: () => 1_000, world: { wheel: { after: () => undefined } } } as unknown as Base
  const logbook = new Logbook(part)
  logbook.note('warning', 'dropbear', `bad password for 'a\r\n\u0085${'\u{1f511}'.slice(0, 1)}'`)
  logbook.note('error', 'netifd', `wan: the gateway ${'x'.repeat(2_000)} does not answer`)
  const { lines } = log.payload.parse({ bootId: 'b', lines: logbook.lines })
  expect(lines[0]?.text).toBe("bad password for 'a   \ufffd'")
  expect(lines[1]?.text).toMatch(/^wan: the gateway x{983}$/)
})
