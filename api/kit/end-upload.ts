/** The end of a raw upload, whatever became of it. */
import type { Readable } from 'node:stream'

/** [threats 27] No input without a login lives longer than 10 s; the answer is sent before. */
const LINGER_MS = 10_000

/**
 * Reads and forgets what a refused sender still sends: a connection closed under his hands would be reset, and
 * the answer lost with it; one that nobody reads would hang. Cut after 10 s.
 */
export function letGo(stream: Readable): void {
  if (stream.readableEnded || stream.destroyed) return
  const timer = setTimeout(() => stream.destroy(), LINGER_MS).unref()
  stream.once('close', () => clearTimeout(timer)).once('end', () => clearTimeout(timer))
  stream.on('error', () => undefined)
  // `resume` alone is undone by the async iterator that has just left the stream.
  stream.on('data', () => undefined)
}
