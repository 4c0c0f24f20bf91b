/**
 * Listeners for incoming connections: TCP, TLS, and WebSocket behind the HTTP server, with metrics beside it.
 */
import { createServer as createHttp, type IncomingMessage } from 'node:http'
import { type AddressInfo, createServer as createTcp, type Server, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { createServer as createTls } from 'node:tls'
import { createWebSocketStream, type WebSocket, WebSocketServer } from 'ws'
import type { Context } from '#infra/context'
import { isAmong } from '#infra/proxies'
import { followCertificate, readTls } from './certificate.ts'
import type { Arrival } from './host.ts'
import { limits } from './limits.ts'
import { plain } from './plain-address.ts'
import { takeProxyHeader } from './proxy-protocol.ts'

type Accept = (socket: Duplex, from: Arrival) => void

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
  /** Opens a listener. Connections from a trusted load balancer begin with a header that names the client's address. */
  const listener = (open: (socket: Socket, ip: string) => void) =>
    createTcp({ noDelay: true, keepAlive: true }, (socket) => {
      const peer = plain(socket.remoteAddress)
      if (!isAmong(env.MQTT_PROXIES, peer)) return open(socket, peer)
      note(socket, peer)
      takeProxyHeader(socket, limits.connectMs, (ip) => open(socket, ip ?? peer))
    })
  const known = new Map<string, { since: number; ip: string }>()
  /** The login timeout counts from the first packet, including handshakes. */
  const note = (socket: Socket, ip: string) => {
    const name = nameOf(socket)
    if (!known.has(name)) socket.once('close', () => known.delete(name))
    known.set(name, { ip, since: known.get(name)?.since ?? performance.now() })
  }
  const knownOf = (socket: Socket) =>
    known.get(nameOf(socket)) ?? { ip: plain(socket.remoteAddress), since: performance.now() }
  const tcp = listener((socket, ip) => {
    const since = known.get(nameOf(socket))?.since
    accept(socket, { ip, transport: 'tcp', ...(since === undefined ? {} : { since }) })
  })
  // The listener is ours, and passes each connection on: TLS begins after the balancer's header.
  const certificate = await readTls(env)
  const tls = createTls({ ...certificate, handshakeTimeout: limits.connectMs }, (socket) =>
    accept(socket, { transport: 'tls', ...knownOf(socket) }),
  )
  const beforeTls = listener((socket, ip) => {
    note(socket, ip)
    tls.emit('connection', socket)
  })
  tls.on('tlsClientError', (error, socket) => {
    log.debug({ err: error, ip: knownOf(socket).ip }, 'TLS handshake failed')
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
  http.on('connection', (socket: Socket) => note(socket, plain(socket.remoteAddress)))
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
        since: knownOf(request.socket).since,
        opened: () => allowPackets(opened),
      }
      // In object mode a text frame is a string, which the guard refuses; at most one message is buffered.
      accept(createWebSocketStream(opened, { readableObjectMode: true, readableHighWaterMark: 1 }), from)
    })
  })

  const ports = {
    mqtt: await listen(tcp, env.MQTT_PORT, env.MQTT_HOST),
    mqtts: await listen(beforeTls, env.MQTTS_PORT, env.MQTT_HOST),
    ws: await listen(http, env.MQTT_WS_PORT, env.MQTT_WS_HOST),
  }
  const unfollow = followCertificate(tls, certificate, context)
  const servers = [tcp, beforeTls, http]
  for (const server of servers) server.on('error', (error) => log.error({ err: error }, 'listener'))
  return {
    ports,
    /** Stops accepting connections; the caller closes the existing ones. */
    close: () => {
      unfollow()
      for (const server of servers) server.close()
      http.closeAllConnections()
    },
  }
}
