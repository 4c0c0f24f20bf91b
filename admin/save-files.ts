/**
 * Copies files from the object store to a folder, as a backup. Files that are already there are not read again. Can be
 * stopped at any point and run again.
 */
import { openDisk } from '#infra/files/disk'
import type { FileStore } from '#infra/files/store'
import { copyFile } from './copy-file.ts'

export type Saved = { saved: number; there: number; gone: number; removed: number; bytes: number }

/**
 * @param prunes removes files from the folder that the store no longer has
 * @throws the store's error; everything before it is saved
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
    if (own !== null) await to.remove(key)
    await copyFile(from, to, key, size)
    done.saved++
    done.bytes += size
  }
  if (prunes) {
    const known = new Set(keys)
    for (const key of await to.keys())
      if (!known.has(key)) {
        await to.remove(key)
        done.removed++
      }
  }
  return done
}
