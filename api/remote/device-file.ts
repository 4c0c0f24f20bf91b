import type { Readable } from 'node:stream'
import type { FileType } from '#schema/remote/remote-file'

export type DeviceFile = { name: string; type: FileType; sizeBytes: number; modifiedAt: Date | null }

/** Paths are absolute. Whatever fails throws with the device's words. */
export type DeviceFiles = {
  readonly by: 'sftp' | 'shell'
  list(path: string): Promise<DeviceFile[]>
  /** null: there is no such file. */
  size(path: string): Promise<number | null>
  read(path: string, from: number): Readable
  /** Continues a file of `from` bytes; 0: makes it anew. Resolves when the device has taken everything. */
  write(path: string, from: number, source: AsyncIterable<Buffer>): Promise<void>
  rename(from: string, to: string): Promise<void>
  remove(path: string): Promise<void>
  close(): void
}
