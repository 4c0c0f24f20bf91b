/** One TCP connection over a WebSocket, the same at both of its ends: back-pressure both ways, half close, abort. */
import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import { closeCodes, FORWARD_END } from '#schema/remote/forward-frame'

/** Number of bytes waiting for the network at which reading the stream is paused. */
const UNSENT_MAX = 256 * 1024

/**
 * Passes bytes in both directions until both sides have ended; if one is destroyed, so is the other.
 * @param halfClose ends the writing side of the stream only; default: `end()`
 */
export function joinForwarded(
  socket: WebSocket,
  stream: Duplex,
  halfClose: () => void = () => stream.end(),
): void {
  const ended = { here: false, there: false }
  const closeWhenDone = () => {
    if (ended.here && ended.there) socket.close(closeCodes.done)
  }
  stream.on('data', (chunk: Buffer) => {
    socket.send(chunk, { binary: true }, () => {
      if (stream.isPaused() && socket.bufferedAmount < UNSENT_MAX / 2) stream.resume()
    })
    if (socket.bufferedAmount > UNSENT_MAX) stream.pause()
  })
  stream.on('end', () => {
    ended.here = true
    socket.send(FORWARD_END)
    closeWhenDone()
  })
  stream.on('drain', () => socket.resume())
  stream.on('error', () => stream.destroy())
  stream.on('close', () => {
    // Unread data is dropped: a paused WebSocket would not notice that the other side closes.
    socket.resume()
    socket.close(ended.here ? closeCodes.done : closeCodes.broken)
  })
  socket.on('message', (data: Buffer, isBinary: boolean) => {
    if (isBinary) {
      if (!stream.destroyed && !stream.write(data)) socket.pause()
    } else if (String(data) === FORWARD_END && !ended.there) {
      ended.there = true
      halfClose()
      closeWhenDone()
    } else socket.close(closeCodes.malformed)
  })
  socket.on('error', () => socket.terminate())
  socket.on('close', (code) => {
    if (code !== closeCodes.done) return stream.destroy()
    // Data that has already arrived is written first.
    stream.end(() => stream.destroy())
  })
}
