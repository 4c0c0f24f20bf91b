/**
 * ssh2 writes to its connection without waiting, so a peer that stops reading would fill our memory: with data, if it
 * announces a large window, and with replies to whatever it asks for.
 */
import type { Duplex, Writable } from 'node:stream'

/** Unsent bytes with which a peer may still send us packets; data waits for the connection long before. */
export const UNSENT_MAX = 4 * 1024 * 1024

/** Calls `drop` once the peer keeps sending packets, which we reply to, and does not read the replies. */
export function boundReplies(line: Duplex, drop: () => void): void {
  line.on('data', () => line.writableLength > UNSENT_MAX && drop())
}

/** Makes a channel wait for the connection that carries it, in addition to the window of the peer. */
export function awaitLine(channel: Writable, line: Writable): void {
  const write = channel._write.bind(channel)
  channel._write = (chunk, encoding, done) => {
    if (!line.writableNeedDrain) return write(chunk, encoding, done)
    const leave = () => {
      line.off('drain', drained)
      line.off('close', closed)
      channel.off('close', leave)
    }
    const closed = () => {
      leave()
      write(chunk, encoding, done)
    }
    // Of several channels the first one may fill the line again.
    const drained = () => line.writableNeedDrain || closed()
    line.on('drain', drained)
    line.on('close', closed)
    channel.on('close', leave)
  }
}

/** True once there were more than `most` within `ms`. */
export function countAsks(most: number, ms: number): () => boolean {
  let since = performance.now()
  let asks = 0
  return () => {
    const now = performance.now()
    if (now - since > ms) {
      since = now
      asks = 0
    }
    return ++asks > most
  }
}

type Handlers = { GLOBAL_REQUEST?: (...given: unknown[]) => void }

/** Counts global requests, also those that ssh2 itself replies to. Private to ssh2; without it, only replies are bounded. */
export function countRequests(connection: object, isTooMuch: () => boolean, drop: () => void): void {
  const { _protocol: protocol } = connection as { _protocol?: { _handlers?: Handlers } }
  const handle = protocol?._handlers?.GLOBAL_REQUEST
  if (!protocol?._handlers || !handle) return
  protocol._handlers.GLOBAL_REQUEST = (...given) => (isTooMuch() ? drop() : handle(...given))
}
