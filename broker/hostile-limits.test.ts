/** What a device may leave behind in a broker [threats 7]. */
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { brokerTest } from '#test/broker-test'
import { publish, publishesTo, subscribe } from '#test/hostile-packets'
import { bothKinds } from '#test/programs/debian-redis'
import { until } from '#test/walks/until'
import { limits } from './limits.ts'

describe.each(await bothKinds())('sessions %s', async (_where, settings) => {
  const { context, device, login } = await brokerTest('HL-', 10, settings)
  const dropped = async () => {
    const text = await context.metrics.getSingleMetricAsString('mqtt_refused_total')
    return Number(/reason="kept"[^}]*} (\d+)/.exec(text)?.[1] ?? 0)
  }

  it('7: subscriptions, retained and queued messages are capped', async () => {
    const own = device()
    const raw = await login(own, { clean: false })
    const granted: unknown[] = []
    for (let i = 0; i < limits.subscriptions + 20; i++)
      granted.push(await subscribe(raw, `v1/${own.sn}/s/${i}`, 1))
    expect(granted.filter((code) => code === 1).length).toBe(limits.subscriptions)
    expect(granted.at(-1)).toBe(128)
    raw.send({ cmd: 'disconnect' })
    await raw.closed()
    const writer = await login(own, { tag: 'w' })
    const count = limits.queuedMessages + 200
    for (let id = 1; id <= count; id++) writer.send(publish(`v1/${own.sn}/s/1`, 'q', id))
    for (let id = 1; id <= count; id++) await writer.take('puback')
    for (let id = 1; id <= limits.retainedMessages + 50; id++)
      writer.send({ ...publish(`v1/${own.sn}/r/${id}`, 'r', id), retain: true })
    for (let id = 1; id <= limits.retainedMessages + 50; id++) await writer.take('puback')
    // All that was sent before has been handled when this arrives: acknowledged does not mean routed.
    await subscribe(writer, `v1/${own.sn}/end`)
    writer.send(publish(`v1/${own.sn}/end`, 'e', 1))
    await writer.take('publish')
    await subscribe(writer, `v1/${own.sn}/r/#`)
    expect(await publishesTo(writer, limits.retainedMessages)).toBe(limits.retainedMessages)
    const back = await login(own, { clean: false })
    expect(await publishesTo(back, limits.queuedMessages)).toBe(limits.queuedMessages)
    // Those above that were not queued, and those that were not retained.
    expect(await dropped()).toBe(200 + 50)
  })

  it('7: retained and queued messages are capped by their bytes, and room is free again once they are taken', async () => {
    const own = device()
    const raw = await login(own, { clean: false })
    await subscribe(raw, `v1/${own.sn}/s`, 1)
    await subscribe(raw, `v1/${own.sn}/end`, 1)
    raw.send({ cmd: 'disconnect' })
    await raw.closed()
    const writer = await login(own, { tag: 'w' })
    const large = Buffer.alloc(10_000, 0x41)
    const send = async (topic: string, count: number, more: object = {}) => {
      for (let id = 1; id <= count; id++)
        writer.send({ ...publish(topic.replace('*', String(id)), large, id), ...more })
      for (let id = 1; id <= count; id++) await writer.take('puback')
    }
    await send(`v1/${own.sn}/r/*`, 80, { retain: true })
    await send(`v1/${own.sn}/s`, 150)
    await subscribe(writer, `v1/${own.sn}/end`)
    writer.send(publish(`v1/${own.sn}/end`, 'e', 1))
    await writer.take('publish')
    const most = (bytes: number) => Math.floor(bytes / (large.length + 200))
    await subscribe(writer, `v1/${own.sn}/r/#`)
    const kept = await publishesTo(writer, most(limits.retainedBytes) - 1)
    expect(kept).toBeLessThanOrEqual(most(limits.retainedBytes))
    const back = await login(own, { clean: false })
    const queued = await publishesTo(back, most(limits.queuedBytes) - 1)
    expect(queued).toBeLessThanOrEqual(most(limits.queuedBytes) + 1)
    /** Acknowledges what it was sent. */
    const leave = async (raw: typeof back): Promise<number> => {
      const sent = raw.packets.flatMap((packet) => (packet.cmd === 'publish' && packet.messageId) || [])
      for (const messageId of sent) raw.send({ cmd: 'puback', messageId })
      raw.send({ cmd: 'pingreq' })
      await raw.take('pingresp')
      raw.send({ cmd: 'disconnect' })
      await raw.closed()
      return sent.length
    }
    await leave(back)
    // The last acknowledgements may have been on their way to Redis still.
    await until('the queue is empty', async () => {
      const look = await login(own, { clean: false })
      await sleep(300)
      return (await leave(look)) === 0
    })
    await send(`v1/${own.sn}/s`, 20)
    const again = await login(own, { clean: false })
    // At least once: one that met the connection while it closed may come twice.
    expect(await publishesTo(again, 20)).toBeGreaterThanOrEqual(20)
  })

  it('7: of the stored sessions of a device the oldest go', async () => {
    const own = device()
    const open = async (tag: string) => {
      const raw = await login(own, { tag, clean: false })
      const { sessionPresent } = raw
      await subscribe(raw, `v1/${own.sn}/s`, 1)
      raw.send({ cmd: 'disconnect' })
      await raw.closed()
      return sessionPresent
    }
    const tags = Array.from({ length: limits.storedSessions + 4 }, (_, i) => `t${i}`)
    for (const tag of tags) expect(await open(tag)).toBe(false)
    // The newest first: what is found is made new again, so none of them pushes out another.
    for (const tag of tags.slice(4).toReversed()) expect([tag, await open(tag)]).toEqual([tag, true])
    expect(await open('t0')).toBe(false)
  })
})
