/** A cluster of three brokers (librdkafka's): partitions change their leaders while a line to it is open. */
import { expect, it, vi } from 'vitest'
import { noBrokers, startBrokers } from '#test/programs/kafka-brokers'
import { type KafkaLine, openKafkaLine, shownKafkaAddress, whyKafkaRefused } from './outbound-kafka.ts'

const TOPIC = 'plant'
const [PARTITIONS, BROKERS, TERMINALS] = [6, 3, 30]

/** One message of each terminal. */
const round = (name: string) =>
  Array.from({ length: TERMINALS }, (_, n) => ({ topic: TOPIC, key: String(n), body: name }))

it.skipIf(noBrokers)(
  'what a line says is taken has arrived, also when partitions change their leaders; then brokers go',
  async () => {
    const cluster = await startBrokers(TOPIC, PARTITIONS, BROKERS)
    let line: KafkaLine | undefined
    /** As the worker does: the whole batch again over another line, until it is taken. */
    const forward = async (name: string) => {
      for (let n = 0; n < 10; n++) {
        for (const address of cluster.addresses) {
          try {
            line ??= await openKafkaLine({
              address,
              clientId: 'iot-test',
              username: undefined,
              password: undefined,
              allowPrivate: true,
            })
            await line.send(round(name), 5_000)
            return
          } catch {
            line?.close()
            line = undefined
          }
        }
      }
      throw new Error(`${name} was not taken`)
    }
    const arrived = (name: string) =>
      vi.waitFor(() => {
        const keys = cluster.printed.filter((one) => one.endsWith(` ${name}`)).map((one) => one.split(' ')[0])
        expect(new Set(keys).size, name).toBe(TERMINALS)
      }, 30_000)
    try {
      await forward('first')
      await arrived('first')
      // Broker 1 leads what broker 2 led: the line still asks broker 2, which says so, while broker 1 takes its share.
      await cluster.lead(1, 1)
      await cluster.lead(4, 1)
      await forward('second')
      await arrived('second')
      await cluster.lead(2, 1)
      await cluster.lead(5, 1)
      await cluster.down(3)
      await forward('third')
      await arrived('third')
      for (let n = 0; n < TERMINALS; n++) {
        const bodies = cluster.printed
          .filter((one) => one.startsWith(`${n} `))
          .map((one) => one.split(' ')[1])
        expect(new Set(bodies)).toEqual(new Set(['first', 'second', 'third']))
        expect(bodies).toEqual(bodies.toSorted((a, b) => rank(a) - rank(b)))
      }
    } finally {
      line?.close()
      await cluster.close()
    }
  },
)

it.skipIf(noBrokers)(
  'an address that names several brokers is reached while the first of them is away',
  async () => {
    const cluster = await startBrokers(TOPIC, PARTITIONS, BROKERS)
    const open = (address: string) =>
      openKafkaLine({
        address,
        clientId: 'iot-test',
        username: undefined,
        password: undefined,
        allowPrivate: true,
      })
    try {
      for (const partition of [0, 3]) await cluster.lead(partition, 2)
      await cluster.down(1)
      const [first = '', ...others] = cluster.addresses
      await expect(open(first)).rejects.toThrow()
      const line = await open([first, ...others.map((one) => one.replace('kafka://', ''))].join(','))
      await line.send(round('all'), 5_000)
      line.close()
      await expect.poll(() => new Set(cluster.printed).size).toBe(TERMINALS)
    } finally {
      await cluster.close()
    }
  },
)

it('each broker of an address is checked, and what is shown of it holds no secret', () => {
  expect(whyKafkaRefused('kafka://a.example.com:9092,b.example.com', false)).toBeNull()
  expect(whyKafkaRefused('kafka://a.example.com:9092,127.0.0.1:9092', false)).toBe('127.0.0.1')
  expect(whyKafkaRefused('kafka://a.example.com,u:p@b.example.com', false)).toBe('user:password@')
  expect(whyKafkaRefused('kafka://a.example.com,,b.example.com', false)).toBe('URL')
  expect(whyKafkaRefused('http://a.example.com,b.example.com', false)).toBe('http:')
  expect(whyKafkaRefused(`kafka://${Array(11).fill('a.example.com').join(',')}`, false)).toBe('11 > 10')
  expect(shownKafkaAddress('kafkas://a.example.com:9093,b.example.com/x?sasl=scram-sha-512')).toBe(
    'kafkas://a.example.com:9093,b.example.com',
  )
})

const rank = (name: string | undefined) => ['first', 'second', 'third'].indexOf(name ?? '')
