/** Rules of MQTT 3.1.1 that independent test suites found violated, as sequences of raw packets. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { IPublishPacket, ISubackPacket, Packet } from 'mqtt-packet'
import { generate } from 'mqtt-packet'
import { describe, expect, it } from 'vitest'
import WebSocket from 'ws'
import { brokerTest } from '#test/broker-test'
import { connectPacket, openRaw, type Raw } from '#test/raw-mqtt'

const { broker, device, login } = await brokerTest('CO-', 60)

async function subscribe(raw: Raw, topic: string, qos: 0 | 1 | 2) {
  raw.send({ cmd: 'subscribe', messageId: 9, subscriptions: [{ topic, qos }] })
  return ((await raw.take('suback')) as ISubackPacket).granted[0]
}
const publish = (topic: string, payload: string, qos: 0 | 1 | 2, messageId: number, over = {}) =>
  generate({ cmd: 'publish', topic, payload, qos, messageId, retain: false, dup: false, ...over })
const alive = async (raw: Raw) => {
  raw.send({ cmd: 'pingreq' })
  await raw.take('pingresp')
}
const messages = (raw: Raw) =>
  raw.packets.filter((packet): packet is IPublishPacket => packet.cmd === 'publish')

describe('packet ids of what the broker sends', () => {
  it('count from 1, and skip those that a resumed session has not acknowledged yet [MQTT-2.3.1-4]', async () => {
    const own = device()
    const writer = await login(own, { tag: 'w' })
    const first = await login(own, { clean: false })
    await subscribe(first, `v1/${own.sn}/o`, 1)
    const send = async (reader: Raw, from: number, count: number) => {
      for (let id = from; id < from + count; id++) writer.send(publish(`v1/${own.sn}/o`, `${id}`, 1, id))
      await expect.poll(() => messages(reader).length).toBeGreaterThanOrEqual(count)
    }
    await send(first, 1, 20)
    expect(messages(first).map((packet) => packet.messageId)).toEqual(
      Array.from({ length: 20 }, (_, i) => i + 1),
    )
    first.end()
    await sleep(100)
    const second = await login(own, { clean: false })
    await send(second, 100, 20)
    await expect.poll(() => messages(second).length).toBe(40)
    const ids = messages(second).map((packet) => packet.messageId)
    expect(new Set(ids).size).toBe(40)
    expect(messages(second).map((packet) => packet.dup)).toEqual(Array.from({ length: 40 }, (_, i) => i < 20))
  })

  it.each([
    ['PUBREC', 1, 'pubrec'],
    ['PUBCOMP', 1, 'pubcomp'],
    ['PUBACK', 2, 'puback'],
    ['PUBCOMP before PUBREC', 2, 'pubcomp'],
  ] as const)('are not acknowledged with %s at QoS %i [MQTT-4.8.0-1]', async (_name, qos, cmd) => {
    const own = device()
    const raw = await login(own)
    await subscribe(raw, `v1/${own.sn}/o`, qos)
    raw.send(publish(`v1/${own.sn}/o`, 'x', qos, 4))
    const { messageId = 0 } = (await raw.take('publish')) as IPublishPacket
    raw.send({ cmd, messageId } as Packet)
    await raw.closed()
  })

  it('may be acknowledged late, twice, or when they are unknown', async () => {
    const raw = await login(device())
    for (const cmd of ['puback', 'pubrec', 'pubcomp', 'pubrel'] as const)
      raw.send({ cmd, messageId: 4711 } as Packet)
    await raw.take('pubcomp')
    await alive(raw)
  })
})

describe('a message', () => {
  it('is passed on without the DUP flag that it came with [MQTT-3.3.1-3], and never has it at QoS 0', async () => {
    const own = device()
    const raw = await login(own)
    await subscribe(raw, `v1/${own.sn}/one`, 1)
    await subscribe(raw, `v1/${own.sn}/zero`, 0)
    for (const [id, topic] of [
      [1, 'one'],
      [2, 'zero'],
    ] as const) {
      raw.send(publish(`v1/${own.sn}/${topic}`, 'x', 1, id, { dup: true }))
      expect(await raw.take('publish')).toMatchObject({ dup: false })
    }
  })

  it('is not overtaken by a later one at QoS 0 or 2: what was retained last stays [MQTT-3.3.1-5]', async () => {
    const own = device()
    const raw = await login(own)
    const retained = { retain: true }
    for (const qos of [0, 2] as const) {
      const topic = `v1/${own.sn}/r${qos}`
      raw.send(
        Buffer.concat([publish(topic, 'old', 1, 1, retained), publish(topic, 'new', qos, 2, retained)]),
      )
      await raw.take('puback')
      await alive(raw)
      await sleep(50)
      await subscribe(raw, topic, 1)
      expect(String(((await raw.take('publish')) as IPublishPacket).payload)).toBe('new')
    }
  })

  it('after DISCONNECT is ignored [MQTT-3.14.4-2], one before it is not', async () => {
    const own = device()
    const reader = await login(own, { tag: 'r' })
    await subscribe(reader, `v1/${own.sn}/e`, 0)
    const raw = await login(own)
    const bye = generate({ cmd: 'disconnect' })
    raw.send(
      Buffer.concat([publish(`v1/${own.sn}/e`, 'in', 0, 0), bye, publish(`v1/${own.sn}/e`, 'out', 0, 0)]),
    )
    await raw.closed()
    await sleep(100)
    expect(messages(reader).map((packet) => String(packet.payload))).toEqual(['in'])
  })
})

describe('a name', () => {
  it.each(['\u0001', '\u001f', '\t', '\u007f', '\u009f', '\uffff', '\ufdd0'])(
    'with the control or non-character %j is refused as topic, filter, will and client id [1.5.3]',
    async (character) => {
      const own = device()
      const name = `v1/${own.sn}/a${character}`
      const packets: Packet[] = [
        { cmd: 'publish', topic: name, payload: 'x', qos: 0, retain: false, dup: false },
        { cmd: 'subscribe', messageId: 1, subscriptions: [{ topic: name, qos: 0 }] },
        { cmd: 'unsubscribe', messageId: 1, unsubscriptions: [name] },
      ]
      for (const packet of packets) {
        const raw = await login(own)
        raw.send(packet)
        await raw.closed()
        expect(raw.packets).toEqual([])
      }
      for (const over of [
        { will: { topic: name, payload: Buffer.from('x') } },
        { clientId: `a${character}` },
      ]) {
        const raw = await openRaw(broker.ports.mqtt)
        raw.send(connectPacket(own, over as Parameters<typeof connectPacket>[1]))
        await raw.closed()
        expect(raw.packets).toEqual([])
      }
    },
  )

  it('too deep does not end the connection: it gets 0x80, and UNSUBACK', async () => {
    const own = device()
    const raw = await login(own)
    const deep = `v1/${own.sn}/${'a/'.repeat(12)}b`
    expect(await subscribe(raw, deep, 0)).toBe(0x80)
    raw.send({ cmd: 'unsubscribe', messageId: 3, unsubscriptions: [deep] })
    await raw.take('unsuback')
    await alive(raw)
  })
})

describe('a disconnected client', () => {
  it('cannot continue sending: little is read of 256 MB', async () => {
    const raw = await openRaw(broker.ports.mqtt)
    raw.send('10ffffff7f')
    const chunk = Buffer.alloc(256 * 1024, 65)
    let taken = 0
    while (!raw.isClosed() && taken < 256 * 2 ** 20) {
      const failed = await new Promise((done) => raw.socket.write(chunk, done))
      if (failed) break
      taken += chunk.length
    }
    expect(taken).toBeLessThan(24 * 2 ** 20)
  })

  it('on a WebSocket is one that sends text frames [MQTT-6.0.0-1]', async () => {
    const socket = new WebSocket(`ws://127.0.0.1:${broker.ports.ws}/mqtt`, 'mqtt')
    await new Promise((done) => socket.once('open', done))
    const heard: unknown[] = []
    socket.on('message', (data) => heard.push(data))
    const closed = new Promise((done) => socket.once('close', done))
    // Complete and well-formed, all bytes below 128: sent in a binary frame, it gets CONNACK 4.
    socket.send(
      generate({
        cmd: 'connect',
        protocolId: 'MQTT',
        protocolVersion: 4,
        clientId: 'a',
        keepalive: 60,
      }).toString(),
    )
    await closed
    expect(heard).toEqual([])
  })
})
