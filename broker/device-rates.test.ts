import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { brokerTest } from '#test/broker-test'
import { publish } from '#test/hostile-packets'
import { limits } from './limits.ts'
import { openBucket } from './token-bucket.ts'

const { device, login, context } = await brokerTest('DR-', 3)
const { devicePublishBurst: burst, devicePublishesPerSecond: perSecond } = limits

it('a bucket is emptied at once, then refills at its rate, and up to its size', () => {
  const bucket = openBucket({ perSecond: 10, burst: 5 }, 0)
  expect([bucket.take(5, 0), bucket.take(2, 0), bucket.take(1, 1_000)]).toEqual([0, 200, 0])
  expect([bucket.isFull(1_000), bucket.isFull(10_000)]).toEqual([false, true])
  expect([bucket.take(5, 60_000), bucket.take(1, 60_000)]).toEqual([0, 100])
})

it('68: a device that sends without end is read more slowly, loses nothing, and slows down no other', async () => {
  const [flooding, other] = [device(), device()]
  const [raw, quiet] = [await login(flooding), await login(other)]
  const status = (sn: string, id: number) =>
    publish(`v1/${sn}/up/status`, JSON.stringify({ at: Date.now() + id }), id)
  let sent = 0
  let acknowledged = 0
  const flood = async (until: number) => {
    while (acknowledged < until) {
      for (; sent < until && sent - acknowledged < 400; sent++)
        raw.send(status(flooding.sn, 1 + (sent % 60_000)))
      await raw.take('puback')
      acknowledged++
    }
  }
  const began = performance.now()
  await flood(burst)
  let isOver = false
  const beyond = flood(burst + 6 * perSecond).finally(() => {
    isOver = true
  })
  quiet.send(status(other.sn, 1))
  await quiet.take('puback')
  expect(isOver).toBe(false)
  await beyond
  // What is in transit is read in one piece: up to two seconds' worth.
  expect(performance.now() - began).toBeGreaterThan(4_000)
  await sleep(600)
  const rows = await context.sql`select what from device_warnings where device_id = ${flooding.id}`
  expect(rows.map(({ what }) => what)).toContain('tooMany')
}, 120_000)
