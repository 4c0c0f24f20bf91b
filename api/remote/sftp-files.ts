import { pipeline } from 'node:stream/promises'
import type { Client, FileEntryWithStats, SFTPWrapper, Stats } from 'ssh2'
import { FOLDER_MAX } from '#schema/remote/remote-file'
import type { DeviceFile, DeviceFiles } from './device-file.ts'

const END_OF_FILE = 1
const NO_SUCH_FILE = 2
/** More than is shown of a folder, so that the response can say that there are more. */
const ENTRIES_MAX = FOLDER_MAX * 2
const PARTS_MAX = ENTRIES_MAX
/** The client sets it explicitly, whatever the umask of the device is. */
const NEW_FILE_MODE = 0o644

const typeOf = (stats: Stats): DeviceFile['type'] =>
  stats.isDirectory() ? 'folder' : stats.isSymbolicLink() ? 'link' : stats.isFile() ? 'file' : 'other'

/** A device may leave out every attribute, and say any number. */
function entryOf(name: string, attrs: Partial<Stats>): DeviceFile {
  const modifiedAt = new Date((attrs.mtime ?? Number.NaN) * 1000)
  return {
    name,
    type: attrs.mode === undefined ? 'other' : typeOf(attrs as Stats),
    sizeBytes: attrs.size ?? 0,
    modifiedAt: Number.isNaN(modifiedAt.getTime()) ? null : modifiedAt,
  }
}

type Answer<T> = (error: Error | null | undefined, value: T) => void
const answer = <T>(ask: (done: Answer<T>) => void): Promise<T> =>
  new Promise((done, fail) => ask((error, value) => (error ? fail(error) : done(value))))

export function sftpFiles(client: Client, sftp: SFTPWrapper): DeviceFiles {
  // A packet that is none: without a listener the requests that wait would never be answered.
  sftp.on('error', () => client.destroy())
  sftp.on('close', () => client.end())
  const stat = (path: string) => answer<Stats>((done) => sftp.stat(path, done))
  /** Of a link: the link itself. */
  const lstat = (path: string) => answer<Stats>((done) => sftp.lstat(path, done))
  const unlink = (path: string) => answer<unknown>((done) => sftp.unlink(path, done as never))
  const ifThere = <T>(asked: Promise<T>) =>
    asked.catch((error: unknown) => {
      if ((error as { code?: number }).code === NO_SUCH_FILE) return null
      throw error
    })
  const size = async (path: string) => {
    const found = await ifThere(stat(path))
    if (found?.isDirectory()) throw new Error('is a folder')
    return found && (found.size ?? 0)
  }
  /** Rename in SFTP version 3 does not replace what is there. OpenSSH's does, and never leaves the device with neither of both. */
  const replace = (from: string, to: string) =>
    answer<unknown>((done) => sftp.ext_openssh_rename(from, to, done as never)).catch(
      async (error: unknown) => {
        // With a code it is the device's; without one the device has no such request.
        if ((error as { code?: number }).code !== undefined) throw error
        await lstat(from)
        // A link is replaced itself, even one that leads nowhere.
        if (await ifThere(lstat(to))) await unlink(to)
        await answer<unknown>((done) => sftp.rename(from, to, done as never))
      },
    )
  return {
    by: 'sftp',
    list: async (path) => {
      const handle = await answer<Buffer>((done) => sftp.opendir(path, done))
      const entries: DeviceFile[] = []
      try {
        // By parts: a device that never comes to an end must not fill our memory.
        for (let i = 0; i < PARTS_MAX && entries.length < ENTRIES_MAX; i++) {
          const part = await answer<FileEntryWithStats[]>((done) => sftp.readdir(handle, done))
          for (const { filename, attrs } of part)
            if (filename !== '.' && filename !== '..') entries.push(entryOf(filename, attrs))
        }
      } catch (error) {
        if ((error as { code?: number }).code !== END_OF_FILE) throw error
      } finally {
        sftp.close(handle, () => undefined)
      }
      return entries
    },
    size,
    read: (path, from) => sftp.createReadStream(path, { start: from }),
    write: (path, from, source) =>
      pipeline(
        source,
        sftp.createWriteStream(path, {
          mode: NEW_FILE_MODE,
          ...(from > 0 ? { flags: 'r+', start: from } : {}),
        }),
      ),
    rename: async (from, to) => {
      const there = await ifThere(stat(to))
      if (there?.isDirectory()) throw new Error('is a folder')
      const mode = there?.mode
      // A script stays one that can be run, a key one that nobody else reads.
      if (mode !== undefined) await answer<unknown>((done) => sftp.chmod(from, mode & 0o777, done as never))
      await replace(from, to)
    },
    remove: async (path) => {
      const isFolder = (await lstat(path)).isDirectory()
      await (isFolder ? answer<unknown>((done) => sftp.rmdir(path, done as never)) : unlink(path))
    },
    close: () => client.end(),
  }
}
