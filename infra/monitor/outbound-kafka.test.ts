/** With SASL and TLS: against a cluster of librdkafka, behind a door of the tests that has both (test/programs/kafka.ts). No broker of Apache Kafka has been tried. */
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { noKafka, startCluster, startKafkaDoor } from '#test/programs/kafka'
import { openKafkaLine } from './outbound-kafka.ts'

if (noKafka) process.stderr.write('SKIPPED: Kafka with SASL and TLS (no kcat)\n')

const TOPIC = 'plant'
const USER = { username: 'fleet', password: 'p=ss,wörd' }

describe.skipIf(noKafka)('a Kafka that asks who comes', () => {
  let cluster: Awaited<ReturnType<typeof startCluster>>
  let secure: Awaited<ReturnType<typeof startKafkaDoor>>
  let open: Awaited<ReturnType<typeof startKafkaDoor>>
  const before = getCACertificates('default')
  const line = (address: string, more: { username?: string; password?: string } = USER) =>
    openKafkaLine({
      clientId: 'iot-test',
      username: undefined,
      password: undefined,
      allowPrivate: true,
      ...more,
      address,
    })
  const send = async (address: string, body: string) => {
    const opened = await line(address)
    await opened.send([{ topic: TOPIC, key: '1', body }], 5_000)
    opened.close()
    await expect.poll(() => cluster.printed).toContain(`1 ${body}`)
  }

  beforeAll(async () => {
    cluster = await startCluster(TOPIC)
    secure = await startKafkaDoor(cluster.port, { ...USER, secure: true })
    open = await startKafkaDoor(cluster.port, { ...USER, secure: false })
  })
  afterAll(async () => {
    setDefaultCACertificates(before)
    await Promise.all([secure?.close(), open?.close(), cluster?.close()])
  })

  it('is not sent to over TLS while its certificate is not trusted', async () => {
    await expect(line(secure.address)).rejects.toThrow(/certificate|self.signed/i)
    expect(secure.seen).toEqual({ logins: [], refused: 0, early: 0 })
  })

  it.each([
    ['', 'PLAIN'],
    ['?sasl=scram-sha-256', 'SCRAM-SHA-256'],
    ['?sasl=scram-sha-512', 'SCRAM-SHA-512'],
  ])(
    'takes messages after the login that the address asks for (%s: %s), with TLS and without',
    async (query, mechanism) => {
      setDefaultCACertificates([...before, secure.certificate])
      for (const door of [secure, open]) {
        const known = door.seen.logins.length
        await send(`${door.address}${query}`, `${mechanism} over ${door.address}`)
        // Whoever is named as a leader is another connection, with a login of its own.
        expect(new Set(door.seen.logins.slice(known))).toEqual(new Set([mechanism]))
      }
    },
  )

  it.each(['', '?sasl=scram-sha-256'])(
    'refuses a wrong password, without waiting for long (%s)',
    async (query) => {
      const refused = open.seen.refused
      const began = performance.now()
      await expect(line(`${open.address}${query}`, { ...USER, password: 'guessed' })).rejects.toThrow(
        /authentication/i,
      )
      expect(open.seen.refused).toBeGreaterThan(refused)
      expect(performance.now() - began).toBeLessThan(10_000)
    },
  )

  it('gets no message from a target without a user name', async () => {
    const opened = await line(open.address, {})
    await expect(opened.send([{ topic: TOPIC, key: '1', body: 'unasked' }], 3_000)).rejects.toThrow()
    opened.close()
    expect(open.seen.early).toBeGreaterThan(0)
  })
})
