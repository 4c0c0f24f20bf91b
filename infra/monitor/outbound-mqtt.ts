/** Connections to brokers whose addresses customers enter: guarded like requests to web addresses (outbound.ts). */
import { connect as connectPlain, isIP } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { MqttClient } from 'mqtt'
import { AddressRefused, guarded, whyRefused } from '../outbound.ts'
import { hostOf } from '../settings/host-of.ts'

const MQTT = ['mqtt:', 'mqtts:']
const PORTS: Readonly<Record<string, number>> = { 'mqtt:': 1883, 'mqtts:': 8883 }
const CONNECT_MS = 10_000

/** The reason why `mqtt://host:port` or `mqtts://host:port` cannot be used at all; null: it can be tried. */
export const whyBrokerRefused = (address: string, allowPrivate: boolean): string | null =>
  whyRefused(address, allowPrivate, MQTT)

/**
 * An open connection has broken. MQTT 3.1.1 has no answer that refuses a message: a broker that does not take one (its size,
 * a topic that this login may not publish to) closes the connection, which looks like a broken network.
 */
export class ConnectionClosed extends Error {}

export type BrokerLine = {
  /** At QoS 1; resolves with the PUBACK. @throws after `timeoutMs`, or ConnectionClosed if it breaks before that. */
  publish(topic: string, body: string, timeoutMs: number): Promise<void>
  close(): void
}

/**
 * Connects once, without reconnecting: after a fault the caller opens another connection, with its own back-off.
 * @throws AddressRefused, or the network error, or the broker's refusal, or after ten seconds.
 */
export async function openBrokerLine(options: {
  address: string
  clientId: string
  username: string | undefined
  password: string | undefined
  allowPrivate: boolean
}): Promise<BrokerLine> {
  const why = whyBrokerRefused(options.address, options.allowPrivate)
  if (why !== null) throw new AddressRefused(why)
  const url = new URL(options.address)
  const host = hostOf(url)
  const target = {
    host,
    port: Number(url.port) || (PORTS[url.protocol] ?? 0),
    lookup: guarded(options.allowPrivate),
  }
  const client = new MqttClient(
    () =>
      url.protocol === 'mqtts:'
        ? connectTls({ ...target, ...(isIP(host) === 0 ? { servername: host } : {}) })
        : connectPlain(target),
    {
      clientId: options.clientId,
      ...(options.username === undefined ? {} : { username: options.username }),
      ...(options.password === undefined ? {} : { password: options.password }),
      protocolVersion: 4,
      clean: true,
      reconnectPeriod: 0,
      connectTimeout: CONNECT_MS,
      keepalive: 30,
    },
  )
  const broken = Promise.withResolvers<never>()
  broken.promise.catch(() => undefined)
  let isOpen = false
  const breaks = (cause: Error) =>
    broken.reject(isOpen ? new ConnectionClosed('the connection was closed', { cause }) : cause)
  client.on('error', breaks)
  client.on('close', () => breaks(new Error('the connection was closed')))
  const inTime = <T>(work: Promise<T>, ms: number) => {
    const late = Promise.withResolvers<never>()
    const timer = setTimeout(() => late.reject(new Error(`no answer within ${ms} ms`)), ms)
    return Promise.race([work, broken.promise, late.promise]).finally(() => clearTimeout(timer))
  }
  const close = () => void client.end(true)
  const connected = new Promise<void>((done) => client.once('connect', () => done()))
  try {
    await inTime(connected, CONNECT_MS)
    isOpen = true
  } catch (error) {
    close()
    throw error
  }
  return {
    publish: async (topic, body, timeoutMs) => {
      await inTime(client.publishAsync(topic, body, { qos: 1 }), timeoutMs)
    },
    close,
  }
}
