/**
 * Checks a .tar.gz while it is streamed, in bounded memory: refuses what a device must never unpack [threats 31, 32].
 */
import { createGunzip } from 'node:zlib'
import { PACKAGE_MAX_ENTRIES, PACKAGE_MAX_RATIO, PACKAGE_MAX_UNPACKED_BYTES } from '#schema/task/package'
import { ArchiveError, openTarWalk, type TarEntry } from './tar-walk.ts'

export type ArchiveLimits = {
  unpackedBytes: number
  ratio: number
  entries: number
  /** The folder below which everything is, without any link; absent: anywhere below the root. */
  under?: string
}
const limits: ArchiveLimits = {
  unpackedBytes: PACKAGE_MAX_UNPACKED_BYTES,
  ratio: PACKAGE_MAX_RATIO,
  entries: PACKAGE_MAX_ENTRIES,
}
/** Small archives of zeros are harmless and compress far better than any limit on the ratio allows. */
const RATIO_FREE_BYTES = 16 * 1024 * 1024
const NAME_MAX = 1024
/** Links are remembered, so that nothing is written through one; a firmware has hundreds, not a million. */
const LINKS_MAX = 20_000

const unsafeText = /[\p{Cc}\p{Cs}\\]/u

/** The path below the root, without `.` and empty segments. @throws ArchiveError when it leaves the root. */
function inside(name: string): string[] {
  if (name.length > NAME_MAX || unsafeText.test(name)) throw new ArchiveError('name')
  if (name.startsWith('/')) throw new ArchiveError('path')
  const parts = name.split('/').filter((part) => part !== '' && part !== '.')
  if (parts.includes('..')) throw new ArchiveError('path')
  return parts
}

/**
 * A link may climb only with leading `..`, no higher than the root. After a name, `..` could leave the tree through
 * another link although the text looks harmless.
 */
function checkTarget(target: string, depth: number): void {
  if (target.length > NAME_MAX || unsafeText.test(target)) throw new ArchiveError('name')
  const parts = target.split('/').filter((part) => part !== '' && part !== '.')
  const climbs = parts.findIndex((part) => part !== '..')
  const up = climbs < 0 ? parts.length : climbs
  if (target.startsWith('/') || target === '' || up > depth || parts.slice(up).includes('..'))
    throw new ArchiveError('link')
}

/** Checks one entry after the other. */
function openEntryCheck(most: ArchiveLimits) {
  const links = new Set<string>()
  let entries = 0
  let files = 0
  const checkPlace = ({ kind }: TarEntry, parts: readonly string[]) => {
    if (most.under === undefined) return
    if (kind === 'symlink' || kind === 'hardlink') throw new ArchiveError('anyLink')
    // The folder itself and the root (`./`) may be listed as folders.
    if (kind === 'directory' && parts.length === 0) return
    if (parts[0] !== most.under || (kind === 'file' && parts.length === 1)) throw new ArchiveError('outside')
  }
  const throughLink = (parts: string[], isLink: boolean) => {
    for (let i = 1; links.size > 0 && i <= parts.length; i++) {
      // A link may be replaced by a link, but no path may go through it, nor into its target.
      if (links.has(parts.slice(0, i).join('/')) && (i < parts.length || !isLink))
        throw new ArchiveError('throughLink')
    }
  }
  const check = (entry: TarEntry): void => {
    const { kind, names, targets } = entry
    if (++entries > most.entries) throw new ArchiveError('entries')
    if (kind === 'file') files++
    for (const name of names) {
      const parts = inside(name)
      checkPlace(entry, parts)
      throughLink(parts, kind === 'symlink')
      if (kind !== 'symlink') continue
      for (const target of targets) checkTarget(target, parts.length - 1)
      if (links.size >= LINKS_MAX) throw new ArchiveError('entries')
      links.add(parts.join('/'))
    }
    if (kind === 'hardlink') for (const target of targets) throughLink(inside(target), false)
  }
  const end = () => {
    if (most.under !== undefined && files === 0) throw new ArchiveError('noFile')
  }
  return { check, end }
}

export type ArchiveCheck = {
  /** Resolves when the chunk is checked. @throws ArchiveError */
  write(chunk: Buffer): Promise<void>
  /** After the last chunk. @throws ArchiveError, also when the archive stops short or is empty */
  end(): Promise<void>
  destroy(): void
}

/** Gunzip and tar behind one back-pressured `write`. */
export function openArchiveCheck(most: ArchiveLimits = limits): ArchiveCheck {
  const gunzip = createGunzip()
  const entryCheck = openEntryCheck(most)
  const tar = openTarWalk(entryCheck.check)
  let packed = 0
  let unpacked = 0
  const ended = Promise.withResolvers<void>()
  // Errors reach `write` and `end`; this only prevents an unhandled rejection.
  ended.promise.catch(() => undefined)

  const attempt = (step: () => void) => {
    try {
      step()
    } catch (error) {
      ended.reject(error)
      gunzip.destroy()
    }
  }
  gunzip.on('error', (error: NodeJS.ErrnoException) =>
    ended.reject(new ArchiveError(error.code === 'Z_BUF_ERROR' && packed > 0 ? 'truncated' : 'notTarGz')),
  )
  gunzip.on('data', (chunk: Buffer) =>
    attempt(() => {
      unpacked += chunk.length
      const bomb = unpacked > RATIO_FREE_BYTES && unpacked > packed * most.ratio
      if (bomb || unpacked > most.unpackedBytes) throw new ArchiveError('size')
      tar.write(chunk)
    }),
  )
  gunzip.on('end', () =>
    attempt(() => {
      tar.end()
      entryCheck.end()
      ended.resolve()
    }),
  )
  return {
    write: (chunk) => {
      packed += chunk.length
      return Promise.race([ended.promise, new Promise<void>((done) => gunzip.write(chunk, () => done()))])
    },
    end: () => {
      gunzip.end()
      return ended.promise
    },
    destroy: () => gunzip.destroy(),
  }
}
