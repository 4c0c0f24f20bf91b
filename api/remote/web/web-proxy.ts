/**
 * The web pages of devices, on a separate port: each session has its own host name, so that a hostile page shares
 * nothing with the console or with another device. A ticket is exchanged for a cookie that is valid for this one
 * session [decisions/102].
 */
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { type Duplex, pipeline } from 'node:stream'
import { connect as connectTls } from 'node:tls'
import type { Context } from '#infra/context'
import { isBehind, isPageKind } from '#schema/remote/remote-access'
import { cookieOf, ENTER_PATH, type Tickets, type Who } from '../ticket.ts'
import type { Tunnel, Tunnels } from '../tunnels.ts'
import { tunnelWaiter } from './await-tunnel.ts'
import { sayInPlace } from './own-page.ts'
import { throughLinks, withoutLength } from './page-links.ts'
import { pageLogins } from './page-login.ts'
import { cookiesIn, elsewhere, type Names, SESSION_COOKIE, toBrowser, toDevice } from './web-headers.ts'

/** Idle timeout: no byte from the browser and no response from the device. */
const ANSWER_MS = 60_000
const HEADERS_MS = 10_000
const KEEPALIVE_MS = 15_000

/** What Node's HTTP client expects from a socket besides being a stream. */
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
  // Devices have self-signed certificates, and old printers and cameras support only old TLS: the tunnel protects the
  // connection.
  const secure = connectTls({
    socket: channel,
    rejectUnauthorized: false,
    minVersion: 'TLSv1',
    ciphers: 'DEFAULT:@SECLEVEL=0',
  })
  secure.on('error', () => channel.destroy())
  return secure
}

const refuse = (socket: Duplex, status: string) =>
  socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`)

/** The browser would keep it, and let it answer in place of this server, after the session has ended. */
const isServiceWorker = ({ headers }: IncomingMessage) =>
  headers['service-worker'] !== undefined || headers['sec-fetch-dest'] === 'serviceworker'

const domainOf = (url: string) => new URL(url.replace('*', 'any')).hostname.split('.').slice(-2).join('.')
/** Scripts of a page may set cookies for its whole domain, which the console would get. */
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
  const away = tunnelWaiter(context, tunnels)

  /**
   * The session of the requested host name, determined by no other header or cookie. If its tunnel is being reopened,
   * the request waits for it.
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
  const loginOf = pageLogins(context)
  const namesOf = ({ session }: Tunnel): Names => ({
    target: new URL(`${session.scheme}://${session.host}:${session.port}`),
    known: [session.host, ...(isBehind(session) || session.lanAddress === null ? [] : [session.lanAddress])],
    own: new URL(`${scheme}${session.label}${rest}`),
  })

  function enter(request: IncomingMessage, response: ServerResponse, tunnel: Tunnel): void {
    const ticket = (request.url ?? '').slice(ENTER_PATH.length)
    const used = request.method === 'GET' ? tickets.use(ticket, now().getTime()) : null
    if (used?.use !== 'own' || used.sessionId !== tunnel.session.id)
      return void sayInPlace(response, 403, 'remote:page.usedUp')
    const secure = scheme === 'https://' ? '; Secure' : ''
    const cookie = cookieOf(env.JWT_SECRET, used.sessionId, used)
    response
      .writeHead(302, {
        location: '/',
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'set-cookie': `${SESSION_COOKIE}=${cookie}; Path=/; HttpOnly; SameSite=Lax${secure}`,
      })
      .end()
  }

  async function pass(
    request: IncomingMessage,
    response: ServerResponse,
    tunnel: Tunnel,
    login: Who,
  ): Promise<void> {
    const names = namesOf(tunnel)
    const socket = await connectTo(tunnel)
    // The browser has left meanwhile: nobody else would close it.
    if (response.destroyed) return void socket.destroy()
    const use = { close: () => response.destroy() }
    tunnel.uses.set(use, login)
    const upstream = httpRequest({
      createConnection: () => socket as never,
      method: request.method,
      path: request.url,
      // Small web servers end lines with LF alone, or fold headers, which browsers accept, too. One connection carries
      // one response, and its headers are written anew.
      insecureHTTPParser: true,
      headers: {
        ...toDevice(request.headers, names),
        // Said for methods that seldom have a body, too: the device would take it for the next request.
        ...(request.headers['transfer-encoding'] === undefined ? {} : { 'transfer-encoding': 'chunked' }),
        connection: 'close',
      },
      setHost: false,
    })
    const late = setTimeout(() => upstream.destroy(new Error('late')), answerMs)
    let answered: IncomingMessage | null = null
    // A response without a length ends with its connection: cut off with the tunnel, it would look like a whole one.
    const cut = () => answered?.complete === false && response.destroy()
    tunnel.once('close', cut)
    upstream.on('response', (answer) => {
      clearTimeout(late)
      answered = answer
      const other = elsewhere(answer.headers, names)
      if (other) {
        upstream.destroy()
        return void sayInPlace(response, 502, 'remote:page.elsewhere', { url: other.href })
      }
      const headers = toBrowser(answer.headers, names)
      const links = throughLinks(answer, request.method, names)
      try {
        response.writeHead(answer.statusCode ?? 0, links ? withoutLength(headers) : headers)
      } catch {
        // A status such as 099: Node reads what it does not write. Thrown on, it would end the process.
        upstream.destroy()
        return void sayInPlace(response, 502, 'remote:page.noAnswer')
      }
      pipeline([answer, ...(links ?? []), response], () => undefined)
    })
    const fail = () => {
      clearTimeout(late)
      if (!response.writableEnded) sayInPlace(response, 502, 'remote:page.noAnswer')
    }
    upstream.on('error', fail)
    // Without an error where the device changes the protocol that nobody asked to change.
    upstream.on('close', () => response.headersSent || fail())
    response.on('close', () => {
      tunnel.off('close', cut)
      tunnel.uses.delete(use)
      clearTimeout(late)
      upstream.destroy()
      socket.destroy()
    })
    request.on('error', () => upstream.destroy())
    // No timeout: an upload over a mobile link may take long.
    request.on('data', () => late.refresh())
    request.pipe(upstream)
  }

  /** Sockets of WebSockets, which the server no longer tracks. */
  const upgraded = new Set<Duplex>()
  const server = createServer({ maxHeaderSize: 32_768, headersTimeout: HEADERS_MS, requestTimeout: 0 })
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const tunnel = await namedBy(request)
    if (!tunnel) return void sayInPlace(response, 404, 'remote:page.noSession')
    if (request.url?.startsWith(ENTER_PATH)) return enter(request, response, tunnel)
    const login = await loginOf(request, tunnel.session.id)
    if (!login) return void sayInPlace(response, 403, 'remote:page.console')
    if (isServiceWorker(request)) return void sayInPlace(response, 403, 'remote:page.serviceWorker')
    await pass(request, response, tunnel, login)
  }
  server.on('request', (request, response) => {
    answer(request, response).catch(() => sayInPlace(response, 502, 'remote:page.noAnswer'))
  })

  async function upgrade(
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    tunnel: Tunnel,
    login: Who,
  ): Promise<void> {
    const names = namesOf(tunnel)
    const device = await connectTo(tunnel)
    // The browser has left meanwhile: nobody else would close it.
    if (socket.destroyed) return void device.destroy()
    const end = () => {
      tunnel.uses.delete(use)
      socket.destroy()
      device.destroy()
    }
    const use = { close: end }
    tunnel.uses.set(use, login)
    const upstream = httpRequest({
      createConnection: () => device as never,
      path: request.url,
      headers: { ...toDevice(request.headers, names), connection: 'Upgrade', upgrade: 'websocket' },
      setHost: false,
    })
    const late = setTimeout(() => upstream.destroy(new Error('late')), answerMs)
    for (const side of [socket, device]) side.on('error', end).on('close', end)
    upstream.on('close', () => clearTimeout(late)).on('error', () => refuse(socket, '502 Bad Gateway'))
    // If it does not upgrade, its response is not passed to the page.
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
    // A page of another origin cannot set this header, but its WebSocket would send our cookie.
    const isOwn = request.headers.origin === own && request.headers.upgrade?.toLowerCase() === 'websocket'
    const login = tunnel && isOwn ? await loginOf(request, tunnel.session.id) : null
    if (tunnel && login) return upgrade(request, socket, head, tunnel, login)
    refuse(socket, '403 Forbidden')
  }
  server.on('upgrade', (request, socket, head) => {
    upgraded.add(socket)
    // A browser that vanished without a word must not hold one of the session's connections.
    if (socket instanceof Socket) socket.setKeepAlive(true, KEEPALIVE_MS)
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
