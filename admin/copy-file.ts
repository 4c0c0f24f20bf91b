import { pipeline } from 'node:stream/promises'
import type { FileStore } from '#infra/files/store'

/** Of `size` bytes under the same key. @throws the error of either store; the copy is dropped */
export async function copyFile(from: FileStore, to: FileStore, key: string, size: number): Promise<void> {
  const file = to.create(key)
  try {
    await pipeline(from.read(key, { start: 0, end: size - 1 }), file.stream)
    await file.keep()
  } catch (error) {
    await file.drop()
    throw error
  }
}
