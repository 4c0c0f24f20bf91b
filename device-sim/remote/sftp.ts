/** The SFTP subsystem of a device's SSH service, on its made-up files. */
import { posix } from 'node:path'
import ssh2, { type SFTPWrapper } from 'ssh2'
import type { Entry, Tree } from './tree.ts'

const { STATUS_CODE, OPEN_MODE } = ssh2.utils.sftp
const HANDLES_MAX = 64
const CHUNK_MAX = 32_768
const FOLDER = 0o040_755
const FILE = 0o100_644
const LINK = 0o120_777

const attrsOf = ({ type, sizeBytes, modifiedAt }: Entry) => {
  const seconds = Math.floor(modifiedAt / 1000)
  return {
    mode: type === 'folder' ? FOLDER : FILE,
    uid: 0,
    gid: 0,
    size: sizeBytes,
    atime: seconds,
    mtime: seconds,
  }
}

type Handle = { path: string; listed?: boolean }

export function serveSftp(tree: Tree, sftp: SFTPWrapper): void {
  const handles = new Map<number, Handle>()
  let next = 0
  // As on OpenWrt, /var is a link to /tmp.
  const plain = (path: string) => posix.resolve('/root', path).replace(/^\/var(?=\/|$)/, '/tmp')
  const end = (id: number, done: boolean, otherwise: number = STATUS_CODE.FAILURE) =>
    sftp.status(id, done ? STATUS_CODE.OK : otherwise)
  const open = (id: number, handle: Handle) => {
    if (handles.size >= HANDLES_MAX) return sftp.status(id, STATUS_CODE.FAILURE)
    const name = Buffer.alloc(4)
    name.writeUInt32BE(next)
    handles.set(next++, handle)
    sftp.handle(id, name)
  }
  const named = (name: Buffer) => (name.length === 4 ? handles.get(name.readUInt32BE()) : undefined)
  const stat = (id: number, path: string) => {
    const entry = tree.stat(plain(path))
    if (entry) sftp.attrs(id, attrsOf(entry))
    else sftp.status(id, STATUS_CODE.NO_SUCH_FILE)
  }

  sftp.on('REALPATH', (id, path) => {
    const filename = plain(path)
    sftp.name(id, [
      { filename, longname: filename, attrs: attrsOf({ type: 'folder', sizeBytes: 0, modifiedAt: 0 }) },
    ])
  })
  sftp.on('STAT', stat)
  sftp.on('LSTAT', stat)
  sftp.on('FSTAT', (id, name) => {
    const handle = named(name)
    if (handle) stat(id, handle.path)
    else sftp.status(id, STATUS_CODE.FAILURE)
  })
  sftp.on('SETSTAT', (id) => end(id, true))
  sftp.on('FSETSTAT', (id) => end(id, true))
  sftp.on('OPEN', (id, given, flags) => {
    const path = plain(given)
    const writes = (flags & OPEN_MODE.WRITE) !== 0
    if (writes && (flags & OPEN_MODE.TRUNC) !== 0 && !tree.truncate(path))
      return sftp.status(id, STATUS_CODE.PERMISSION_DENIED)
    if (tree.stat(path)?.type !== 'file') return sftp.status(id, STATUS_CODE.NO_SUCH_FILE)
    open(id, { path })
  })
  sftp.on('READ', (id, name, at, length) => {
    const content = tree.read(named(name)?.path ?? '')
    if (!content) return sftp.status(id, STATUS_CODE.FAILURE)
    if (at >= content.length) return sftp.status(id, STATUS_CODE.EOF)
    sftp.data(id, content.subarray(at, at + Math.min(length, CHUNK_MAX)))
  })
  sftp.on('WRITE', (id, name, at, chunk) => end(id, tree.write(named(name)?.path ?? '', at, chunk)))
  sftp.on('CLOSE', (id, name) => end(id, name.length === 4 && handles.delete(name.readUInt32BE())))
  sftp.on('OPENDIR', (id, given) => {
    const path = plain(given)
    if (tree.stat(path)?.type !== 'folder') return sftp.status(id, STATUS_CODE.NO_SUCH_FILE)
    open(id, { path, listed: false })
  })
  sftp.on('READDIR', (id, name) => {
    const handle = named(name)
    if (!handle || handle.listed === undefined) return sftp.status(id, STATUS_CODE.FAILURE)
    if (handle.listed) return sftp.status(id, STATUS_CODE.EOF)
    handle.listed = true
    const entries = tree.list(handle.path).flatMap((filename) => {
      const entry = tree.stat(posix.join(handle.path, filename))
      return entry ? [{ filename, longname: filename, attrs: attrsOf(entry) }] : []
    })
    const link = { ...attrsOf({ type: 'file', sizeBytes: 4, modifiedAt: 0 }), mode: LINK }
    if (handle.path === '/') entries.push({ filename: 'var', longname: 'var', attrs: link })
    sftp.name(id, entries)
  })
  sftp.on('REMOVE', (id, path) => end(id, tree.remove(plain(path)), STATUS_CODE.PERMISSION_DENIED))
  sftp.on('RMDIR', (id, path) => end(id, tree.removeFolder(plain(path))))
  sftp.on('MKDIR', (id, path) => end(id, tree.makeFolder(plain(path)), STATUS_CODE.PERMISSION_DENIED))
  sftp.on('RENAME', (id, from, to) => end(id, tree.rename(plain(from), plain(to))))
}
