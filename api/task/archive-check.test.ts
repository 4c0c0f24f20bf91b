import { gzipSync } from 'node:zlib'
import { type Header, pack } from 'tar-stream'
import { describe, expect, it } from 'vitest'
import { type ArchiveLimits, openArchiveCheck } from './archive-check.ts'
import { ArchiveError } from './tar-walk.ts'

type Entry = Partial<Header> & { name: string } & { content?: string | Buffer }

async function tarOf(entries: Entry[]): Promise<Buffer> {
  const made = pack()
  for (const { content, ...header } of entries) made.entry(header, content ?? '')
  made.finalize()
  const chunks: Buffer[] = []
  for await (const chunk of made) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

const limits: ArchiveLimits = { unpackedBytes: 64 * 1024 * 1024, ratio: 200, entries: 1000 }

/** 'ok', or why the archive is refused; fed in pieces of `step` bytes. */
async function judge(bytes: Buffer, most = limits, step = 1000): Promise<string> {
  const check = openArchiveCheck(most)
  try {
    for (let i = 0; i < bytes.length; i += step) await check.write(bytes.subarray(i, i + step))
    await check.end()
    return 'ok'
  } catch (error) {
    if (error instanceof ArchiveError) return error.fault
    throw error
  } finally {
    check.destroy()
  }
}

const judgeEntries = async (...entries: Entry[]) => judge(gzipSync(await tarOf(entries)))
const file = (name: string, content = 'x'): Entry => ({ name, content })
const link = (name: string, linkname: string): Entry => ({ name, linkname, type: 'symlink' })

/** A hand-made tar header that tar-stream would never write. */
function rawHeader(
  name: string,
  typeflag: string,
  size: string | Buffer,
  { magic = 'ustar\x0000', prefix = '' } = {},
): Buffer {
  const header = Buffer.alloc(512)
  header.write(name, 0, 100)
  header.write('0000644\0', 100)
  header.write('0000000\0', 108)
  header.write('0000000\0', 116)
  if (typeof size === 'string') header.write(size, 124)
  else size.copy(header, 124)
  header.write('00000000000\0', 136)
  header.write('        ', 148)
  header.write(typeflag, 156)
  header.write(magic, 257)
  header.write(prefix, 345)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return header
}
const block = (text: string) => Buffer.concat([Buffer.from(text)], Math.ceil(text.length / 512) * 512)
const pax = (key: string, value: string) => {
  const record = ` ${key}=${value}\n`
  let length = record.length + 1
  while (`${length}${record}`.length !== length) length++
  return `${length}${record}`
}
const octal = (size: number) => `${size.toString(8).padStart(11, '0')}\0`
const end = Buffer.alloc(1024)

describe('a package archive', () => {
  it('of files, folders, inner links and long names is accepted', async () => {
    const long = `${'a/'.repeat(80)}file`
    expect(
      await judgeEntries(
        { name: 'lib/', type: 'directory' },
        file('lib/libfoo.so.1.0'),
        link('lib/libfoo.so', 'libfoo.so.1.0'),
        link('usr/lib/foo', '../../lib/libfoo.so'),
        { name: 'lib/hard', linkname: 'lib/libfoo.so.1.0', type: 'link' },
        file('./etc/version', '1.5.0'),
        file(long),
      ),
    ).toBe('ok')
  })

  it.each<[string, string, Entry[]]>([
    ['a path climbing out', 'path', [file('../etc/passwd')]],
    ['a path climbing out in the middle', 'path', [file('a/../../etc/passwd')]],
    ['an absolute path', 'path', [file('/etc/passwd')]],
    ['a long name climbing out', 'path', [file(`${'a/'.repeat(80)}../x`)]],
    ['a symbolic link to an absolute path', 'link', [link('etc', '/etc')]],
    ['a symbolic link out of the tree', 'link', [link('a/b', '../../etc')]],
    ['a link that climbs after a name', 'link', [link('a/up', '..'), link('b', 'a/up/..')]],
    ['a hard link out of the tree', 'path', [{ name: 'x', linkname: '../shadow', type: 'link' }]],
    ['a hard link to an absolute path', 'path', [{ name: 'x', linkname: '/etc/shadow', type: 'link' }]],
    ['a file written through a link', 'throughLink', [link('d', 'e'), file('d/x')]],
    ['a file replacing a link', 'throughLink', [link('d', 'e'), file('d')]],
    ['a character device', 'special', [{ name: 'null', type: 'character-device' }]],
    ['a block device', 'special', [{ name: 'sda', type: 'block-device' }]],
    ['a pipe', 'special', [{ name: 'pipe', type: 'fifo' }]],
    ['a name with a line break', 'name', [file('a\nb')]],
    ['a name with a backslash', 'name', [file('..\\..\\x')]],
    ['a name of 2,000 characters', 'name', [file('n'.repeat(2000))]],
  ])('with %s is refused', async (_what, fault, entries) => {
    expect(await judgeEntries(...entries)).toBe(fault)
  })

  it.each([
    ['GNU long name', 'L', '../../etc/passwd\0'],
    ['pax path', 'x', pax('path', '/etc/passwd')],
    ['global pax path', 'g', pax('path', '../x')],
  ])('whose %s leads out of the tree is refused', async (_what, typeflag, text) => {
    const tar = Buffer.concat([
      rawHeader('header', typeflag, octal(text.length)),
      block(text),
      rawHeader('harmless', '0', octal(0)),
      end,
    ])
    expect(await judge(gzipSync(tar))).toBe('path')
  })

  it.each([
    ['another size for its content', 'x', pax('size', '1000000')],
    ['a sparse map', 'x', pax('GNU.sparse.major', '1')],
  ])('with %s in its extended header is refused', async (_what, typeflag, text) => {
    const tar = Buffer.concat([
      rawHeader('header', typeflag, octal(text.length)),
      block(text),
      rawHeader('harmless', '0', octal(0)),
      end,
    ])
    expect(await judge(gzipSync(tar))).toBe('special')
  })

  it('whose harmless extended header hides a bad name in the plain one is refused', async () => {
    const text = pax('path', 'harmless')
    const tar = Buffer.concat([
      rawHeader('header', 'x', octal(text.length)),
      block(text),
      rawHeader('/etc/passwd', '0', octal(0)),
      end,
    ])
    expect(await judge(gzipSync(tar))).toBe('path')
  })

  it('whose prefix only some programs obey is judged with it and without it', async () => {
    for (const magic of ['ustar  \0', '\0\0\0\0\0\0\0\0']) {
      const judgeWith = (prefix: string, most = limits) =>
        judge(
          gzipSync(
            Buffer.concat([
              rawHeader('etc/config/', '5', octal(0), { magic }),
              rawHeader('etc/config/x', '0', octal(0), { magic, prefix }),
              end,
            ]),
          ),
          most,
        )
      expect(await judgeWith('')).toBe('ok')
      expect(await judgeWith('../..')).toBe('path')
      expect(await judgeWith('usr/bin', { ...limits, under: 'etc' })).toBe('outside')
    }
  })

  it('with an entry without a name, whose content some programs read as entries, is refused', async () => {
    const hidden = Buffer.concat([rawHeader('/etc/passwd', '0', octal(0)), end])
    const nameless = rawHeader('', '0', octal(hidden.length))
    expect(await judge(gzipSync(Buffer.concat([rawHeader('a', '0', octal(0)), nameless, hidden, end])))).toBe(
      'name',
    )
    const long = rawHeader('', 'L', octal(hidden.length))
    expect(await judge(gzipSync(Buffer.concat([long, hidden, rawHeader('a', '0', octal(0)), end])))).toBe(
      'name',
    )
  })

  it('with a global comment, as git writes it, is accepted', async () => {
    const text = pax('comment', 'c0ffee')
    const tar = Buffer.concat([
      rawHeader('pax_global_header', 'g', octal(text.length)),
      block(text),
      rawHeader('version', '0', octal(3)),
      block('1.0'),
      end,
    ])
    expect(await judge(gzipSync(tar))).toBe('ok')
  })

  it('whose extended header claims gigabytes is refused in bounded memory', async () => {
    const claim = rawHeader('header', 'x', octal(4_000_000_000))
    const tar = Buffer.concat([claim, Buffer.alloc(1024 * 1024)])
    expect(await judge(gzipSync(tar))).toBe('name')
  })

  it.each([
    ['negative', Buffer.from('ffffffffffffffffffffff00', 'hex')],
    ['absurd', Buffer.from('807fffffffffffffffffffff', 'hex')],
  ])('whose entry has a %s size is refused', async (_what, size) => {
    const tar = Buffer.concat([rawHeader('x', '0', size), Buffer.alloc(2048, 7), end])
    expect(await judge(gzipSync(tar))).toMatch(/truncated|notTarGz/)
  })

  it('that unpacks to too much is refused as a bomb without unpacking it all', async () => {
    const zeros = gzipSync(Buffer.alloc(32 * 1024 * 1024), { level: 9 })
    const header = gzipSync(rawHeader('zeros', '0', octal(2_147_483_648 - 512)))
    // 64 members of 32 MiB: 2 GiB in 2 MB.
    const bomb = Buffer.concat([header, ...Array.from({ length: 64 }, () => zeros)])
    const before = process.memoryUsage().rss
    expect(await judge(bomb, { ...limits, unpackedBytes: 4 * 1024 ** 3 }, 65_536)).toBe('size')
    expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 * 1024)
  })

  it('over the byte limit is refused although it hardly compresses', async () => {
    const noise = Buffer.from(Array.from({ length: 200_000 }, (_, i) => (i * 7919) % 251))
    const tar = await tarOf([{ name: 'noise', content: noise }])
    expect(await judge(gzipSync(tar), { ...limits, unpackedBytes: 100_000 })).toBe('size')
  })

  it('with 120,000 entries is refused at the limit', async () => {
    const one = rawHeader('f', '0', octal(0))
    const many = gzipSync(Buffer.concat([...Array.from({ length: 120_000 }, () => one), end]))
    expect(await judge(many, { ...limits, entries: 100_000, ratio: 100_000 })).toBe('entries')
  })

  it('cut in the gzip stream is refused as incomplete', async () => {
    const whole = gzipSync(await tarOf([file('a', 'x'.repeat(5000))]))
    expect(await judge(whole.subarray(0, whole.length - 20))).toBe('truncated')
  })

  it('cut in the tar stream is refused as incomplete', async () => {
    const tar = await tarOf([file('a', 'x'.repeat(5000))])
    expect(await judge(gzipSync(tar.subarray(0, 2000)))).toBe('truncated')
  })

  it.each([
    ['a picture', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')],
    ['a page', Buffer.from('<html><script>alert(1)</script></html>')],
    ['nothing', Buffer.alloc(0)],
    ['gzip of a text', gzipSync('just text '.repeat(200))],
    ['gzip of a short text', gzipSync('just text')],
    ['gzip of nothing', gzipSync('')],
    ['an empty tar', gzipSync(end)],
  ])('that is %s is no .tar.gz', async (_what, bytes) => {
    expect(await judge(bytes)).toBe('notTarGz')
  })
})
