/** Small text files as a .tar.gz: what devices back up, and packages of the demonstration. */
import { gzipSync } from 'node:zlib'

/** A restored file may be binary. */
export type TextFile = { path: string; text: string | Buffer }

const PATH_BYTES = 100

/** One ustar header and its content, padded [POSIX.1-1988]. A path that has no room there is the content of an entry before it, as GNU and BusyBox write it. */
function entry({ path, text }: TextFile, atS: number): Buffer {
  const body = typeof text === 'string' ? Buffer.from(text) : text
  const whole = Buffer.from(path)
  const longer =
    whole.length > PATH_BYTES
      ? [block('././@LongLink', 'L', Buffer.concat([whole, Buffer.alloc(1)]), atS)]
      : []
  return Buffer.concat([...longer, block(path, '0', body, atS)])
}

function block(path: string, type: '0' | 'L', body: Buffer, atS: number): Buffer {
  const header = Buffer.alloc(512)
  const octal = (value: number, length: number) => `${value.toString(8).padStart(length - 1, '0')}\0`
  Buffer.from(path).copy(header, 0, 0, PATH_BYTES)
  header.write(octal(0o600, 8), 100)
  header.write(octal(0, 8) + octal(0, 8), 108)
  header.write(octal(body.length, 12) + octal(atS, 12), 124)
  header.write(' '.repeat(8), 148)
  header.write(type, 156)
  header.write('ustar\x0000', 257)
  header.write(
    `${header
      .reduce((sum, byte) => sum + byte, 0)
      .toString(8)
      .padStart(6, '0')}\0 `,
    148,
  )
  return Buffer.concat([header, body, Buffer.alloc((512 - (body.length % 512)) % 512)])
}

/** Dated `atMs`. */
export function packTarGz(files: readonly TextFile[], atMs: number): Buffer {
  const entries = files.map((file) => entry(file, Math.floor(atMs / 1000)))
  return gzipSync(Buffer.concat([...entries, Buffer.alloc(1024)]))
}
