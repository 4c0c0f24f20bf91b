/**
 * The web pages of devices, on a port of its own: each session has a name of its own, so that a hostile page shares nothing
 * with the console or with another device. A ticket exchanges for a cookie that is good for this one session [decisions/102].
 */
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { type Duplex, pipeline } from 'node:stream'
import { connect as connectTls } from 'node:tls'
import type { Context } from '#infra/context'
import { sayIn } from '#infra/say'
import { sameText } from '#infra/secrets'
import { pickLanguage } from '#schema/kit/refusal'
import type { ServerSay } from '#schema/kit/say'
import { isBehind, isPageKind } from '#schema/remote/remote-access'
import { cookieOf, ENTER_PATH, type Tickets } from '../ticket.ts'
import type { Tunnel, Tunnels } from '../tunnels.ts'
import { comingBack } from './coming-back.ts'
import { throughLinks, withoutLength } from './page-links.ts'
import { cookiesIn, elsewhere, type Names, SESSION_COOKIE, toBrowser, toDevice } from './web-headers.ts'

/** Without a byte from the browser or an answer of the device. */
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
  // Devices sign their own certificates, and old printers and cameras know only old TLS: the tunnel around it protects what goes through.
  const secure = connectTls({
    socket: channel,
    rejectUnauthorized: false,
    minVersion: 'TLSv1',
    ciphers: 'DEFAULT:@SECLEVEL=0',
  })
  secure.on('error', () => channel.destroy())
  return secure
}

type Told = Parameters<ServerSay>
/** In the language of the browser. */
const plain = (response: ServerResponse, status: number, ...told: Told) => {
  if (response.headersSent) return response.destroy()
  const text = sayIn(pickLanguage(response.req.headers['accept-language']))(...told)
  response
    .writeHead(status, {
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    })
    .end(`${text}\n`)
}

const refuse = (socket: Duplex, status: string) =>
  socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`)

const domainOf = (url: string) => new URL(url.replace('*', 'any')).hostname.split('.').slice(-2).join('.')
/** Scripts of a page may set cookies for its whole domain: the console would read them. */
const sharesDomain = ({ PUBLIC_URL, REMOTE_URL }: { PUBLIC_URL: string; REMOTE_URL: string }) =>
  domainOf(PUBLIC_URL) === domainOf(REMOTE_URL)

export type WebProxy = { close(): Promise<void> }

export async function openWebProxy(
  context: Context,
  tunnels: Tunnels,
  tickets: Tickets,
  answerMs = ANSWER_MS,
): Promise<WebProxy | null> {
  const { env, now, log } = context
  if (env.REMOTE_WEB_PORT === 0 || env.REMOTE_URL === null) return null
  if (sharesDomain({ PUBLIC_URL: env.PUBLIC_URL, REMOTE_URL: env.REMOTE_URL }))
    log.warn(
      { console: env.PUBLIC_URL, pages: env.REMOTE_URL },
      'REMOTE_URL has the domain of PUBLIC_URL: pages of devices can set cookies that the console reads',
    )
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
    const tunnel = tunnels.labelled(label) ?? (await away(label, cookiesIn(headers.cookie), isGone))
    return tunnel && isPageKind(tunnel.session.kind) ? tunnel : null
  }
  const mayPass = (request: IncomingMessage, tunnel: Tunnel) =>
    cookiesIn(request.headers.cookie).some((cookie) =>
      sameText(cookie, cookieOf(env.JWT_SECRET, tunnel.session.id)),
    )
  const namesOf = ({ session }: Tunnel): Names => ({
    target: new URL(`${session.scheme}://${session.host}:${session.port}`),
    known: [session.host, ...(isBehind(session) || session.lanAddress === null ? [] : [session.lanAddress])],
    own: new URL(`${scheme}${session.label}${rest}`),
  })

  function enter(request: IncomingMessage, response: ServerResponse, tunnel: Tunnel): void {
    const ticket = (request.url ?? '').slice(ENTER_PATH.length)
    const used = request.method === 'GET' ? tickets.use(ticket, now().getTime()) : null
    if (used?.use !== 'own' || used.sessionId !== tunnel.session.id)
      return void plain(response, 403, 'remote:page.usedUp')
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
    // The browser has left meanwhile: nobody else would close it.
    if (response.destroyed) return void socket.destroy()
    const upstream = httpRequest({
      createConnection: () => socket as never,
      method: request.method,
      path: request.url,
      headers: {
        ...toDevice(request.headers, names),
        // Said for methods that seldom have a body, too: the device would take it for the next request.
        ...(request.headers['transfer-encoding'] === undefined ? {} : { 'transfer-encoding': 'chunked' }),
        connection: 'close',
      },
      setHost: false,
    })
    const late = setTimeout(() => upstream.destroy(new Error('late')), answerMs)
    upstream.on('response', (answer) => {
      clearTimeout(late)
      const other = elsewhere(answer.headers, names)
      if (other) {
        upstream.destroy()
        return void plain(response, 502, 'remote:page.elsewhere', { url: other.href })
      }
      const headers = toBrowser(answer.headers, names)
      const links = throughLinks(answer, request.method, names)
      try {
        response.writeHead(answer.statusCode ?? 0, links ? withoutLength(headers) : headers)
      } catch {
        // A status such as 099: Node reads what it does not write. Thrown on, it would end the process.
        upstream.destroy()
        return void plain(response, 502, 'remote:page.noAnswer')
      }
      pipeline([answer, ...(links ?? []), response], () => undefined)
    })
    const fail = () => {
      clearTimeout(late)
      if (!response.writableEnded) plain(response, 502, 'remote:page.noAnswer')
    }
    upstream.on('error', fail)
    // Without an error where the device changes the protocol that nobody asked to change.
    upstream.on('close', () => response.headersSent || fail())
    response.on('close', () => {
      clearTimeout(late)
      upstream.destroy()
      socket.destroy()
    })
    request.on('error', () => upstream.destroy())
    // An upload over a mobile link lasts as long as it lasts.
    request.on('data', () => late.refresh())
    request.pipe(upstream)
  }

  /** Those of WebSockets: the server does not know them any more. */
  const upgraded = new Set<Duplex>()
  const server = createServer({ maxHeaderSize: 32_768, headersTimeout: HEADERS_MS, requestTimeout: 0 })
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const tunnel = await namedBy(request)
    if (!tunnel) return void plain(response, 404, 'remote:page.noSession')
    if (request.url?.startsWith(ENTER_PATH)) return enter(request, response, tunnel)
    if (!mayPass(request, tunnel)) return void plain(response, 403, 'remote:page.console')
    await pass(request, response, tunnel)
  }
  server.on('request', (request, response) => {
    answer(request, response).catch(() => plain(response, 502, 'remote:page.noAnswer'))
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
    const upstream = httpRequest({
      createConnection: () => device as never,
      path: request.url,
      headers: { ...toDevice(request.headers, names), connection: 'Upgrade', upgrade: 'websocket' },
      setHost: false,
    })
    const late = setTimeout(() => upstream.destroy(new Error('late')), answerMs)
    for (const side of [socket, device]) side.on('error', end).on('close', end)
    upstream.on('close', () => clearTimeout(late)).on('error', () => refuse(socket, '502 Bad Gateway'))
    // What it answers instead is for no page to see.
    upstream.on('response', () => refuse(socket, '502 Bad Gateway'))
    upstream.on('upgrade', (answer, _device, first) => {
      clearTimeout(late)
      const headers = { ...toBrowser(answer.headers, names), connection: 'Upgrade', upgrade: 'websocket' }
      const lines = Object.entries(headers).flatMap(([name, value]) =>
        [value ?? []].flat().map((one) => `${name}: ${one}\r\n`),
      )
      socket.write(Buffer.from(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('')}\r\n`, 'latin1'))
      socket.write(first)
      device.write(head)
      socket.pipe(device).pipe(socket)
    })
    upstream.end()
  }
  async function answerUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const tunnel = await namedBy(request)
    const own = tunnel && namesOf(tunnel).own.origin
    // A page of another origin cannot choose this header, and its WebSocket would carry our cookie.
    const isOwn = request.headers.origin === own && request.headers.upgrade?.toLowerCase() === 'websocket'
    if (tunnel && isOwn && mayPass(request, tunnel)) return upgrade(request, socket, head, tunnel)
    refuse(socket, '403 Forbidden')
  }
  server.on('upgrade', (request, socket, head) => {
    upgraded.add(socket)
    socket.on('error', () => socket.destroy()).on('close', () => upgraded.delete(socket))
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
        for (const socket of upgraded) socket.destroy()
      }),
  }
}
