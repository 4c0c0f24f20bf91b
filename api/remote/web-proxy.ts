/**
 * The web pages of devices, on a port of its own: each session has a name of its own, so that a hostile page shares nothing
 * with the console or with another device. A ticket exchanges for a cookie that is good for this one session [decisions/102].
 */
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { connect as connectTls } from 'node:tls'
import type { Context } from '#infra/context'
import { sameText } from '#infra/secrets'
import { isPageKind } from '#schema/remote/remote-access'
import { comingBack } from './coming-back.ts'
import { cookieOf, ENTER_PATH, type Tickets } from './ticket.ts'
import type { Tunnel, Tunnels } from './tunnels.ts'
import { cookieIn, type Names, SESSION_COOKIE, toBrowser, toDevice } from './web-headers.ts'

const ANSWER_MS = 60_000
const HEADERS_MS = 10_000

/** What Node's HTTP client expects of a socket besides being a stream. */
function asSocket(stream: Duplex): Duplex {
  const self = () => stream
  return Object.assign(stream, {
    setTimeout: self,
    setNoDelay: self,
    setKeepAlive: self,
    ref: self,
    unref: self,
  })
}

async function connectTo(tunnel: Tunnel): Promise<Duplex> {
  const channel = asSocket(await tunnel.open())
  if (tunnel.session.scheme !== 'https') return channel
  // Devices sign their own certificates; the tunnel ends in the device.
  const secure = connectTls({ socket: channel, rejectUnauthorized: false })
  secure.on('error', () => channel.destroy())
  return secure
}

const plain = (response: ServerResponse, status: number, text: string) => {
  if (response.headersSent) return response.destroy()
  response
    .writeHead(status, {
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    })
    .end(`${text}\n`)
}

export type WebProxy = { close(): Promise<void> }

export async function openWebProxy(
  context: Context,
  tunnels: Tunnels,
  tickets: Tickets,
): Promise<WebProxy | null> {
  const { env, now, log } = context
  if (env.REMOTE_WEB_PORT === 0 || env.REMOTE_URL === null) return null
  const [scheme = '', rest = ''] = env.REMOTE_URL.split('*')
  const away = comingBack(context, tunnels)

  /**
   * The session whose name was asked for; nothing about it is decided by any other header or cookie. One whose tunnel is being
   * dug again is waited for.
   */
  async function namedBy(request: IncomingMessage): Promise<Tunnel | null> {
    const { headers, url } = request
    const host = headers.host?.toLowerCase() ?? ''
    if (!host.endsWith(rest) || !url?.startsWith('/')) return null
    const label = host.slice(0, -rest.length)
    const isGone = () => request.socket.destroyed
    const tunnel = tunnels.labelled(label) ?? (await away(label, cookieIn(headers.cookie), isGone))
    return tunnel && isPageKind(tunnel.session.kind) ? tunnel : null
  }
  const mayPass = (request: IncomingMessage, tunnel: Tunnel) =>
    sameText(cookieIn(request.headers.cookie), cookieOf(env.JWT_SECRET, tunnel.session.id))
  const namesOf = ({ session }: Tunnel): Names => ({
    target: new URL(`${session.scheme}://${session.host}:${session.port}`),
    own: new URL(`${scheme}${session.label}${rest}`),
  })

  function enter(request: IncomingMessage, response: ServerResponse, tunnel: Tunnel): void {
    const ticket = (request.url ?? '').slice(ENTER_PATH.length)
    if (request.method !== 'GET' || tickets.use(ticket, now().getTime()) !== tunnel.session.id)
      return void plain(response, 403, 'This link is used up. Open the page again from the console.')
    const secure = scheme === 'https://' ? '; Secure' : ''
    response
      .writeHead(302, {
        location: '/',
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'set-cookie': `${SESSION_COOKIE}=${cookieOf(env.JWT_SECRET, tunnel.session.id)}; Path=/; HttpOnly; SameSite=Lax${secure}`,
      })
      .end()
  }

  async function pass(request: IncomingMessage, response: ServerResponse, tunnel: Tunnel): Promise<void> {
    const names = namesOf(tunnel)
    const socket = await connectTo(tunnel)
    const upstream = httpRequest({
      createConnection: () => socket as never,
      method: request.method,
      path: request.url,
      headers: { ...toDevice(request.headers, names), connection: 'close' },
      setHost: false,
    })
    const late = setTimeout(() => upstream.destroy(new Error('late')), ANSWER_MS)
    upstream.on('response', (answer) => {
      clearTimeout(late)
      response.writeHead(answer.statusCode ?? 502, toBrowser(answer.headers, names))
      answer.on('error', () => response.destroy())
      answer.pipe(response)
    })
    upstream.on('error', () => {
      clearTimeout(late)
      plain(response, 502, 'The device did not answer.')
    })
    response.on('close', () => {
      clearTimeout(late)
      upstream.destroy()
      socket.destroy()
    })
    request.on('error', () => upstream.destroy())
    request.pipe(upstream)
  }

  const server = createServer({ maxHeaderSize: 32_768, headersTimeout: HEADERS_MS, requestTimeout: 0 })
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const tunnel = await namedBy(request)
    if (!tunnel) return void plain(response, 404, 'There is no such session, or it has ended.')
    if (request.url?.startsWith(ENTER_PATH)) return enter(request, response, tunnel)
    if (!mayPass(request, tunnel)) return void plain(response, 403, 'Open this page from the console.')
    await pass(request, response, tunnel)
  }
  server.on('request', (request, response) => {
    answer(request, response).catch(() => plain(response, 502, 'The device did not answer.'))
  })

  async function upgrade(
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    tunnel: Tunnel,
  ): Promise<void> {
    const names = namesOf(tunnel)
    const device = await connectTo(tunnel)
    const end = () => {
      socket.destroy()
      device.destroy()
    }
    for (const side of [socket, device]) side.on('error', end).on('close', end)
    const headers = { ...toDevice(request.headers, names), connection: 'Upgrade', upgrade: 'websocket' }
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}`)
    device.write(`GET ${request.url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
    device.write(head)
    socket.pipe(device).pipe(socket)
  }
  async function answerUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const tunnel = await namedBy(request)
    const own = tunnel && namesOf(tunnel).own.origin
    // A page of another origin cannot choose this header, and its WebSocket would carry our cookie.
    const isOwn = request.headers.origin === own && request.headers.upgrade?.toLowerCase() === 'websocket'
    if (tunnel && isOwn && mayPass(request, tunnel)) return upgrade(request, socket, head, tunnel)
    socket.end('HTTP/1.1 403 Forbidden\r\nconnection: close\r\ncontent-length: 0\r\n\r\n')
  }
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy())
    answerUpgrade(request, socket, head).catch(() => socket.destroy())
  })
  server.on('clientError', (_error, socket) => socket.destroy())

  await new Promise<void>((done, fail) => {
    server.once('error', fail)
    server.listen(env.REMOTE_WEB_PORT, env.HTTP_HOST, () => {
      server.off('error', fail)
      done()
    })
  })
  log.info({ port: env.REMOTE_WEB_PORT, url: env.REMOTE_URL }, 'web pages of devices are served')
  return {
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}
