/** Temporary folders of tests. */
import { existsSync, mkdtempSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const MEMORY = '/dev/shm'
/** A whole run needs about a third of it; containers often have only 64 MB there. */
const ENOUGH_BYTES = 3 * 1024 ** 3

function inMemory(): boolean {
  if (!existsSync(MEMORY)) return false
  const { bavail, bsize } = statfsSync(MEMORY)
  return bavail * bsize >= ENOUGH_BYTES
}

/**
 * Creates a folder for a database: in memory if there is room, since each of a hundred databases creates and deletes
 * hundreds of files, for which ext4 took a third of the processor time of a run. The caller deletes it.
 */
export const databaseFolder = (prefix: string): string =>
  mkdtempSync(join(inMemory() ? MEMORY : tmpdir(), prefix))
