/**
 * Limits connections per address, and in total. Long-lived connections of devices do not count: MQTT that is
 * forwarded to the broker, which has its own limits, and downloads in progress.
 */
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { Counter } from 'prom-client'
import type { Context } from '#infra/context'
import { isAmong } from '#infra/proxies'
import { networkOf } from '#schema/kit/address'
import { transportRefusals } from '#schema/platform/transport-refusals'
import { closeWithEnvelope } from './parser-errors.ts'
import { openTally } from './tally.ts'

/** `each`: a fleet of 10,000 behind one NAT that reconnects at once passes through here on its way to the broker. */
const CONNECTIONS = { all: 20_000, each: 10_000 } as const
const DOWNLOADS = '/files/'

export function boundConnections(
  app: FastifyInstance,
  { env, metrics, log }: Pick<Context, 'env' | 'metrics' | 'log'>,
  bounds: { all: number; each: number } = CONNECTIONS,
): void {
  const tally = openTally(bounds)
  metrics.removeSingleMetric('iot_http_connections_refused_total')
  const refused = new Counter({
    name: 'iot_http_connections_refused_total',
    help: 'Connections closed at once because their address, or all together, had too many',
    registers: [metrics],
  })
  /** Counted sockets, and their owners. */
  const counted = new Map<Socket, string | undefined>()
  const drop = (socket: Socket) => {
    if (!counted.has(socket)) return
    tally.give(counted.get(socket), 1)
    counted.delete(socket)
  }
  /** A trusted proxy carries the connections of all users: only the total limit applies to it. */
  const ownerOf = (address: string) =>
    isAmong(env.TRUSTED_PROXIES, address) ? undefined : networkOf(address)
  let isLogged = false

  app.server.on('connection', (socket: Socket) => {
    const owner = ownerOf(socket.remoteAddress ?? '')
    if (!tally.take(owner, 1)) {
      refused.inc()
      if (!isLogged)
        log.warn({ ip: owner, connections: tally.used }, 'too many HTTP connections; logged once')
      isLogged = true
      return closeWithEnvelope(socket, transportRefusals.tooManyRequests)
    }
    counted.set(socket, owner)
    socket.once('close', () => drop(socket))
  })
  app.server.on('upgrade', (_request: IncomingMessage, socket: Socket) => drop(socket))
  app.addHook('onRequest', async ({ raw, method }, reply) => {
    if (method !== 'GET' || !raw.url?.startsWith(DOWNLOADS)) return
    const { socket } = raw
    drop(socket)
    reply.raw.once('close', () => {
      if (socket.destroyed || counted.has(socket)) return
      const owner = ownerOf(socket.remoteAddress ?? '')
      tally.add(owner, 1)
      counted.set(socket, owner)
    })
  })
}
