/** How a raw upload ends, in any case. */
import type { Readable } from 'node:stream'

/** [threats 27] No input without a login lasts longer than 10 s; the response is sent before. */
const DISCARD_MS = 10_000

/**
 * Reads and discards the rest of a refused upload: closing the connection while the client is still sending would
 * reset it and lose the response; not reading would block it. Closed after 10 s.
 */
export function discardRest(stream: Readable): void {
  if (stream.readableEnded || stream.destroyed) return
  const timer = setTimeout(() => stream.destroy(), DISCARD_MS).unref()
  stream.once('close', () => clearTimeout(timer)).once('end', () => clearTimeout(timer))
  stream.on('error', () => undefined)
  // `resume` alone is undone by the async iterator that has just left the stream.
  stream.on('data', () => undefined)
}
