/** A port of this machine that leads through the platform and a device: each connection is a WebSocket of its own. */
import { createServer, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { joinForwarded } from '#infra/forwarded-stream'
import { closeCodes, FORWARD_PATH, FORWARD_PROTOCOL } from '#schema/remote/forward-frame'
import { getRemote, getRemoteTicket } from '#schema/remote/remote-session'
import { ask, askWithRetry, platformUrl } from './client.ts'
import { usage } from './exit.ts'
import { note } from './print.ts'

const HANDSHAKE_MS = 15_000
/** How long a connection waits while the platform restarts, or the device reopens its tunnel. */
const AWAY_MS = 30_000
const AGAIN_MS = 300

export type LocalPort = { port: number; lead(sessionId: string): void; close(): void }

async function openSocket(sessionId: string, local: Socket): Promise<WebSocket> {
  const { ticket } = await ask(getRemoteTicket, { sessionId })
  const socket = new WebSocket(
    platformUrl().replace(/^http/, 'ws') + FORWARD_PATH,
    [FORWARD_PROTOCOL, ticket],
    { perMessageDeflate: false, handshakeTimeout: HANDSHAKE_MS },
  )
  const leave = () => socket.terminate()
  local.once('close', leave)
  try {
    await new Promise<void>((done, fail) => {
      const opened = () => {
        // The device's first data may have arrived with the handshake: it is buffered until a listener is attached.
        socket.pause()
        done()
      }
      socket.once('open', opened).once('error', fail)
    })
  } catch (error) {
    // It is tried again, for as long as the tunnel is away.
    local.off('close', leave)
    throw error
  }
  return socket
}

/** As long as the session is open, a tunnel that is away is waited for. @throws what the last attempt said */
async function reach(sessionId: string, local: Socket): Promise<WebSocket> {
  const until = Date.now() + AWAY_MS
  for (;;) {
    try {
      return await openSocket(sessionId, local)
    } catch (error) {
      const { endedAt } = await askWithRetry(getRemote, { sessionId }, until)
      if (endedAt !== null || local.destroyed || Date.now() > until) throw error
      await sleep(AGAIN_MS)
    }
  }
}

async function connect(sessionId: string, local: Socket): Promise<void> {
  const socket = await reach(sessionId, local)
  socket.on('close', (code) => {
    if (code === closeCodes.unreachable)
      note('a connection was refused: nothing listens there, or too many are open')
    // The program here hears what happened there: its connection is reset.
    if (code === closeCodes.unreachable || code === closeCodes.broken) local.resetAndDestroy()
  })
  joinForwarded(socket, local)
  socket.resume()
  local.resume()
}

/** Listens on this machine only; nothing is read before `lead` says where to. @throws Exit 2 if the port is taken */
export async function openLocalPort(port: number): Promise<LocalPort> {
  const open = new Set<Socket>()
  let lead: (sessionId: string) => void = () => undefined
  const session = new Promise<string>((done) => {
    lead = done
  })
  const server: Server = createServer(
    { allowHalfOpen: true, pauseOnConnect: true, noDelay: true },
    (local) => {
      open.add(local)
      local.on('error', () => local.destroy()).on('close', () => open.delete(local))
      session
        .then((sessionId) => connect(sessionId, local))
        .catch((error: unknown) => {
          note(`a connection failed: ${(error as Error).message}`)
          local.resetAndDestroy()
        })
    },
  )
  await new Promise<void>((done, fail) => {
    server.once('error', fail)
    server.listen(port, '127.0.0.1', done)
  }).catch((error: NodeJS.ErrnoException) => usage(`port ${port} cannot be opened here (${error.code})`))
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : port,
    lead,
    close: () => {
      server.close()
      for (const local of open) local.destroy()
    },
  }
}
