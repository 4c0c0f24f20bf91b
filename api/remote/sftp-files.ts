import { pipeline } from 'node:stream/promises'
import type { Client, FileEntryWithStats, SFTPWrapper, Stats } from 'ssh2'
import type { DeviceFile, DeviceFiles } from './device-file.ts'

const NO_SUCH_FILE = 2

const typeOf = (stats: Stats): DeviceFile['type'] =>
  stats.isDirectory() ? 'folder' : stats.isSymbolicLink() ? 'link' : stats.isFile() ? 'file' : 'other'

type Answer<T> = (error: Error | null | undefined, value: T) => void
const answer = <T>(ask: (done: Answer<T>) => void): Promise<T> =>
  new Promise((done, fail) => ask((error, value) => (error ? fail(error) : done(value))))

export function sftpFiles(client: Client, sftp: SFTPWrapper): DeviceFiles {
  const stat = (path: string) => answer<Stats>((done) => sftp.stat(path, done))
  const unlink = (path: string) => answer<unknown>((done) => sftp.unlink(path, done as never))
  const size = async (path: string) => {
    try {
      return (await stat(path)).size
    } catch (error) {
      if ((error as { code?: number }).code === NO_SUCH_FILE) return null
      throw error
    }
  }
  return {
    by: 'sftp',
    list: async (path) => {
      const entries = await answer<FileEntryWithStats[]>((done) => sftp.readdir(path, done))
      return entries
        .filter(({ filename }) => filename !== '.' && filename !== '..')
        .map(({ filename, attrs }) => ({
          name: filename,
          type: typeOf(attrs),
          sizeBytes: attrs.size,
          modifiedAt: new Date(attrs.mtime * 1000),
        }))
    },
    size,
    read: (path, from) => sftp.createReadStream(path, { start: from }),
    write: (path, from, source) =>
      pipeline(source, sftp.createWriteStream(path, from > 0 ? { flags: 'r+', start: from } : {})),
    rename: async (from, to) => {
      // Rename in SFTP version 3 does not replace an existing file.
      if ((await size(to)) !== null) await unlink(to)
      await answer<unknown>((done) => sftp.rename(from, to, done as never))
    },
    remove: async (path) => {
      // For a link: the link itself.
      const isFolder = (await answer<Stats>((done) => sftp.lstat(path, done))).isDirectory()
      await (isFolder ? answer<unknown>((done) => sftp.rmdir(path, done as never)) : unlink(path))
    },
    close: () => client.end(),
  }
}
