/** The WebSocket of a terminal: opened with a ticket, from our own pages only, for the tunnel that this process holds. */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Context } from '#infra/context'
import { TERMINAL_PATH, TERMINAL_PROTOCOL } from '#schema/remote/terminal-frame'
import type { Recordings } from './recordings.ts'
import { isStillAllowed } from './still-allowed.ts'
import { converse } from './terminal-talk.ts'
import type { Tickets } from './ticket.ts'
import type { Tunnel, Tunnels } from './tunnels.ts'

/** A paste of this size arrives; more is no person. */
const FRAME_MAX = 64 * 1024
/** A browser that does not answer is gone. */
const PING_MS = 15_000

export const isTerminalPath = (url: string | undefined) => url?.split('?')[0] === TERMINAL_PATH

/** A page of another origin cannot choose this header. Programs send none: the ticket is what opens. */
function isOurs({ headers }: IncomingMessage, publicUrl: string): boolean {
  const { origin, host } = headers
  if (origin === undefined) return true
  return URL.canParse(origin) && [host, new URL(publicUrl).host].includes(new URL(origin).host)
}

const refuse = (socket: Duplex, status: string) =>
  socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`)

function watch(socket: WebSocket): void {
  let heard = true
  socket.on('pong', () => {
    heard = true
  })
  const timer = setInterval(() => {
    if (!heard) return socket.terminate()
    heard = false
    socket.ping()
  }, PING_MS)
  socket.on('close', () => clearInterval(timer))
}

export type Upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => void

export function terminalSockets(
  context: Context,
  tunnels: Tunnels,
  tickets: Tickets,
  recordings: Recordings,
): { upgrade: Upgrade; close(): void } {
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: FRAME_MAX,
    perMessageDeflate: false,
    handleProtocols: () => TERMINAL_PROTOCOL,
  })
  /** null: nothing is said about why, so that nothing can be probed. */
  async function admitted(request: IncomingMessage): Promise<Tunnel | null> {
    const named = (request.headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim())
    const [ticket] = named.filter((name) => name !== TERMINAL_PROTOCOL)
    if (!isOurs(request, context.env.PUBLIC_URL) || !named.includes(TERMINAL_PROTOCOL)) return null
    const id = ticket === undefined ? null : tickets.use(ticket, context.now().getTime())
    const tunnel = id === null ? undefined : tunnels.get(id)
    if (tunnel?.session.kind !== 'terminal') return null
    return (await isStillAllowed(context, tunnel.session)) ? tunnel : null
  }
  const upgrade: Upgrade = (request, socket, head) => {
    const drop = () => socket.destroy()
    socket.on('error', drop)
    admitted(request).then(
      (tunnel) => {
        if (!tunnel || tunnel.closed) return refuse(socket, '403 Forbidden')
        socket.off('error', drop)
        server.handleUpgrade(request, socket, head, (opened) => {
          watch(opened)
          converse(opened, tunnel, recordings)
        })
      },
      (error: unknown) => {
        context.log.error({ err: error }, 'a terminal could not be checked')
        refuse(socket, '503 Service Unavailable')
      },
    )
  }
  return {
    upgrade,
    close: () => {
      for (const client of server.clients) client.terminate()
      server.close()
    },
  }
}
