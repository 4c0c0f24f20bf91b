import type { WebSocket } from 'ws'

/** A peer that has not answered a ping until the next one is disconnected. */
const PING_MS = 15_000

/**
 * Disconnects peers that vanished, and those that send a frame so slowly that no pong fits in: nothing may be sent
 * within a frame [RFC 6455 §5.4].
 */
export function keepHeartbeat(socket: WebSocket, pingMs = PING_MS): void {
  let heard = true
  socket.on('pong', () => {
    heard = true
  })
  const timer = setInterval(() => {
    if (!heard) return socket.terminate()
    heard = false
    socket.ping()
  }, pingMs)
  socket.on('close', () => clearInterval(timer))
}
