/** The messages of simulated print servers are accepted by the protocol. */
import { expect, it } from 'vitest'
import { printers } from '#schema/printing/printer'
import { modelOf } from './models.ts'
import { Printers } from './printers.ts'

type Reported = { at: number; printers: { id: string; successCount: number; failCount: number }[] }

/** A print server of this seed; `reported` collects its messages, `clock` is its clock. */
function serverOf(seed: number, model = 'P10') {
  const reported: Reported[] = []
  const clock = { at: Date.UTC(2026, 10, 21, 9) }
  const server = new Printers({
    sn: `PS${seed}`,
    world: { seed },
    identity: { model: modelOf(model) },
    now: () => clock.at,
    report: async (_message: unknown, payload: Reported) => void reported.push(payload),
  } as never)
  return { server, reported, clock }
}

it('fits the declared message at every hour', () => {
  for (let seed = 1; seed <= 20; seed++) {
    const { server, reported, clock } = serverOf(seed)
    server.connected()
    for (let hour = 0; hour < 48; hour++) {
      clock.at += 3_600_000
      server.tell()
    }
    expect(reported.length).toBeGreaterThan(10)
    for (const payload of reported) expect(printers.payload.safeParse(payload).error).toBeUndefined()
  }
})

it('continues counting across a restart, reports nothing twice, and everything after a hello', () => {
  const { server, reported, clock } = serverOf(3)
  server.connected()
  server.tell()
  expect(reported).toHaveLength(1)
  const again = serverOf(3)
  again.clock.at = clock.at + 86_400_000
  again.server.connected()
  again.server.connected()
  expect(again.reported).toHaveLength(2)
  const [before, after] = [reported[0]?.printers[0], again.reported[0]?.printers[0]]
  expect(after?.id).toBe(before?.id)
  expect(after?.successCount).toBeGreaterThan(before?.successCount ?? Number.MAX_SAFE_INTEGER)
})

it('is reported by print servers only', () => {
  const { server, reported } = serverOf(1, 'R200')
  server.connected()
  expect(reported).toEqual([])
})
