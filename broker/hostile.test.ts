/** The attacks of the threat model on a broker: each is stopped, costs little, and does not affect others. */
import { randomBytes } from 'node:crypto'
import { generate, type IConnackPacket } from 'mqtt-packet'
import { describe, expect, it } from 'vitest'
import { servicePassword } from '#infra/secrets'
import { status } from '#schema/device/status'
import { brokerTest } from '#test/broker-test'
import { publish, subscribe } from '#test/hostile-packets'
import { bothKinds } from '#test/programs/debian-redis'
import { connectPacket, type Raw } from '#test/raw-mqtt'
import { limits } from './limits.ts'

describe.each(await bothKinds())('sessions %s', async (_where, settings) => {
  const { context, device, dial, login } = await brokerTest('HO-', 40, settings)

  /** Offset after the fixed header, the protocol name and level. */
  const CONNECT_FLAGS_AT = 9

  const codeOf = async (raw: Raw) => ((await raw.take('connack')) as IConnackPacket).returnCode
  describe('before login', () => {
    it('1: a CONNECT of 256 MB is cut at its length, even if sent byte by byte', async () => {
      const raw = await dial()
      raw.send('10')
      raw.send('ffffff7f')
      await raw.closed()
    })

    it('1: 40 MB without a login cost no significant memory', async () => {
      const before = process.memoryUsage().rss
      const chunk = Buffer.alloc(64 * 1024, 0x41)
      for (let i = 0; i < 40; i++) {
        const raw = await dial()
        raw.send('10fe3f')
        for (let n = 0; n < 16; n++) raw.send(chunk)
        await raw.closed()
      }
      expect(process.memoryUsage().rss - before).toBeLessThan(40 * 1024 * 1024)
    })

    it.each([
      ['PUBLISH', '300500036162'],
      ['PINGREQ', 'c000'],
      ['HTTP', Buffer.from('GET / HTTP/1.1\r\n\r\n').toString('hex')],
      ['TLS', '160301020001'],
    ])('2: %s first is cut at once', async (_name, hex) => {
      const raw = await dial()
      raw.send(hex)
      await raw.closed()
      expect(raw.packets).toEqual([])
    })

    it('answers version 5 and 3.1 with CONNACK 1 and closes', async () => {
      for (const hex of ['100d00044d5154540502003c00000161', '100f00064d514973647003 02003c000161']) {
        const raw = await dial()
        const bytes = Buffer.from(hex.replaceAll(' ', ''), 'hex')
        bytes[1] = bytes.length - 2
        raw.send(bytes)
        expect(await codeOf(raw)).toBe(1)
        await raw.closed()
      }
    })

    it('10, 12: a foreign client id gets CONNACK 2 or 4 and the victim stays', async () => {
      const victim = device()
      const thief = device()
      const there = await login(victim, { clean: false })
      for (const clientId of [victim.sn, `${victim.sn}:x`, '#', '__proto__', 'constructor']) {
        const raw = await dial()
        raw.send(connectPacket(thief, { clientId }))
        expect(await codeOf(raw)).toBe(2)
        await raw.closed()
      }
      for (const username of ['#', '+', `${victim.sn}/#`, 'service:api:1']) {
        const raw = await dial()
        raw.send(connectPacket(thief, { clientId: username, username }))
        expect([2, 4]).toContain(await codeOf(raw))
      }
      there.send({ cmd: 'pingreq' })
      await there.take('pingresp')
    })

    it('gives unknown, wrong and revoked the same response, and delays clients that fail often, not valid ones', async () => {
      const revoked = device()
      await context.sql`update devices set secret_hash = null where id = ${revoked.id}`
      const wrong = [{ sn: 'NOBODY', secret: 'x' }, { sn: device().sn, secret: 'x' }, revoked]
      for (const who of wrong) {
        const raw = await dial()
        raw.send(connectPacket(who))
        expect(await codeOf(raw)).toBe(4)
      }
      const began = Date.now()
      const late = Array.from({ length: 30 }, async () => {
        const raw = await dial()
        raw.send(connectPacket({ sn: 'NOBODY', secret: 'y' }))
        await codeOf(raw)
        return Date.now() - began
      })
      await login(device())
      const valid = Date.now() - began
      const slowest = Math.max(...(await Promise.all(late)))
      expect(slowest).toBeGreaterThan(900)
      // It came last, and a delay like theirs would have ended last, too.
      expect(valid).toBeLessThan(slowest)
    })
  })

  describe('after login', () => {
    it('4: keepalive 0 and 65535 are both limited to the cap', async () => {
      for (const keepalive of [0, 65_535]) await login(device(), { keepalive })
      expect(limits.keepaliveMaxS).toBeLessThanOrEqual(1800)
    })

    it('6: QoS 2 without PUBREL is limited to a window, and the connection closed beyond it', async () => {
      const own = device()
      const raw = await login(own)
      for (let id = 1; id <= limits.inboundQos2; id++) raw.send(publish(`v1/${own.sn}/x`, 'x', id, 2))
      for (let id = 1; id <= limits.inboundQos2; id++) await raw.take('pubrec')
      expect(raw.isClosed()).toBe(false)
      for (let id = 1; id <= 100; id++) raw.send(publish(`v1/${own.sn}/x`, 'x', limits.inboundQos2 + id, 2))
      await raw.closed()
    })

    it('8: #, foreign, shared and $SYS filters get 0x80', async () => {
      const own = device()
      const raw = await login(own)
      for (const filter of [
        '#',
        '+/#',
        `+/${own.sn}/#`,
        'v1/+/up/#',
        `$share/g/v1/${own.sn}/#`,
        '$SYS/#',
        `v1/${device().sn}/#`,
      ])
        expect(await subscribe(raw, filter)).toBe(128)
    })

    it('9: a foreign topic is never acknowledged, retained or used for a will', async () => {
      const victim = device()
      const listener = await login(victim)
      await subscribe(listener, `v1/${victim.sn}/#`, 1)
      for (const topic of [`v1/${victim.sn}/x`, `v1/${victim.sn}/up/status`, '$SYS/x', 'x']) {
        const raw = await login(device())
        raw.send({ ...publish(topic, 'x'), retain: true })
        await raw.closed()
        expect(raw.packets).toEqual([])
      }
      const raw = await dial()
      raw.send(
        connectPacket(device(), {
          will: { topic: `v1/${victim.sn}/x`, payload: Buffer.from('x'), qos: 1, retain: true },
        }),
      )
      expect(await codeOf(raw)).toBe(5)
      const own = await login(victim, { tag: 'down' })
      own.send(publish(`v1/${victim.sn}/down/command`, 'x'))
      await own.closed()
      await expect(listener.take('publish', 200)).rejects.toThrow()
    })

    it('accepts an empty client id as an auxiliary connection, with a clean session only', async () => {
      const own = device()
      for (const clean of [true, false]) {
        const raw = await dial()
        const packet = generate(connectPacket(own, { clientId: '' }))
        if (!clean) packet.writeUInt8(packet.readUInt8(CONNECT_FLAGS_AT) & ~2, CONNECT_FLAGS_AT)
        raw.send(packet)
        expect(await codeOf(raw)).toBe(clean ? 0 : 2)
      }
      for (const tag of ['a', 'b', 'c']) await login(own, { tag })
      const fifth = await dial()
      fifth.send(connectPacket(own, { tag: 'd' }))
      expect(await codeOf(fifth)).toBe(5)
    })

    it('refuses a fifth auxiliary connection, and accepts the platform only with its own password', async () => {
      const own = device()
      for (const tag of ['a', 'b', 'c', 'd']) await login(own, { tag })
      const fifth = await dial()
      fifth.send(connectPacket(own, { tag: 'e' }))
      expect(await codeOf(fifth)).toBe(5)
      const id = 'service:test:1'
      const platform = await login({ sn: id, secret: servicePassword(context.env.JWT_SECRET) })
      const read = device()
      const reader = await login(read)
      await subscribe(reader, `v1/${read.sn}/down/#`, 1)
      platform.send(publish(`v1/${read.sn}/down/command`, '{}'))
      await platform.take('puback')
      await reader.take('publish')
    })

    it('14: a bad payload is acknowledged, not stored, while good ones with it are', async () => {
      const own = device()
      const raw = await login(own)
      const topic = `v1/${own.sn}/up/status`
      const good = { ...status.example, at: Date.now() }
      const bad = [
        'NaN',
        '',
        '{"at":1e999}',
        JSON.stringify({ ...good, load1: -1 }),
        JSON.stringify({ ...good, at: 8_640_000_000_001 }),
        JSON.stringify({ ...good, networkMode: 'a\u0000b' }),
        JSON.stringify({ ...good, rxBytes: 1e300 }),
        `{"a":${'['.repeat(7000)}${']'.repeat(7000)}}`,
        'x'.repeat(200_000),
        Buffer.from([0xff, 0xfe, 0]),
      ]
      let id = 1
      for (const payload of bad) {
        raw.send(publish(topic, payload, id++))
        raw.send(publish(topic, JSON.stringify({ ...good, at: good.at + id, load1: 1e-300 }), id++))
      }
      for (let n = 1; n < id; n++) expect(await raw.take('puback')).toMatchObject({ messageId: n })
      const [row] =
        await context.sql`select count(*)::int as n from status_samples where device_id = ${own.id}`
      expect(row).toEqual({ n: bad.length })
      const hello = JSON.stringify({
        id: '0198a7c5-0000-7cc2-9b1e-1d5a4c0f2b11',
        at: 1,
        state: 'done',
        result: { a: 'x\u0000', b: '\ud800' },
      })
      raw.send(publish(`v1/${own.sn}/up/reply`, hello, id))
      raw.send(publish(`v1/${own.sn}/up/reply`, hello.replace(/\\u0000|\\ud800/g, '\\\\u0000'), id + 1))
      await raw.take('puback')
      await raw.take('puback')
      const stored = await context.sql`select payload from inbox where device_id = ${own.id}`
      expect(stored.map((entry) => entry['payload'].result)).toEqual([{ a: 'x\\u0000', b: '\\u0000' }])
      await expect
        .poll(() => context.sql`select what from device_warnings where device_id = ${own.id}`)
        .toEqual([{ what: 'invalidMessage' }])
    })

    it('16: random and mutated packets do not end the process', async () => {
      const own = device()
      for (let round = 0; round < 150; round++) {
        const raw = round % 2 ? await login(own, { tag: `f${round}` }) : await dial()
        raw.send(randomBytes(2000))
        if (round % 2) {
          const bytes = Buffer.from([0x32, 12, 0, 5, ...Buffer.from('v1/x/'), 0, 1, 65])
          bytes[round % bytes.length] = round
          raw.send(bytes)
        }
        raw.end()
      }
      await login(device())
    })
  })
})
