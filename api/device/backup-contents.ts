/** The files of a backup, streamed in bounded memory; only small text files are kept for display. */
import { createHash, type Hash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import {
  BACKUP_MAX_ENTRIES,
  BACKUP_MAX_UNPACKED_BYTES,
  COMPARED_FILE_BYTES,
  COMPARED_FILES_MAX,
  COMPARED_TOTAL_BYTES,
} from '#schema/device/backup'
import type { ArchiveLimits } from '../task/archive-check.ts'
import { openTarWalk } from '../task/tar-walk.ts'

export const backupLimits: ArchiveLimits = {
  unpackedBytes: BACKUP_MAX_UNPACKED_BYTES,
  ratio: 200,
  entries: BACKUP_MAX_ENTRIES,
}

export type BackupFile = { path: string; sizeBytes: number; sha256: string; text: string | null }
type Open = { path: string; hash: Hash; sizeBytes: number; kept: Buffer[] | null }

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Text, or null if it is none: not UTF-8, or with control characters other than tab and line ends. */
function asText(bytes: Buffer): string | null {
  try {
    const text = utf8.decode(bytes)
    return /[^\P{Cc}\t\r\n]/u.test(text) ? null : text
  } catch {
    return null
  }
}

/**
 * Reads a stored backup, which was checked when it was uploaded. @throws ArchiveError if the file was damaged since.
 */
export async function readBackup(stream: Readable): Promise<{ files: BackupFile[]; complete: boolean }> {
  const files: BackupFile[] = []
  let complete = true
  let total = 0
  let unpacked = 0
  let open: Open | null = null
  const close = () => {
    if (!open) return
    const { path, hash, sizeBytes, kept } = open
    const text = kept && asText(Buffer.concat(kept))
    if (text !== null) total += sizeBytes
    files.push({ path, sizeBytes, sha256: hash.digest('hex'), text })
    open = null
  }
  const tar = openTarWalk(
    (entry) => {
      close()
      if (entry.kind !== 'file') return
      if (files.length >= COMPARED_FILES_MAX) {
        complete = false
        return
      }
      const path = (entry.names.at(-1) ?? '').replace(/^\.\//, '')
      open = { path, hash: createHash('sha256'), sizeBytes: 0, kept: [] }
    },
    (chunk) => {
      if (!open) return
      open.hash.update(chunk)
      open.sizeBytes += chunk.length
      if (open.sizeBytes > COMPARED_FILE_BYTES || total + open.sizeBytes > COMPARED_TOTAL_BYTES)
        open.kept = null
      // Copied, because a small file must not keep the whole buffer in memory.
      else open.kept?.push(Buffer.from(chunk))
    },
  )
  const gunzip = stream.pipe(createGunzip())
  stream.on('error', (error) => gunzip.destroy(error))
  try {
    for await (const chunk of gunzip as AsyncIterable<Buffer>) {
      unpacked += chunk.length
      if (unpacked > BACKUP_MAX_UNPACKED_BYTES) throw new Error('a kept backup unpacks to more than it may')
      tar.write(chunk)
    }
  } finally {
    // A pipe whose reader fails leaves its source open.
    stream.destroy()
  }
  close()
  return { files: files.toSorted((a, b) => (a.path < b.path ? -1 : 1)), complete }
}
