/** The attacks that take a long time, run concurrently. */
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { brokerTest } from '#test/broker-test'
import { patience, stopwatch } from '#test/patience'
import { openRaw, type Raw } from '#test/raw-mqtt'
import type { TestDevice } from '#test/tenants'
import { limits } from './limits.ts'

const { context, broker, devices, keep, login: loginOf } = await brokerTest('PA-', 6)

const login = (index: number, over: Parameters<typeof loginOf>[1] = {}) =>
  loginOf(devices[index] as TestDevice, over)
async function subscribe(raw: Raw, topic: string, qos: 0 | 1) {
  raw.send({ cmd: 'subscribe', messageId: 7, subscriptions: [{ topic, qos }] })
  await raw.take('suback')
}
const refusedBecause = async (reason: string) => {
  const text = await context.metrics.getSingleMetricAsString('mqtt_refused_total')
  return Number(new RegExp(`reason="${reason}"[^}]*} (\\d+)`).exec(text)?.[1] ?? 0)
}

// These tests measure time on a machine that other programs may be using.
describe.concurrent('the timeouts of the broker', { retry: 2, timeout: 60_000 }, () => {
  it('3: ends 500 silent sockets within 10 s', async () => {
    const silent = await Promise.all(Array.from({ length: 500 }, () => openRaw(broker.ports.mqtt)))
    silent.map(keep)
    await login(0)
    await Promise.all(silent.map((raw) => raw.closed(limits.connectMs + 4000)))
  })

  it('3: ends a CONNECT that is sent byte by byte', async () => {
    const raw = keep(await openRaw(broker.ports.mqtt))
    raw.send('1020')
    const drip = setInterval(() => raw.isClosed() || raw.send('00'), 900)
    await raw.closed(limits.connectMs + 4000)
    clearInterval(drip)
  })

  it('5: cuts a frozen subscriber, which meanwhile delays no other device by a second', async () => {
    const [flooder, other] = [devices[1] as TestDevice, devices[2] as TestDevice]
    const frozen = await login(1, { tag: 'frozen' })
    await subscribe(frozen, `v1/${flooder.sn}/flood`, 1)
    frozen.socket.pause()
    const quick = await login(2)
    await subscribe(quick, `v1/${other.sn}/tick`, 0)
    const writer = await login(1)
    const load = Buffer.alloc(200_000, 1)
    const packet = (topic: string, payload: Buffer | string, qos: 0 | 1, messageId = 1) =>
      ({ cmd: 'publish', topic, payload, qos, messageId, retain: false, dup: false }) as const
    let id = 1
    const flood = setInterval(() => {
      if (writer.socket.writableLength < 1e6) writer.send(packet(`v1/${flooder.sn}/flood`, load, 1, id++))
    }, 2)
    let longest = 0
    let cutAfter = 0
    const start = Date.now()
    const isOver = patience(14_000)
    for (let i = 0; cutAfter === 0 && !isOver(); i++) {
      const taken = stopwatch()
      quick.send(packet(`v1/${other.sn}/tick`, String(i), 0))
      await quick.take('publish')
      longest = Math.max(longest, taken())
      if ((await refusedBecause('packet')) > 0) cutAfter = Date.now() - start
      await sleep(100)
    }
    clearInterval(flood)
    expect(longest).toBeLessThan(1000)
    expect(cutAfter).toBeGreaterThan(0)
  })

  it('does not let a flood through a hundred overlapping filters on five connections delay another device by a second', async () => {
    const [flooder, other] = [devices[3] as TestDevice, devices[4] as TestDevice]
    // 64 ways to write + in six levels, and 36 ways to end early with #.
    const level = (bits: number, at: number) => (bits & (1 << at) ? '+' : 'x')
    const filters = Array.from({ length: limits.subscriptions }, (_, i) =>
      [0, 1, 2, 3, 4, 5].map((at) => (i >= 64 && at === 5 ? '#' : level(i % 64, at))).join('/'),
    )
    const tags = ['a', 'b', 'c', 'd', '']
    const floods = await Promise.all(
      tags.map(async (tag) => {
        const raw = await login(3, tag ? { tag } : {})
        for (const filter of filters)
          raw.send({
            cmd: 'subscribe',
            messageId: 7,
            subscriptions: [{ topic: `v1/${flooder.sn}/${filter}`, qos: 0 }],
          })
        for (const _ of filters) await raw.take('suback')
        raw.socket.removeAllListeners('data')
        raw.socket.resume()
        return raw
      }),
    )
    const quick = await login(4)
    await subscribe(quick, `v1/${other.sn}/tick`, 0)
    const packet = (topic: string, payload: string) =>
      ({ cmd: 'publish', topic, payload, qos: 0, retain: false, dup: false }) as const
    const { generate } = await import('mqtt-packet')
    const burst = Buffer.concat(
      Array.from({ length: 2000 }, () => generate(packet(`v1/${flooder.sn}/x/x/x/x/x/x`, 'y'))),
    )
    /** The longest delay of a message of the other device within `ms`. */
    const delayed = async (ms: number, meanwhile: () => void) => {
      let longest = 0
      for (const until = Date.now() + ms; Date.now() < until; ) {
        meanwhile()
        const taken = stopwatch()
        quick.send(packet(`v1/${other.sn}/tick`, 'now'))
        await quick.take('publish')
        longest = Math.max(longest, taken())
        await sleep(50)
      }
      return longest
    }
    // On a busy machine the other device waits even without a flood.
    const usual = await delayed(1000, () => undefined)
    const flooded = await delayed(4000, () => {
      for (const raw of floods) if (raw.socket.writableLength < 200_000) raw.send(burst)
    })
    expect(flooded).toBeLessThan(1000 + 10 * usual)
  })
})
