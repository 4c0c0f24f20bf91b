import { once } from 'node:events'
import { type Readable, Transform } from 'node:stream'

/** A device on a mobile link; less than a call may last. */
const BEGIN_MS = 30_000

/** Passes data through, and fails after more than `most` bytes. Ends with its reader. */
export function upTo(stream: Readable, most: number): Readable {
  let taken = 0
  const out = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      taken += chunk.length
      if (taken > most) done(new Error('more than one transfer may have'))
      else done(null, chunk)
    },
  })
  stream.on('error', (error) => out.destroy(error))
  out.on('close', () => stream.destroy())
  return stream.pipe(out)
}

/** Waits for its first bytes, or its end: what the device says instead of them can still be answered. @throws it */
export async function begun(stream: Readable, withinMs = BEGIN_MS): Promise<Readable> {
  const late = AbortSignal.timeout(withinMs)
  try {
    await once(stream, 'readable', { signal: late })
    return stream
  } catch (error) {
    stream.destroy()
    throw late.aborted ? new Error('no answer') : error
  }
}
