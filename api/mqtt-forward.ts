/** MQTT over WebSocket at /mqtt on the HTTP port: bytes are forwarded unchanged to the broker's loopback port. */
import type { IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import type { Context } from '#infra/context'
import { clientOf } from '#infra/proxies'

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

export function mqttForwarder(context: Context) {
  // The host of a remote broker is that of MQTT_URL.
  const host = context.env.MQTT_URL ? new URL(context.env.MQTT_URL).hostname : '127.0.0.1'
  return (request: IncomingMessage, socket: Socket, first: Buffer) => {
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
    // Devices disconnect all the time; the broker records why the connection ended.
    for (const side of [socket, broker]) side.on('error', end).on('close', end)
  }
}
