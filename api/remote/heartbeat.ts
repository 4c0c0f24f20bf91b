import type { WebSocket } from 'ws'

/** A peer that has not answered a ping until the next one is disconnected. */
const PING_MS = 15_000

/**
 * Disconnects peers that vanished, and those that send a frame so slowly that no pong fits in: nothing may be sent
 * within a frame [RFC 6455 §5.4]. Whoever sends faster than the device takes it is not read meanwhile: their pong is
 * behind what they have sent, so whole frames count as well, and time in which nothing is read does not.
 */
export function keepHeartbeat(socket: WebSocket, pingMs = PING_MS): void {
  let heard = true
  const hear = () => {
    heard = true
  }
  socket.on('pong', hear).on('message', hear)
  const timer = setInterval(() => {
    if (socket.isPaused) return hear()
    if (!heard) return socket.terminate()
    heard = false
    socket.ping()
  }, pingMs)
  socket.on('close', () => clearInterval(timer))
}
