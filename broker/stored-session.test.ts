/** A stored session, wherever it is kept: what its device missed comes as it was published, in its order. */
import { isDeepStrictEqual } from 'node:util'
import type { IPublishPacket } from 'mqtt-packet'
import { describe, expect, it } from 'vitest'
import { brokerTest } from '#test/broker-test'
import { publish, subscribe } from '#test/hostile-packets'
import { bothKinds } from '#test/programs/debian-redis'
import type { Raw } from '#test/raw-mqtt'
import { until } from '#test/walks/until'

const message = async (raw: Raw) => (await raw.take('publish')) as IPublishPacket

describe.each(await bothKinds())('a stored session %s', async (_where, settings) => {
  const { device, login } = await brokerTest('ST-', 10, settings)

  /** A device that has subscribed and gone, and another connection of it that publishes. */
  async function away(filter: string, qos: 0 | 1 | 2 = 1) {
    const own = device()
    const first = await login(own, { clean: false })
    await subscribe(first, `v1/${own.sn}/${filter}`, qos)
    first.send({ cmd: 'disconnect' })
    await first.closed()
    return { own, writer: await login(own, { tag: 'w' }), back: () => login(own, { clean: false }) }
  }
  /** All that the writer has sent before is in the queue when its own message arrives. */
  async function routed(writer: Raw, sn: string): Promise<void> {
    await subscribe(writer, `v1/${sn}/end`)
    writer.send(publish(`v1/${sn}/end`, 'e', 999))
    while (String((await message(writer)).payload) !== 'e');
  }

  it('gets what was queued without RETAIN, also where it was published with it [MQTT-3.3.1-9]', async () => {
    const { own, writer, back } = await away('r')
    writer.send({ ...publish(`v1/${own.sn}/r`, 'kept', 1), retain: true })
    await routed(writer, own.sn)
    const got = await message(await back())
    expect([String(got.payload), got.retain]).toEqual(['kept', false])
    // It is retained nevertheless, for those that subscribe later.
    await subscribe(writer, `v1/${own.sn}/r`)
    const kept = await message(writer)
    expect([String(kept.payload), kept.retain]).toEqual(['kept', true])
  })

  it('gets nothing above the QoS that it was granted [MQTT-3.8.4-6]', async () => {
    const { own, writer, back } = await away('q', 1)
    writer.send({ ...publish(`v1/${own.sn}/q`, 'two', 1), qos: 2 })
    await writer.take('pubrec')
    writer.send({ cmd: 'pubrel', messageId: 1 })
    await writer.take('pubcomp')
    await routed(writer, own.sn)
    expect((await message(await back())).qos).toBe(1)
  })

  it('gets what it has not acknowledged again, with DUP and the same packet ids [MQTT-3.3.1-1, 4.4.0-1]', async () => {
    const { own, writer, back } = await away('d')
    for (let id = 1; id <= 6; id++) writer.send(publish(`v1/${own.sn}/d`, String(id), id))
    await routed(writer, own.sn)
    const raw = await back()
    const sent: IPublishPacket[] = []
    for (let id = 1; id <= 6; id++) sent.push(await message(raw))
    expect(sent.map(({ dup }) => dup)).toEqual(Array(6).fill(false))
    for (const { messageId = 0 } of sent.slice(0, 2)) raw.send({ cmd: 'puback', messageId })
    raw.send({ cmd: 'pingreq' })
    await raw.take('pingresp')
    // The acknowledgements may be on their way to Redis still.
    await until('two are gone', async () => {
      raw.end()
      const again = await back()
      const got: IPublishPacket[] = []
      for (let id = 3; id <= 6; id++) got.push(await message(again))
      again.end()
      const shown = (packets: IPublishPacket[]) =>
        packets.map(({ payload, messageId, dup }) => [String(payload), messageId, dup])
      return isDeepStrictEqual(shown(got), shown(sent.slice(2).map((one) => ({ ...one, dup: true }))))
    })
  })

  it('gets messages in order that are published while it returns, each with a packet id of its own', async () => {
    const { own, writer, back } = await away('o')
    const count = 300
    for (let id = 1; id <= count; id++) writer.send(publish(`v1/${own.sn}/o`, String(id), id))
    // Some are queued by now, and some are not.
    for (let id = 1; id <= 5; id++) await writer.take('puback')
    const raw = await back()
    const got: string[] = []
    const ids = new Set<number>()
    while (got.at(-1) !== String(count)) {
      const { payload, messageId } = await message(raw)
      got.push(String(payload))
      ids.add(messageId ?? 0)
    }
    expect(got).toEqual(Array.from({ length: count }, (_, i) => String(i + 1)))
    expect(ids.size).toBe(count)
  })
})
