import { expect, it } from 'vitest'
import { Buses } from './buses.ts'
import { Registers } from './registers.ts'
import { slave } from './slave.ts'

it('a bus that is polled after a reboot stays open when what was tested before would have released it', async () => {
  const later: (() => void)[] = []
  const wheel = {
    after: (_: number, run: () => void) => {
      later.push(run)
      return { cancel: () => undefined }
    },
    sleep: async () => undefined,
    close: () => undefined,
  }
  const lines = { serial: () => null, allows: () => false }
  const buses = new Buses(lines, wheel, slave(1, new Registers()), () => undefined)
  const own = { kind: 'own' as const, pauseMs: 0, connectDelayMs: 0 }
  await buses.take(own, 'command', async () => null)
  const release = later.splice(0)
  buses.close()
  const polled = buses.hold(own)
  for (const run of release) run()
  // Another one would be a second connection, beside one that polls nothing any more.
  expect(buses.hold(own)).toBe(polled)
})
