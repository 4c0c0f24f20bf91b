/** The made-up files of a device: its configuration to read, and folders in memory to write. Never the host's. */
import type { Part } from '../world.ts'

/** All written files of one device together. */
const WRITTEN_MAX = 64 * 1024 * 1024
const FILES_MAX = 2_000

export type Entry = { type: 'file' | 'folder'; sizeBytes: number; modifiedAt: number }

const parentOf = (path: string) => path.slice(0, path.lastIndexOf('/')) || '/'

export class Tree {
  readonly #part: Part
  readonly #folders = new Set(['/', '/etc', '/etc/config', '/root', '/tmp'])
  readonly #written = new Map<string, { content: Buffer; sizeBytes: number; modifiedAt: number }>()

  constructor(part: Part) {
    this.#part = part
  }

  #fixed(path: string): string | undefined {
    if (path === '/etc/openwrt_release')
      return `DISTRIB_ID='OpenWrt'\nDISTRIB_RELEASE='${this.#part.row.firmware}'\n`
    const name = /^\/etc\/config\/([\w-]+)$/.exec(path)?.[1]
    return name === undefined ? undefined : this.#part.config.text(name)
  }

  stat(path: string): Entry | null {
    if (this.#folders.has(path)) return { type: 'folder', sizeBytes: 0, modifiedAt: this.#part.now() }
    const own = this.#written.get(path)
    if (own) return { type: 'file', sizeBytes: own.sizeBytes, modifiedAt: own.modifiedAt }
    const text = this.#fixed(path)
    return text === undefined
      ? null
      : { type: 'file', sizeBytes: Buffer.byteLength(text), modifiedAt: this.#part.now() }
  }

  list(folder: string): string[] {
    const paths = [
      ...this.#folders,
      ...this.#written.keys(),
      '/etc/openwrt_release',
      ...this.#part.config.names.map((name) => `/etc/config/${name}`),
    ]
    return paths.flatMap((path) =>
      path !== '/' && parentOf(path) === folder ? [path.slice(path.lastIndexOf('/') + 1)] : [],
    )
  }

  read(path: string): Buffer | null {
    const own = this.#written.get(path)
    if (own) return own.content.subarray(0, own.sizeBytes)
    const text = this.#fixed(path)
    return text === undefined ? null : Buffer.from(text)
  }

  /** False: there is no such folder, it is part of the firmware, or the memory is full. */
  write(path: string, at: number, chunk: Buffer): boolean {
    const before = this.#written.get(path)
    if (!before && (this.stat(path) || !this.#isWritable(parentOf(path)))) return false
    const end = at + chunk.length
    const all = [...this.#written.values()].reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
    if (all - (before?.sizeBytes ?? 0) + end > WRITTEN_MAX || this.#written.size >= FILES_MAX) return false
    let content = before?.content ?? Buffer.alloc(0)
    if (content.length < end) {
      // Doubled, so that a file that grows in small parts is not copied with each of them.
      const larger = Buffer.alloc(Math.max(end, content.length * 2))
      content.copy(larger)
      content = larger
    }
    chunk.copy(content, at)
    const sizeBytes = Math.max(before?.sizeBytes ?? 0, end)
    this.#written.set(path, { content, sizeBytes, modifiedAt: this.#part.now() })
    return true
  }

  truncate(path: string): boolean {
    if (this.#written.has(path)) this.#written.delete(path)
    return this.write(path, 0, Buffer.alloc(0))
  }

  rename(from: string, to: string): boolean {
    const file = this.#written.get(from)
    if (!file || this.stat(to) || !this.#isWritable(parentOf(to))) return false
    this.#written.delete(from)
    this.#written.set(to, file)
    return true
  }

  remove(path: string): boolean {
    return this.#written.delete(path)
  }

  makeFolder(path: string): boolean {
    if (this.stat(path) || !this.#isWritable(parentOf(path)) || this.#folders.size >= FILES_MAX) return false
    this.#folders.add(path)
    return true
  }

  removeFolder(path: string): boolean {
    return this.#isWritable(parentOf(path)) && this.list(path).length === 0 && this.#folders.delete(path)
  }

  #isWritable(folder: string): boolean {
    return this.#folders.has(folder) && /^\/(tmp|root)(\/|$)/.test(folder)
  }
}

const trees = new WeakMap<AbortSignal, Tree>()

/** Until the device is switched off: what is written is in its memory. */
export function treeOf(part: Part): Tree {
  const tree = trees.get(part.power) ?? new Tree(part)
  trees.set(part.power, tree)
  return tree
}
