/** MQTT over WebSocket at /mqtt on the HTTP port: bytes are handed to the broker's loopback port untouched. */
import type { IncomingMessage, Server } from 'node:http'
import { connect, type Socket } from 'node:net'
import type { Context } from '#infra/context'
import { clientOf } from '#infra/proxies'

/** The request as it came, with the one header that tells the broker who it is; a client's own is struck out. */
function head(request: IncomingMessage, { env }: Context): string {
  const named = request.headers['x-forwarded-for']
  const client = clientOf(
    env.TRUSTED_PROXIES,
    request.socket.remoteAddress ?? '',
    Array.isArray(named) ? named.join(',') : named,
  )
  // First, because a parser forgets headers beyond its thousandth.
  const lines = [`GET /mqtt HTTP/1.1`, `X-Forwarded-For: ${client}`]
  for (let i = 0; i < request.rawHeaders.length; i += 2) {
    const name = request.rawHeaders[i] ?? ''
    if (name.toLowerCase() !== 'x-forwarded-for') lines.push(`${name}: ${request.rawHeaders[i + 1]}`)
  }
  return [...lines, '', ''].join('\r\n')
}

export const isMqttPath = (url: string | undefined) => url?.split('?')[0] === '/mqtt'

export function forwardMqtt(server: Server, context: Context): void {
  // A broker on another host is the one that MQTT_URL names.
  const host = context.env.MQTT_URL ? new URL(context.env.MQTT_URL).hostname : '127.0.0.1'
  server.on('upgrade', (request: IncomingMessage, socket: Socket, first: Buffer) => {
    if (!isMqttPath(request.url)) return socket.destroy()
    const broker = connect(context.env.MQTT_WS_PORT, host)
    broker.once('connect', () => {
      broker.write(head(request, context))
      broker.write(first)
      socket.pipe(broker).pipe(socket)
    })
    const end = () => {
      socket.destroy()
      broker.destroy()
    }
    // A device vanishing is everyday business; the broker records why the connection ended.
    for (const side of [socket, broker]) side.on('error', end).on('close', end)
  })
}
