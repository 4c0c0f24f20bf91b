/**
 * Listeners for incoming connections: TCP, TLS, and WebSocket behind the HTTP server, with metrics beside it.
 */
import { createServer as createHttp, type IncomingMessage } from 'node:http'
import { type AddressInfo, createServer as createTcp, type Server, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { createServer as createTls } from 'node:tls'
import { createWebSocketStream, type WebSocket, WebSocketServer } from 'ws'
import type { Context } from '#infra/context'
import { readCertificate } from './certificate.ts'
import type { Arrival } from './host.ts'
import { limits } from './limits.ts'

type Accept = (socket: Duplex, from: Arrival) => void

const plain = (address: string | undefined) => (address ?? '').replace(/^::ffff:/, '')
const isLoopback = (ip: string) => ip === '::1' || ip.startsWith('127.')

/**
 * Only the HTTP server may state the client's address: on this machine, or where MQTT_WS_HOST was opened for
 * it.
 */
export function addressOf(request: Pick<IncomingMessage, 'headers' | 'socket'>, trusted = false): string {
  const peer = plain(request.socket.remoteAddress)
  const named = String(request.headers['x-forwarded-for'] ?? '')
    .split(',')
    .at(-1)
    ?.trim()
  return (trusted || isLoopback(peer)) && named && /^[0-9A-Fa-f.:]{2,45}$/.test(named) ? plain(named) : peer
}

/** Identifies a connection on one of our ports while it is open. */
const nameOf = (socket: Socket) => `${socket.remoteAddress}|${socket.remotePort}|${socket.localPort}`

function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((done, fail) => {
    server.once('error', (error) => fail(Object.assign(error, { port })))
    // The backlog of connections not accepted yet: a whole fleet may reconnect at the same time.
    server.listen({ port, host, backlog: 4096 }, () => done((server.address() as AddressInfo).port))
  })
}

/**
 * A WebSocket message may be as long as a packet only after login; the receiver has no public API for that.
 */
function allowPackets(socket: WebSocket): void {
  const receiver = (socket as unknown as { _receiver?: { _maxPayload?: number } })._receiver
  if (receiver && typeof receiver._maxPayload === 'number') receiver._maxPayload = limits.packetBytes + 16
}

export async function openListeners(context: Context, accept: Accept) {
  const { env, metrics, log } = context
  const tcp = createTcp({ noDelay: true, keepAlive: true }, (socket) =>
    accept(socket, { ip: plain(socket.remoteAddress), transport: 'tcp' }),
  )
  const since = new Map<string, number>()
  /** The login timeout counts from the first packet, including handshakes. */
  const note = (socket: Socket) => {
    const name = nameOf(socket)
    since.set(name, performance.now())
    socket.once('close', () => since.delete(name))
  }
  const tls = createTls(
    { ...(await readCertificate(env)), handshakeTimeout: limits.connectMs, minVersion: 'TLSv1.2' },
    (socket) => accept(socket, { ip: plain(socket.remoteAddress), transport: 'tls', ...sinceOf(socket) }),
  )
  const sinceOf = (socket: Socket) => {
    const at = since.get(nameOf(socket))
    return at === undefined ? {} : { since: at }
  }
  tls.on('connection', (socket: Socket) => {
    socket.setNoDelay(true)
    note(socket)
  })
  tls.on('tlsClientError', (error, socket) => {
    log.debug({ err: error, ip: plain(socket.remoteAddress) }, 'TLS handshake failed')
    socket.destroy()
  })

  const patience = {
    requestTimeout: limits.connectMs,
    headersTimeout: limits.connectMs,
    // Node's default is to check every 30 s.
    connectionsCheckingInterval: 500,
  }
  const http = createHttp(patience, (request, response) => {
    if (request.url === '/healthz') response.end('ok\n')
    else if (request.url === '/metrics')
      void metrics.metrics().then((text) => response.setHeader('content-type', metrics.contentType).end(text))
    else response.writeHead(404).end()
  })
  http.on('connection', note)
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: 2 * limits.connectBytes,
    perMessageDeflate: false,
    // [MQTT-6.0.0-4]
    handleProtocols: (offered) => (offered.has('mqtt') ? 'mqtt' : false),
  })
  http.on('upgrade', (request, socket, head) => {
    socket.on('error', (error) => log.debug({ err: error }, 'WebSocket broke'))
    sockets.handleUpgrade(request, socket, head, (opened) => {
      opened.on('error', (error) => log.debug({ err: error }, 'WebSocket broke'))
      const from = {
        ip: addressOf(request, !isLoopback(env.MQTT_WS_HOST)),
        transport: 'ws' as const,
        ...sinceOf(request.socket),
        opened: () => allowPackets(opened),
      }
      // In object mode a text frame is a string, which the guard refuses; at most one message is buffered.
      accept(createWebSocketStream(opened, { readableObjectMode: true, readableHighWaterMark: 1 }), from)
    })
  })

  const ports = {
    mqtt: await listen(tcp, env.MQTT_PORT, env.MQTT_HOST),
    mqtts: await listen(tls, env.MQTTS_PORT, env.MQTT_HOST),
    ws: await listen(http, env.MQTT_WS_PORT, env.MQTT_WS_HOST),
  }
  const servers = [tcp, tls, http]
  for (const server of servers) server.on('error', (error) => log.error({ err: error }, 'listener'))
  return {
    ports,
    /** Stops accepting connections; the caller closes the existing ones. */
    close: () => {
      for (const server of servers) server.close()
      http.closeAllConnections()
    },
  }
}
