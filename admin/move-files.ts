/**
 * Moves files from the folder to the object store: copied, read back, compared, and only then removed. Can be stopped
 * at any point and run again.
 */
import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { openDisk } from '#infra/files/disk'
import { type FileStore, isKey } from '#infra/files/store'
import { copyFile } from './copy-file.ts'

export type Moved = { moved: number; there: number; growing: number; bytes: number }

async function hashOf(store: FileStore, key: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of store.read(key)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

/**
 * @param keepsOld leaves the folder unchanged, so that a platform that still uses it keeps running
 * @throws the store's error, or with the key of a file that was stored differently; everything before it is moved
 */
export async function moveFiles(dir: string, to: FileStore, keepsOld: boolean): Promise<Moved> {
  const from = openDisk(dir)
  const done: Moved = { moved: 0, there: 0, growing: 0, bytes: 0 }
  for (const key of (await readdir(dir)).filter(isKey).toSorted()) {
    const size = await from.size(key)
    if (size === null) continue
    const hash = await hashOf(from, key)
    const isThere = (await to.size(key)) === size && (await hashOf(to, key)) === hash
    if (!isThere) {
      await copyFile(from, to, key, size)
      if ((await hashOf(to, key)) !== hash) {
        await to.remove(key)
        // A recording that is being written has grown; the next run copies it.
        if ((await from.size(key)) === size)
          throw new Error(`${key} was stored differently: nothing of it is kept there`)
        done.growing++
        continue
      }
    }
    // The comparison reads the whole copy, which takes time: what was added to the file meanwhile is only here.
    if (!keepsOld && ((await from.size(key)) ?? 0) > size) {
      done.growing++
      continue
    }
    if (isThere) done.there++
    else {
      done.moved++
      done.bytes += size
    }
    if (!keepsOld) await from.remove(key)
  }
  return done
}
