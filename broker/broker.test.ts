/** MQTT 3.1.1 as seen by a device, below its own topic. */
import type { IPublishPacket, ISubackPacket } from 'mqtt-packet'
import { describe, expect, it } from 'vitest'
import { status } from '#schema/device/status'
import { brokerTest } from '#test/broker-test'
import type { Raw } from '#test/raw-mqtt'

const { context, device, dial, login } = await brokerTest('MQ-', 40)

let packetId = 0
const publish = (topic: string, payload: string, qos: 0 | 1 | 2 = 0, retain = false): IPublishPacket => ({
  cmd: 'publish',
  topic,
  payload,
  qos,
  retain,
  dup: false,
  ...(qos > 0 ? { messageId: ++packetId } : {}),
})
async function subscribe(raw: Raw, ...subscriptions: { topic: string; qos: 0 | 1 | 2 }[]) {
  const messageId = ++packetId
  raw.send({ cmd: 'subscribe', messageId, subscriptions })
  const answer = await raw.take((packet) => packet.cmd === 'suback' && packet.messageId === messageId)
  return (answer as ISubackPacket).granted
}
const message = async (raw: Raw, ms?: number) => (await raw.take('publish', ms)) as IPublishPacket

describe('a connection', () => {
  it('delivers at each QoS to a subscriber of the same device', async () => {
    const own = device()
    const reader = await login(own, { tag: 'reader' })
    const writer = await login(own)
    expect(await subscribe(reader, { topic: `v1/${own.sn}/t/+`, qos: 2 })).toEqual([2])
    for (const qos of [0, 1, 2] as const) {
      const sent = publish(`v1/${own.sn}/t/a`, `q${qos}`, qos)
      writer.send(sent)
      if (qos === 1) await writer.take('puback')
      if (qos === 2) {
        await writer.take('pubrec')
        writer.send({ cmd: 'pubrel', messageId: sent.messageId as number })
        await writer.take('pubcomp')
      }
      const got = await message(reader)
      expect([String(got.payload), got.qos, got.retain, got.dup]).toEqual([`q${qos}`, qos, false, false])
      if (qos === 1) reader.send({ cmd: 'puback', messageId: got.messageId as number })
      if (qos === 2) {
        reader.send({ cmd: 'pubrec', messageId: got.messageId as number })
        await reader.take('pubrel')
        reader.send({ cmd: 'pubcomp', messageId: got.messageId as number })
      }
    }
  })

  it('delivers a message once at the highest QoS where filters overlap, and never above what was granted', async () => {
    const own = device()
    const raw = await login(own)
    await subscribe(raw, { topic: `v1/${own.sn}/o/#`, qos: 1 }, { topic: `v1/${own.sn}/o/x`, qos: 0 })
    raw.send(publish(`v1/${own.sn}/o/x`, 'once', 2))
    const got = await message(raw)
    expect(got.qos).toBe(1)
    await expect(message(raw, 300)).rejects.toThrow('nothing')
  })

  it('returns a code for every filter of a SUBSCRIBE, also equal and refused ones', async () => {
    const own = device()
    const raw = await login(own)
    const topics = ['a', 'b', 'a', '../x', 'a', 'b'].map((name) => `v1/${own.sn}/${name}`)
    const filters = topics.map((topic, i) => ({ topic: i === 3 ? '#' : topic, qos: 1 as const }))
    expect(await subscribe(raw, ...filters)).toEqual([1, 1, 1, 128, 1, 1])
  })

  it('loses none of a mixed burst of retained, QoS 1 and QoS 0 messages', async () => {
    const own = device()
    const raw = await login(own)
    await subscribe(raw, { topic: `v1/${own.sn}/#`, qos: 1 })
    const sent = Array.from({ length: 60 }, (_, i) =>
      publish(`v1/${own.sn}/m${i % 5}`, String(i), i % 2 ? 1 : 0, i % 3 === 0),
    )
    for (const packet of sent) raw.send(packet)
    const got = new Set<string>()
    for (let i = 0; i < sent.length; i++) got.add(String((await message(raw)).payload))
    expect(got.size).toBe(sent.length)
  })

  it('keeps retained messages, hands them to new subscribers with RETAIN, and deletes them on an empty payload', async () => {
    const own = device()
    const raw = await login(own)
    raw.send(publish(`v1/${own.sn}/r/1`, 'kept', 1, true))
    await raw.take('puback')
    await subscribe(raw, { topic: `v1/${own.sn}/r/+`, qos: 1 })
    const got = await message(raw)
    expect([String(got.payload), got.retain]).toEqual(['kept', true])
    raw.send(publish(`v1/${own.sn}/r/1`, '', 1, true))
    await message(raw)
    const late = await login(own, { tag: 'late' })
    await subscribe(late, { topic: `v1/${own.sn}/r/+`, qos: 1 })
    await expect(message(late, 300)).rejects.toThrow('nothing')
  })

  it('keeps a session: session present even without subscriptions, queued messages in order, DUP on redelivery', async () => {
    const own = device()
    const first = await login(own, { clean: false })
    expect(first.sessionPresent).toBe(false)
    first.send({ cmd: 'disconnect' })
    await first.closed()
    const second = await login(own, { clean: false })
    expect(second.sessionPresent).toBe(true)
    await subscribe(second, { topic: `v1/${own.sn}/q/#`, qos: 1 })
    second.send({ cmd: 'disconnect' })
    await second.closed()
    const writer = await login(own, { tag: 'writer' })
    for (let i = 0; i < 20; i++) writer.send(publish(`v1/${own.sn}/q/${i % 3}`, String(i), 1))
    for (let i = 0; i < 20; i++) await writer.take('puback')
    const third = await login(own, { clean: false })
    for (let i = 0; i < 20; i++) {
      const got = await message(third)
      expect([String(got.payload), got.dup]).toEqual([String(i), false])
      if (i < 10) third.send({ cmd: 'puback', messageId: got.messageId as number })
    }
    third.end()
    const fourth = await login(own, { clean: false })
    const again = await message(fourth)
    expect([String(again.payload), again.dup]).toEqual(['10', true])
  })

  it('publishes a will after a broken connection, and none after DISCONNECT', async () => {
    const own = device()
    const reader = await login(own, { tag: 'reader' })
    await subscribe(reader, { topic: `v1/${own.sn}/will`, qos: 1 })
    const will = { topic: `v1/${own.sn}/will`, payload: Buffer.from('gone'), qos: 1 as const, retain: false }
    const polite = await login(own, { will })
    polite.send({ cmd: 'disconnect' })
    await expect(message(reader, 300)).rejects.toThrow('nothing')
    const rude = await login(own, { will })
    rude.end()
    expect(String((await message(reader)).payload)).toBe('gone')
  })

  it('processes SUBSCRIBE, UNSUBSCRIBE, SUBSCRIBE and PUBLISH of one chunk in that order', async () => {
    const own = device()
    const raw = await login(own)
    const subscriptions = [{ topic: `v1/${own.sn}/s`, qos: 0 as const }]
    raw.socket.cork()
    raw.send({ cmd: 'subscribe', messageId: 1, subscriptions })
    raw.send({ cmd: 'unsubscribe', messageId: 2, unsubscriptions: [`v1/${own.sn}/s`] })
    raw.send({ cmd: 'subscribe', messageId: 3, subscriptions })
    raw.send(publish(`v1/${own.sn}/s`, 'heard'))
    raw.socket.uncork()
    expect(String((await message(raw)).payload)).toBe('heard')
  })

  it('responds to PINGREQ, and to 40 packets sent together with CONNECT', async () => {
    const own = device()
    const raw = await login(own)
    raw.send({ cmd: 'pingreq' })
    await raw.take('pingresp')
    const eager = await dial()
    const other = device()
    const { connectPacket } = await import('#test/raw-mqtt')
    eager.socket.cork()
    eager.send(connectPacket(other))
    for (let i = 1; i <= 100; i++) eager.send({ ...publish(`v1/${other.sn}/e`, String(i), 1), messageId: i })
    eager.socket.uncork()
    for (let i = 1; i <= 100; i++) expect(await eager.take('puback')).toMatchObject({ messageId: i })
  })

  it('is offline 1.5 × its keepalive after its last packet', async () => {
    const raw = await login(device(), { keepalive: 1 })
    const began = Date.now()
    await raw.closed(4000)
    expect(Date.now() - began).toBeGreaterThan(1300)
  })

  it('takes over an older connection of the same client id', async () => {
    const own = device()
    const old = await login(own)
    await login(own)
    await old.closed()
  })
})

describe('a declared uplink', () => {
  it('is in the database when it is acknowledged, once, with all its values', async () => {
    const own = device()
    const raw = await login(own)
    const at = Date.now()
    const payload = JSON.stringify({ ...status.example, at })
    for (const qos of [1, 2, 1] as const) raw.send(publish(`v1/${own.sn}/up/status`, payload, qos))
    await raw.take('puback')
    const rows = await context.sql`select * from status_samples where device_id = ${own.id}`
    expect(rows.length).toBe(1)
    expect(rows[0]).toMatchObject({
      uptime_s: 86412,
      network_mode: 'LTE',
      rx_bytes: 91823377,
      at: new Date(at),
    })
    await raw.take('pubrec')
  })

  it('is stored together with repeated ones, however many are committed together', async () => {
    const [first, second] = [device(), device()]
    const lines = [await login(first), await login(second)]
    const at = Date.now()
    const says = (sn: string, ms: number) =>
      publish(`v1/${sn}/up/status`, JSON.stringify({ ...status.example, at: at + ms }), 1)
    for (const round of [0, 1, 2])
      for (let n = 0; n < 50; n++) {
        lines[0]?.send(says(first.sn, n % 25))
        lines[1]?.send(says(second.sn, round * 50 + n))
      }
    for (const raw of lines) for (let n = 0; n < 150; n++) await raw.take('puback')
    const stored = await context.sql`
      select device_id, count(*)::int as samples from status_samples where device_id in (${first.id}, ${second.id}) group by 1 order by 1`
    expect(stored.map(({ device_id: id, samples }) => [id, samples])).toEqual([
      [first.id, 25],
      [second.id, 150],
    ])
  })

  it('of a device without a clock is stored too, also from two connections that send at the same time', async () => {
    const own = device()
    const lines = await Promise.all([login(own), login(own, { tag: 'b' })])
    for (const [i, raw] of lines.entries())
      for (let n = 0; n < 200; n++)
        raw.send(
          publish(
            `v1/${own.sn}/up/status`,
            JSON.stringify({ at: i * 1000 + n, uptimeS: n, rxBytes: 0, txBytes: 0 }),
            1,
          ),
        )
    for (const raw of lines) for (let n = 0; n < 200; n++) await raw.take('puback')
    const [kept] =
      await context.sql`select count(*)::int as samples from status_samples where device_id = ${own.id}`
    expect(kept).toEqual({ samples: 400 })
    // A restarted broker must not meet timestamps that were assigned in the future.
    const [ahead] = await context.sql`
      select count(*)::int as samples from status_samples where device_id = ${own.id} and at > ${new Date(Date.now() + 60)}`
    expect(ahead).toEqual({ samples: 0 })
    await expect
      .poll(
        async () => (await context.sql`select uptime_s from device_states where device_id = ${own.id}`)[0],
      )
      .toEqual({ uptime_s: 199 })
  })

  it('reaches the latest values of its device within two seconds, and an older one does not', async () => {
    const own = device()
    const raw = await login(own)
    const at = Date.now()
    raw.send(publish(`v1/${own.sn}/up/status`, JSON.stringify({ ...status.example, at }), 1))
    await raw.take('puback')
    raw.send(
      publish(`v1/${own.sn}/up/status`, JSON.stringify({ ...status.example, at: at - 1000, uptimeS: 1 }), 1),
    )
    await raw.take('puback')
    await expect
      .poll(
        async () =>
          (await context.sql`select uptime_s, interfaces from device_states where device_id = ${own.id}`)[0],
      )
      .toMatchObject({ uptime_s: 86412, interfaces: status.example.interfaces })
  })
})
