/** Files in a folder: the store that needs nothing else. Several rooms share it if they share the folder. */
import { randomUUID } from 'node:crypto'
import { createWriteStream, readdirSync, rmSync, statSync } from 'node:fs'
import { open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { limitConcurrency, type Turns } from '../concurrency-limit.ts'
import { makeFolder } from '../make-folder.ts'
import { checkKey, type FileStore, isKey, type NewFile, PART_MAX_MS } from './store.ts'

function removeLeftovers(dir: string): void {
  const oldest = Date.now() - PART_MAX_MS
  for (const name of readdirSync(dir)) {
    const found = name.endsWith('.part') ? statSync(join(dir, name), { throwIfNoEntry: false }) : undefined
    if (found && found.mtimeMs < oldest) rmSync(join(dir, name), { force: true })
  }
}

const CHUNK_BYTES = 65_536
/**
 * Maximum chunks read at the same time in this process. Without a limit 400 devices that start together fill every
 * turn of the event loop with 400 chunks, and each step of all other calls waits for such a turn. A slow reader
 * occupies none.
 */
const READS_AT_ONCE = 8

async function* pieces(path: string, turns: Turns, { start, end }: { start: number; end: number }) {
  const file = await turns(() => open(path, 'r'))
  try {
    for (let at = start; at <= end; ) {
      const wanted = Math.min(CHUNK_BYTES, end - at + 1)
      const { bytesRead, buffer } = await turns(() =>
        file.read(Buffer.allocUnsafeSlow(wanted), 0, wanted, at),
      )
      if (bytesRead === 0) return
      at += bytesRead
      yield buffer.subarray(0, bytesRead)
    }
  } finally {
    await file.close()
  }
}

/** Opens the store under `dir`, creating it. Keys are UUIDs; any other key throws. */
export function openDisk(dir: string): FileStore {
  makeFolder(dir)
  removeLeftovers(dir)
  const turns = limitConcurrency(READS_AT_ONCE)
  const path = (key: string) => join(dir, checkKey(key))
  // fsync before rename.
  const create = (given?: string): NewFile => {
    const key = given ?? randomUUID()
    const temporary = `${path(key)}.part`
    // A file that is copied under its key may have been begun by a copy that was killed.
    const flags = given === undefined ? 'wx' : 'w'
    const stream = createWriteStream(temporary, { flags, mode: 0o600, flush: true })
    return {
      key,
      stream,
      keep: () => rename(temporary, path(key)),
      drop: async () => {
        stream.destroy()
        await rm(temporary, { force: true })
      },
    }
  }
  return {
    create,
    // A file that was renamed is written on.
    grow: () => create(),
    unfinished: async () => [],
    read: (key, range = { start: 0, end: Number.POSITIVE_INFINITY }) =>
      Readable.from(pieces(path(key), turns, range), { objectMode: false, highWaterMark: CHUNK_BYTES }),
    size: async (key) => {
      try {
        return (await stat(path(key))).size
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
        throw error
      }
    },
    keys: async () => (await readdir(dir)).filter(isKey).toSorted(),
    remove: (key) => rm(path(key), { force: true }),
    answers: async () => true,
    close: () => undefined,
  }
}
