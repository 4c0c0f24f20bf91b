/**
 * The WebSockets of terminals and of forwarded connections: opened with a ticket, only from our own pages or by
 * programs, for tunnels held by this process.
 */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Context } from '#infra/context'
import { closeCodes, FORWARD_PATH, FORWARD_PROTOCOL } from '#schema/remote/forward-frame'
import type { RemoteKind } from '#schema/remote/remote-access'
import { TERMINAL_PATH, TERMINAL_PROTOCOL } from '#schema/remote/terminal-frame'
import type { Watcher } from './audience.ts'
import { forwardConnection } from './forward-talk.ts'
import { keepHeartbeat } from './heartbeat.ts'
import type { Recordings } from './recordings.ts'
import { lasts, watcherOf, whyEnded } from './still-allowed.ts'
import { converse, type Opener } from './terminal-talk.ts'
import type { Tickets } from './ticket.ts'
import type { Tunnel, TunnelEnd, Tunnels } from './tunnels.ts'

type Use = {
  readonly protocol: string
  readonly kind: RemoteKind
  readonly frameMax: number
  readonly talk: (socket: WebSocket, tunnel: Tunnel, opener: Opener, recordings: Recordings) => void
}
const uses: ReadonlyMap<string, Use> = new Map<string, Use>([
  // A paste of this size arrives; more is no person.
  [TERMINAL_PATH, { protocol: TERMINAL_PROTOCOL, kind: 'terminal', frameMax: 64 * 1024, talk: converse }],
  [
    FORWARD_PATH,
    {
      protocol: FORWARD_PROTOCOL,
      kind: 'forward',
      frameMax: 256 * 1024,
      talk: (socket, tunnel, { login }) => forwardConnection(socket, tunnel, login),
    },
  ],
])
const useOf = (url: string | undefined) => uses.get(url?.split('?')[0] ?? '')

export const isSessionPath = (url: string | undefined) => useOf(url) !== undefined

/** A page of another origin cannot set this header. Programs send none: the ticket alone authorizes them. */
function isOurs({ headers }: IncomingMessage, publicUrl: string): boolean {
  const { origin, host } = headers
  if (origin === undefined) return true
  return URL.canParse(origin) && [host, new URL(publicUrl).host].includes(new URL(origin).host)
}

const refuse = (socket: Duplex, status: string) =>
  socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`)

type Admitted = { tunnel: Tunnel; opener: Opener; watcher: Watcher | null }

/** Read-only: data from a watcher is ignored. */
function look(socket: WebSocket, tunnel: Tunnel, watcher: Watcher): void {
  const ended = (how: TunnelEnd) =>
    socket.close(how === 'ended' ? closeCodes.sessionEnded : closeCodes.interrupted)
  tunnel.once('close', ended)
  socket.on('error', () => socket.terminate())
  socket.on('close', () => tunnel.off('close', ended))
  tunnel.audience.join(socket, watcher)
}

export type Upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => void

export function sessionSockets(
  context: Context,
  tunnels: Tunnels,
  tickets: Tickets,
  recordings: Recordings,
): { upgrade: Upgrade; close(): void } {
  const servers = new Map(
    [...uses.values()].map((use) => [
      use,
      new WebSocketServer({
        noServer: true,
        maxPayload: use.frameMax,
        perMessageDeflate: false,
        handleProtocols: () => use.protocol,
      }),
    ]),
  )
  /** null without a reason, so that nothing can be probed. */
  async function admitted(request: IncomingMessage, use: Use): Promise<Admitted | null> {
    const named = (request.headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim())
    const [ticket] = named.filter((name) => name !== use.protocol)
    if (!isOurs(request, context.env.PUBLIC_URL) || !named.includes(use.protocol)) return null
    const given = ticket === undefined ? null : tickets.use(ticket, context.now().getTime())
    if (given === null) return null
    const tunnel = tunnels.get(given.sessionId)
    if (tunnel?.session.kind !== use.kind || (given.use === 'watch' && use.kind !== 'terminal')) return null
    if ((await whyEnded(context, tunnel.session)) !== null || !(await lasts(context, given))) return null
    const minutes = await context.parameters.get('remoteIdleMinutes', tunnel.session.customerId)
    const opener = { login: given, keepMs: minutes * 60_000 }
    if (given.use === 'own') return { tunnel, opener, watcher: null }
    const watcher = await watcherOf(context, given, tunnel.session)
    return watcher && { tunnel, opener, watcher }
  }
  const upgrade: Upgrade = (request, socket, head) => {
    const drop = () => socket.destroy()
    socket.on('error', drop)
    const use = useOf(request.url)
    const server = use && servers.get(use)
    if (!use || !server) return drop()
    admitted(request, use).then(
      (found) => {
        if (!found || found.tunnel.closed) return refuse(socket, '403 Forbidden')
        socket.off('error', drop)
        server.handleUpgrade(request, socket, head, (opened) => {
          keepHeartbeat(opened)
          if (found.watcher) look(opened, found.tunnel, found.watcher)
          else use.talk(opened, found.tunnel, found.opener, recordings)
        })
      },
      (error: unknown) => {
        context.log.error({ err: error }, 'a connection could not be checked')
        refuse(socket, '503 Service Unavailable')
      },
    )
  }
  return {
    upgrade,
    close: () => {
      for (const server of servers.values()) {
        for (const client of server.clients) client.terminate()
        server.close()
      }
    },
  }
}
