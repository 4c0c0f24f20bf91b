/** kill -9 of the worker while it forwards: nothing is lost, and at most the batch that was on its way arrives twice [decisions/117]. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { noKafka } from '../programs/kafka.ts'
import {
  ALARMS,
  type Receiver,
  startBroker,
  startForwarding,
  startKafka,
  startWebService,
  stepsBack,
} from './forwarding.ts'
import { until } from './until.ts'

if (noKafka) process.stderr.write('SKIPPED: kill -9 while forwarding to Kafka (no kcat)\n')

const REPORTS = 30_000
/** As in workers/monitor/north-read.ts. */
const BATCH = 200
const KILLS = 3

let forwarding: Awaited<ReturnType<typeof startForwarding>>
beforeAll(async () => {
  forwarding = await startForwarding()
}, 240_000)
afterAll(() => forwarding?.rooms.close(), 60_000)

/** In the second kill the receiver has not got what was on its way, in the others it has. */
const keeps = (kill: number) => kill !== 2
/**
 * `backs`: how far each kill makes the arriving values go back. A web service takes a batch as a whole; at a broker each message is
 * acknowledged by itself, and the kill comes in the middle of a batch. Where a kill meets Kafka is left to chance.
 */
const kinds: {
  name: string
  start: () => Promise<Receiver>
  skip?: boolean
  backs: (backs: number[]) => void
}[] = [
  {
    name: 'a web service',
    start: startWebService,
    backs: (backs) => expect(backs).toEqual([BATCH, BATCH]),
  },
  { name: 'a broker', start: startBroker, backs: (backs) => expect(backs).toHaveLength(KILLS) },
  {
    name: 'Kafka',
    start: startKafka,
    skip: noKafka,
    backs: (backs) => expect(backs.length).toBeLessThanOrEqual(KILLS),
  },
]

/** Forwards a part, is killed in the middle of a batch, and may go on. */
async function killOnTheWay(receiver: Receiver, id: number, kill: number, before: number) {
  const { rooms, endLease } = forwarding
  receiver.hangAfter(receiver.arrived().length + 3 * BATCH + kill * 37, keeps(kill))
  await until('it forwards', receiver.hangs, 60_000, 1)
  await rooms.kill('workers')
  expect(new Set(receiver.arrived()).size).toBeLessThan(before)
  receiver.hangAfter(Number.POSITIVE_INFINITY)
  await endLease(id)
}
const allHere = (receiver: Receiver, id: number, count: number) =>
  until(
    'everything has arrived',
    async () =>
      new Set(receiver.arrived()).size === count && (await forwarding.target(id))?.waiting === false,
    120_000,
    200,
  )

for (const { name, start, skip = false, backs } of kinds) {
  it.skipIf(skip)(
    `to ${name}: kill -9 of the worker loses no value, and each sends at most one batch again`,
    async () => {
      const { plants, aim, store, removeTarget } = forwarding
      const receiver = await start()
      const id = await aim(plants.a, receiver)
      try {
        await store(plants.a, REPORTS)
        for (let kill = 1; kill <= KILLS; kill++) await killOnTheWay(receiver, id, kill, REPORTS)
        await allHere(receiver, id, REPORTS)
        // Never forward: in order otherwise.
        const found = stepsBack(receiver.arrived()).map((step) => 1 - step)
        for (const back of found) {
          expect(back).toBeGreaterThan(0)
          expect(back).toBeLessThanOrEqual(BATCH)
        }
        backs(found)
      } finally {
        await removeTarget(id)
        await receiver.close()
      }
    },
    240_000,
  )

  it.skipIf(skip)(
    `to ${name}: kill -9 of the worker loses no alarm, neither its beginning nor its end, and each sends at most one batch again`,
    async () => {
      const { plants, aim, openAlarms, endAlarms, removeTarget } = forwarding
      const receiver = await start()
      const id = await aim(plants.a, receiver, { values: false })
      try {
        await openAlarms(plants.a)
        await killOnTheWay(receiver, id, 1, ALARMS)
        await killOnTheWay(receiver, id, 2, ALARMS)
        await allHere(receiver, id, ALARMS)
        await endAlarms(plants.a)
        await killOnTheWay(receiver, id, 3, 2 * ALARMS)
        await allHere(receiver, id, 2 * ALARMS)
        const arrived = receiver.arrived()
        if (receiver.kind === 'kafka') {
          // Alarms are spread over the partitions of the topic: each has its own order.
          expect(arrived.length - 2 * ALARMS).toBeLessThanOrEqual(KILLS * BATCH)
          const last = new Map(arrived.map((n, index) => [n, index]))
          const first = new Map(arrived.map((n, index) => [n, index] as const).toReversed())
          for (let n = 1; n <= ALARMS; n++) expect(last.get(n)).toBeLessThan(first.get(n + ALARMS) ?? 0)
        } else {
          const found = stepsBack(arrived).map((step) => 1 - step)
          for (const back of found) {
            expect(back).toBeGreaterThan(0)
            expect(back).toBeLessThanOrEqual(BATCH)
          }
          backs(found)
        }
      } finally {
        await endAlarms(plants.a)
        await removeTarget(id)
        await receiver.close()
      }
    },
    240_000,
  )
}
