/**
 * Reads the headers of a tar stream; contents are skipped, or passed on in pieces. Our own code, because tar-stream
 * hides pax global headers, and because programs disagree about ambiguous archives: every name that the devices' tar
 * (GNU, busybox, libarchive) might use is reported, and what they read differently is refused. Formats: POSIX ustar
 * and pax, GNU.
 */
import type { UnsafeReason } from '#schema/task/archive'

export type ArchiveFault = UnsafeReason | 'notTarGz' | 'truncated'

/** Why an archive is refused. */
export class ArchiveError extends Error {
  readonly fault: ArchiveFault
  constructor(fault: ArchiveFault) {
    super(fault)
    this.fault = fault
  }
}

export type TarEntry = {
  kind: 'file' | 'directory' | 'symlink' | 'hardlink'
  /** Every name that some program may use for it. */
  names: string[]
  /** Every target that some program may use, for a link. */
  targets: string[]
}

const BLOCK = 512
/** Extended headers contain one name each; real ones are far smaller. */
const EXTENDED_MAX = 64 * 1024
const kinds: Record<string, TarEntry['kind']> = {
  '\0': 'file',
  '0': 'file',
  '1': 'hardlink',
  '2': 'symlink',
  '5': 'directory',
  '7': 'file',
}

function text(block: Buffer, from: number, length: number): string {
  const field = block.subarray(from, from + length)
  const end = field.indexOf(0)
  return field.toString('utf8', 0, end < 0 ? length : end)
}

function readSize(block: Buffer): number {
  const field = block.subarray(124, 136)
  if ((field[0] ?? 0) & 0x80) {
    // Base 256, big endian. A size above 2^48 (or negative) is invalid.
    if (field[0] !== 0x80 || field.subarray(1, 6).some((byte) => byte !== 0))
      throw new ArchiveError('notTarGz')
    return field.readUIntBE(6, 6)
  }
  const octal = /^([0-7]*)[ \0]*$/.exec(field.toString('latin1').replace(/^ +/, ''))
  if (!octal) throw new ArchiveError('notTarGz')
  return octal[1] ? Number.parseInt(octal[1], 8) : 0
}

/** The checksum distinguishes a tar header from other data. */
function isHeader(block: Buffer): boolean {
  let sum = 8 * 32
  for (let i = 0; i < BLOCK; i++) if (i < 148 || i >= 156) sum += block[i] ?? 0
  return Number.parseInt(text(block, 148, 8).trim(), 8) === sum
}

/** Records of `length key=value\n`. */
function readPax(body: Buffer): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (let at = 0; at < body.length && body[at] !== 0; ) {
    const space = body.indexOf(0x20, at)
    const length = space < 0 ? 0 : Number(body.toString('latin1', at, space))
    if (!Number.isInteger(length) || length < 5 || at + length > body.length)
      throw new ArchiveError('notTarGz')
    const record = body.toString('utf8', space + 1, at + length - 1)
    const equals = record.indexOf('=')
    if (equals < 1 || body[at + length - 1] !== 0x0a) throw new ArchiveError('notTarGz')
    const key = record.slice(0, equals)
    found.set(key, [...(found.get(key) ?? []), record.slice(equals + 1)])
    at += length
  }
  return found
}

/** Extended headers that apply to the next entry. */
type Extended = { names: string[]; targets: string[] }

function extend(type: string, body: Buffer, into: Extended): void {
  if (type === 'L') into.names.push(text(body, 0, body.length))
  else if (type === 'K') into.targets.push(text(body, 0, body.length))
  else {
    const pax = readPax(body)
    const names = pax.get('path') ?? []
    const targets = pax.get('linkpath') ?? []
    // Sizes and sparse maps that only some programs obey make an archive ambiguous.
    if ([...pax.keys()].some((key) => key === 'size' || key.startsWith('GNU.sparse')))
      throw new ArchiveError('special')
    // A global name would apply to all entries: no program writes that in good faith.
    if (type === 'g' && names.length + targets.length > 0) throw new ArchiveError('path')
    into.names.push(...names)
    into.targets.push(...targets)
  }
}

function readEntry(block: Buffer, type: string, extended: Extended): TarEntry {
  const kind = kinds[type]
  if (!kind) throw new ArchiveError('special')
  const prefix = text(block, 345, 155)
  const name = text(block, 0, 100)
  // In other formats than POSIX there are times where the prefix would be; busybox takes them for one.
  const isPosix = text(block, 257, 6) === 'ustar'
  const plain = prefix === '' ? [name] : [...(isPosix ? [] : [name]), `${prefix}/${name}`]
  return {
    kind: kind === 'file' && name.endsWith('/') ? 'directory' : kind,
    names: [...plain, ...extended.names],
    targets: [text(block, 157, 100), ...extended.targets],
  }
}

/**
 * `onEntry` is called for each entry and may throw, `onContent` for each piece of a file's content after it. Buffers
 * one block and at most 64 KiB of an extended header. @throws ArchiveError from `write` and `end`; `end` also if the
 * archive stops inside an entry or is empty
 */
export function openTarWalk(
  onEntry: (entry: TarEntry) => void,
  onContent: (chunk: Buffer) => void = () => undefined,
) {
  const block = Buffer.alloc(BLOCK)
  let filled = 0
  let skip = 0
  /** The part of `skip` that is content instead of padding. */
  let left = 0
  let entries = 0
  let collecting: { type: string; body: Buffer; at: number } | null = null
  let extended: Extended = { names: [], targets: [] }

  const header = () => {
    if (block.every((byte) => byte === 0)) return
    if (!isHeader(block)) throw new ArchiveError('notTarGz')
    // Busybox takes a header without a name for an empty one, and what follows it for the next header.
    if (block[0] === 0) throw new ArchiveError('name')
    const type = String.fromCharCode(block[156] ?? 0)
    const size = readSize(block)
    skip = Math.ceil(size / BLOCK) * BLOCK
    if ('LKxg'.includes(type)) {
      if (size > EXTENDED_MAX) throw new ArchiveError('name')
      collecting = { type, body: Buffer.alloc(size), at: 0 }
      return
    }
    const entry = readEntry(block, type, extended)
    // Links and folders have no content; a program that believes the size would continue at another position.
    if (entry.kind !== 'file' && size > 0) throw new ArchiveError('special')
    extended = { names: [], targets: [] }
    entries++
    left = size
    onEntry(entry)
  }
  const content = (chunk: Buffer, at: number): number => {
    const taken = Math.min(skip, chunk.length - at)
    if (collecting) collecting.at += chunk.copy(collecting.body, collecting.at, at, at + taken)
    else if (left > 0) {
      const piece = Math.min(left, taken)
      left -= piece
      onContent(chunk.subarray(at, at + piece))
    }
    skip -= taken
    if (skip === 0 && collecting) {
      extend(collecting.type, collecting.body, extended)
      collecting = null
    }
    return taken
  }
  return {
    entries: () => entries,
    write(chunk: Buffer): void {
      for (let at = 0; at < chunk.length; ) {
        if (skip > 0) {
          at += content(chunk, at)
          continue
        }
        const taken = chunk.copy(block, filled, at, Math.min(chunk.length, at + BLOCK - filled))
        filled += taken
        at += taken
        if (filled < BLOCK) continue
        filled = 0
        header()
      }
    },
    end(): void {
      if (entries === 0 && skip === 0) throw new ArchiveError('notTarGz')
      if (skip > 0 || filled > 0 || collecting) throw new ArchiveError('truncated')
    },
  }
}
