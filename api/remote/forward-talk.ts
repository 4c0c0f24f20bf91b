/** One forwarded TCP connection: a WebSocket here, a channel of the tunnel there. */
import type { WebSocket } from 'ws'
import { joinForwarded } from '#infra/forwarded-stream'
import { closeCodes } from '#schema/remote/forward-frame'
import type { Who } from './ticket.ts'
import type { Tunnel, TunnelEnd } from './tunnels.ts'

export function forwardConnection(socket: WebSocket, tunnel: Tunnel, login: Who): void {
  const ended = (how: TunnelEnd) =>
    socket.close(how === 'ended' ? closeCodes.sessionEnded : closeCodes.interrupted)
  tunnel.once('close', ended)
  tunnel.uses.set(socket, login)
  // The WebSocket is not read before the channel exists.
  socket.pause()
  socket.on('error', () => socket.terminate())
  socket.on('close', () => {
    tunnel.off('close', ended)
    tunnel.uses.delete(socket)
  })
  tunnel.open().then(
    (channel) => {
      if (socket.readyState !== socket.OPEN) return void channel.destroy()
      // `end()` of a server's channel closes both directions; an empty write comes after everything before it.
      joinForwarded(socket, channel, () => channel.write(Buffer.alloc(0), () => channel.eof()))
      socket.resume()
    },
    () => {
      socket.resume()
      socket.close(closeCodes.unreachable)
    },
  )
}
