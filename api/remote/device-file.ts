import type { Readable } from 'node:stream'
import type { FileType, FileWay } from '#schema/remote/remote-file'

export type DeviceFile = { name: string; type: FileType; sizeBytes: number; modifiedAt: Date | null }

/** Paths are absolute. Errors have the message of the device. */
export type DeviceFiles = {
  readonly by: FileWay
  list(path: string): Promise<DeviceFile[]>
  /** null if there is no such file. */
  size(path: string): Promise<number | null>
  read(path: string, from: number): Readable
  /**
   * Appends to a file of `from` bytes; 0 creates or truncates it. Resolves when the device has written everything.
   * @param length of `source`, as announced; what comes before it breaks off is kept
   */
  write(path: string, from: number, source: AsyncIterable<Buffer>, length: number): Promise<void>
  rename(from: string, to: string): Promise<void>
  remove(path: string): Promise<void>
  close(): void
}
