/**
 * Copies files from the object store to a folder, as a backup. Files that are already there are not read again. Can be
 * stopped at any point and run again.
 */
import { openDisk } from '#infra/files/disk'
import type { FileStore } from '#infra/files/store'
import { copyFile } from './copy-file.ts'

export type Saved = { saved: number; there: number; gone: number; removed: number; bytes: number }

/** The store has no file, the folder has: it is an empty store, or another one, of which this is no backup. */
export class NothingToSave extends Error {}

/**
 * @param prunes removes files from the folder that the store no longer has
 * @throws the store's error; everything before it is saved. NothingToSave instead of removing all
 */
export async function saveFiles(from: FileStore, dir: string, prunes: boolean): Promise<Saved> {
  const to = openDisk(dir)
  const keys = await from.keys()
  const done: Saved = { saved: 0, there: 0, gone: 0, removed: 0, bytes: 0 }
  for (const key of keys) {
    const size = await from.size(key)
    if (size === null) {
      done.gone++
      continue
    }
    const own = await to.size(key)
    // A file never changes under its key, except that a recording grows.
    if (own === size) {
      done.there++
      continue
    }
    // The copy replaces a shorter one only when it is complete.
    try {
      await copyFile(from, to, key, size)
    } catch (error) {
      // The platform goes on meanwhile: it deletes old backups and packages.
      if ((await from.size(key)) !== null) throw error
      done.gone++
      continue
    }
    done.saved++
    done.bytes += size
  }
  if (prunes) {
    const known = new Set(keys)
    const saved = await to.keys()
    if (known.size === 0 && saved.length > 0)
      throw new NothingToSave(
        `the store of FILES_URL has no files, and ${dir} has ${saved.length}: none was removed`,
      )
    for (const key of saved)
      if (!known.has(key)) {
        await to.remove(key)
        done.removed++
      }
  }
  return done
}
