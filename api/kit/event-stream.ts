/**
 * Server-sent events to one reader [WHATWG HTML §9.2]. Nothing is buffered for a slow reader: the writer holds its next
 * event back until there is room, and a reader that stays blocked for a while is disconnected.
 */
import { Readable } from 'node:stream'

/** Sockets are closed after 65 s of silence, and proxies are often stricter. */
const BEAT_MS = 15_000
const SLOW_MS = 20_000

export type EventStream = Readable & {
  /** False: the reader has not taken the last event yet; nothing was written. */
  tell(event: string, data: string): boolean
  /** Closes the stream after a last event. */
  finish(event: string, data: string): void
}

/** @param data JSON in one line, because a line break ends a field */
const frame = (event: string, data: string) => `event: ${event}\ndata: ${data}\n\n`

export function eventStream(slowMs = SLOW_MS): EventStream {
  let blockedSince: number | undefined
  const stream = new Readable({ read: () => undefined, highWaterMark: 1 }) as EventStream
  const hasRoom = () => {
    if (stream.destroyed || stream.readableEnded) return false
    if (stream.readableLength === 0) {
      blockedSince = undefined
      return true
    }
    blockedSince ??= performance.now()
    if (performance.now() - blockedSince > slowMs) stream.destroy()
    return false
  }
  stream.tell = (event, data) => {
    if (!hasRoom()) return false
    stream.push(frame(event, data))
    return true
  }
  stream.finish = (event, data) => {
    if (!hasRoom()) return void stream.destroy()
    stream.push(frame(event, data))
    stream.push(null)
  }
  const beat = setInterval(() => hasRoom() && stream.push(': \n\n'), BEAT_MS)
  beat.unref()
  stream.once('close', () => clearInterval(beat))
  return stream
}
