/** Connections to Kafka clusters whose addresses customers enter: each of its brokers is guarded like a web address (outbound.ts). */
import { connect as connectPlain, isIP } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { Kafka, logLevel, Partitioners, type SASLOptions } from 'kafkajs'
import { AddressRefused, guarded, isPublicAddress, whyRefused } from '../outbound.ts'

const KAFKA = ['kafka:', 'kafkas:']
const PORTS: Readonly<Record<string, number>> = { 'kafka:': 9092, 'kafkas:': 9093 }
const CONNECT_MS = 10_000
const NAME_MAX = 249
const BROKERS_MAX = 10

/** One address for each broker of `kafka://one:9092,two:9092?sasl=…`; empty if it does not have that form. */
function brokersOf(address: string): string[] {
  const [, scheme = '', hosts = '', rest = ''] = /^([a-z]+:\/\/)([^/?#]+)(.*)$/i.exec(address) ?? []
  return hosts === '' ? [] : hosts.split(',').map((host) => `${scheme}${host}${rest}`)
}

/**
 * The reason why `kafka://host:port,host:port` or `kafkas://…` cannot be used at all; null: it can be tried. Any of
 * these brokers (10 at most) knows the others; several are listed in case one is down.
 */
export function whyKafkaRefused(address: string, allowPrivate: boolean): string | null {
  const brokers = brokersOf(address)
  if (brokers.length === 0) return 'URL'
  if (brokers.length > BROKERS_MAX) return `${brokers.length} > ${BROKERS_MAX}`
  for (const broker of brokers) {
    const why = whyRefused(broker, allowPrivate, KAFKA) ?? (new URL(broker).hostname === '' ? 'URL' : null)
    if (why !== null) return why
  }
  return null
}

/** The address without its possibly secret parts. */
export function shownKafkaAddress(address: string): string {
  const urls = brokersOf(address).map((broker) => new URL(broker))
  return `${urls[0]?.protocol}//${urls.map(({ host }) => host).join(',')}`
}

/** Names in Kafka consist of letters, digits, `.`, `_` and `-`. */
export const kafkaTopic = (topic: string): string => topic.replace(/[^\w.-]/g, '_').slice(0, NAME_MAX) || '_'

export type KafkaMessage = { topic: string; key: string; body: string }
export type KafkaLine = {
  /** Resolves when all replicas in sync have all of them. Messages with one key keep their order. */
  send(messages: readonly KafkaMessage[], timeoutMs: number): Promise<void>
  close(): void
}

/** `?sasl=scram-sha-256` or `scram-sha-512` in the address; plain otherwise. */
function saslOf(url: URL, username: string | undefined, password = ''): SASLOptions | undefined {
  if (username === undefined) return undefined
  const wanted = url.searchParams.get('sasl')
  const mechanism = wanted === 'scram-sha-256' || wanted === 'scram-sha-512' ? wanted : 'plain'
  return { mechanism, username, password } as SASLOptions
}

/**
 * IP addresses are checked too, without a lookup: a cluster announces its own brokers, and may announce any address.
 */
function checkHost(host: string, allowPrivate: boolean): void {
  if (!allowPrivate && isIP(host) !== 0 && !isPublicAddress(host))
    throw new AddressRefused(`${host} is not public`)
}

/**
 * Fails instead of retrying for long: after a fault the caller opens another connection, with its own back-off.
 * @throws AddressRefused, or the network error, or the cluster's refusal
 */
export async function openKafkaLine(options: {
  address: string
  clientId: string
  username: string | undefined
  password: string | undefined
  allowPrivate: boolean
}): Promise<KafkaLine> {
  const { address, clientId, username, password, allowPrivate } = options
  const why = whyKafkaRefused(address, allowPrivate)
  if (why !== null) throw new AddressRefused(why)
  const urls = brokersOf(address).map((broker) => new URL(broker))
  const [url] = urls
  if (!url) throw new AddressRefused('URL')
  const isSecure = url.protocol === 'kafkas:'
  const sasl = saslOf(url, username, password)
  const kafka = new Kafka({
    clientId,
    brokers: urls.map(({ hostname, port }) => `${hostname}:${Number(port) || PORTS[url.protocol]}`),
    ssl: isSecure,
    ...(sasl ? { sasl } : {}),
    connectionTimeout: CONNECT_MS,
    retry: { retries: 1, initialRetryTime: 300, maxRetryTime: 1_000 },
    logLevel: logLevel.NOTHING,
    socketFactory: ({ host, port: of, onConnect }) => {
      checkHost(host, allowPrivate)
      const target = { host, port: of, lookup: guarded(allowPrivate) }
      return isSecure
        ? connectTls({ ...target, ...(isIP(host) === 0 ? { servername: host } : {}) }, onConnect)
        : connectPlain(target, onConnect)
    },
  })
  const producer = kafka.producer({
    createPartitioner: Partitioners.DefaultPartitioner,
    // Topics in a customer's cluster are created by its owner only.
    allowAutoTopicCreation: false,
    // The client's own retry skips brokers that have already answered, even if they have since become leaders of the
    // failed partitions: those messages would be lost, though reported as sent.
    retry: { retries: 0 },
  })
  const close = () => void producer.disconnect().catch(() => undefined)
  try {
    await producer.connect()
  } catch (error) {
    close()
    throw error
  }
  return {
    send: async (messages, timeoutMs) => {
      const byTopic = Map.groupBy(messages, ({ topic }) => kafkaTopic(topic))
      await producer.sendBatch({
        acks: -1,
        timeout: timeoutMs,
        topicMessages: [...byTopic].map(([topic, list]) => ({
          topic,
          messages: list.map(({ key, body }) => ({ key, value: body })),
        })),
      })
    },
    close,
  }
}
