/** Targets that take connections and messages and never reply: those that do reply go on, of the same customer and of another. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  type Receiver,
  startBroker,
  startForwarding,
  startSilent,
  startWebService,
  stepsBack,
} from './forwarding.ts'
import { until } from './until.ts'

const REPORTS = 1_000
/** As in workers/monitor/north-read.ts. */
const BATCH = 200
/** More than are served side by side (workers/monitor/forward-reports.ts), so that they could take all places. */
const SILENT = 12
/** A silent broker is given up after 10 s, everything else after 15 s: within less, nothing has waited for one of them. */
const PROMPT_MS = 8_000

let forwarding: Awaited<ReturnType<typeof startForwarding>>
const opened: Receiver[] = []
const keep = async (receiver: Promise<Receiver>) => {
  opened.push(await receiver)
  return receiver
}
beforeAll(async () => {
  forwarding = await startForwarding()
}, 180_000)
afterAll(async () => {
  await forwarding?.rooms.close()
  for (const receiver of opened) await receiver.close()
})

it('a dozen that hang from the start delay no other customer, and one that hangs later no neighbour; what waited arrives when it is back', async () => {
  const { plants, aim, store, target, endLease } = forwarding
  const [silentWeb, silentBroker] = [await keep(startSilent('http')), await keep(startSilent('mqtt'))]
  const [web, broker, other] = [
    await keep(startWebService()),
    await keep(startBroker()),
    await keep(startWebService()),
  ]
  const hanging: number[] = []
  for (let n = 0; n < SILENT; n++)
    hanging.push(await aim(plants.a, n % 2 ? silentBroker : silentWeb, { name: `silent ${n}` }))
  const others = await aim(plants.b, other)
  await store(plants.a, REPORTS)
  await store(plants.b, REPORTS)
  const all = Array.from({ length: REPORTS }, (_, n) => n + 1)
  await until('the other customer has everything', () => other.arrived().length >= REPORTS, PROMPT_MS)
  expect(other.arrived()).toEqual(all)

  // Its neighbours hang and have been given up; one that works hangs from its third batch on.
  await until(
    'they are known to fail',
    async () =>
      (await Promise.all(hanging.map(target))).every((one) => one?.fault === 'unreachable' && one.waiting),
    60_000,
    500,
  )
  broker.hangAfter(2 * BATCH + 50)
  const [byWeb, byBroker] = [await aim(plants.a, web), await aim(plants.a, broker)]
  await store(plants.a, REPORTS)
  await until('the neighbour has everything', () => web.arrived().length >= REPORTS, PROMPT_MS)
  expect(web.arrived()).toEqual(all)
  await until(
    'the one that hangs is given up',
    async () => (await target(byBroker))?.fault === 'unreachable',
    60_000,
  )
  expect(await target(byBroker)).toMatchObject({ waiting: true, failures: 1 })

  broker.hangAfter(Number.POSITIVE_INFINITY)
  await endLease(byBroker)
  await until(
    'it has everything',
    async () => broker.arrived().at(-1) === REPORTS && (await target(byBroker))?.waiting === false,
    60_000,
  )
  expect(new Set(broker.arrived()).size).toBe(REPORTS)
  // The batch that it took without a word comes once more, and nothing else.
  expect(stepsBack(broker.arrived())).toHaveLength(1)
  expect(await target(byWeb)).toMatchObject({ waiting: false, fault: null, failures: 0 })
  expect(await target(others)).toMatchObject({ waiting: false, fault: null, failures: 0 })
}, 300_000)
