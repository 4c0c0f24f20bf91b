import { type Readable, Transform } from 'node:stream'

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
