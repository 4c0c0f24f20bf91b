/** MQTT over WebSocket at /mqtt on the HTTP port: bytes are forwarded unchanged to the broker's loopback port. */
import { lookup } from 'node:dns/promises'
import type { IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import type { Context } from '#infra/context'
import { clientOf } from '#infra/proxies'
import { hostOf } from '#infra/settings/host-of'

/**
 * The request as received, with the header that tells the broker the client's address; the client's own header is
 * removed.
 */
function head(request: IncomingMessage, { env }: Context): string {
  const named = request.headers['x-forwarded-for']
  const client = clientOf(
    env.TRUSTED_PROXIES,
    request.socket.remoteAddress ?? '',
    Array.isArray(named) ? named.join(',') : named,
  )
  // First, because parsers drop headers beyond the thousandth.
  const lines = [`GET /mqtt HTTP/1.1`, `X-Forwarded-For: ${client}`]
  for (let i = 0; i < request.rawHeaders.length; i += 2) {
    const name = request.rawHeaders[i] ?? ''
    if (name.toLowerCase() !== 'x-forwarded-for') lines.push(`${name}: ${request.rawHeaders[i + 1]}`)
  }
  return [...lines, '', ''].join('\r\n')
}

export const isMqttPath = (url: string | undefined) => url?.split('?')[0] === '/mqtt'

const CONNECT_MS = 3_000
const NONE = 'HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'

/** A connection to the first broker that accepts one; null if none does. The host name may resolve to several. */
async function dial(host: string, port: number): Promise<Socket | null> {
  const addresses = await lookup(host, { all: true }).catch(() => [])
  for (const { address } of addresses) {
    const socket = connect({ port, host: address, timeout: CONNECT_MS })
    const open = await new Promise<boolean>((done) => {
      socket.once('connect', () => done(true))
      for (const event of ['error', 'timeout'] as const) socket.once(event, () => done(false))
    })
    if (open) return socket.setTimeout(0)
    socket.destroy()
  }
  return null
}

export function mqttForwarder(context: Context) {
  // The host of a remote broker is that of MQTT_URL.
  const host = context.env.MQTT_URL ? hostOf(new URL(context.env.MQTT_URL)) : '127.0.0.1'
  return async (request: IncomingMessage, socket: Socket, first: Buffer): Promise<void> => {
    // Devices disconnect all the time; the broker records why the connection ended.
    socket.on('error', () => socket.destroy())
    // An external broker has its own WebSocket listener.
    const external = context.env.BROKER === 'external'
    const broker = external ? null : await dial(host, context.env.MQTT_WS_PORT)
    if (broker === null) {
      if (!external) context.log.warn({ host }, 'no broker accepts a connection: /mqtt answers 503')
      socket.end(NONE)
      return
    }
    const end = () => {
      socket.destroy()
      broker.destroy()
    }
    for (const side of [socket, broker]) side.on('error', end).on('close', end)
    if (socket.destroyed) return end()
    broker.write(head(request, context))
    broker.write(first)
    socket.pipe(broker).pipe(socket)
  }
}
