import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { pack } from 'tar-stream'

/** A real .tar.gz with one file of `bytes` random bytes. */
export async function makeArchive(bytes: number): Promise<Buffer> {
  const tar = pack()
  tar.entry({ name: 'firmware.bin' }, randomBytes(bytes))
  tar.finalize()
  const chunks: Buffer[] = []
  for await (const chunk of tar) chunks.push(chunk as Buffer)
  return gzipSync(Buffer.concat(chunks), { level: 1 })
}
