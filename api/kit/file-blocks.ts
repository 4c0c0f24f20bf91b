/**
 * A cache for files that many devices download at the same time: each block is read once instead of once per device.
 * Only for files whose content never changes under their key.
 */
import { setImmediate } from 'node:timers/promises'
import { limitConcurrency } from '#infra/concurrency-limit'
import type { FileStore } from '#infra/files/store'

type Range = { start: number; end: number }
export type FileBlocks = {
  /**
   * The size; null if the file does not exist. A removed file may still be reported for some seconds. @throws if the
   * store cannot tell
   */
  size(key: string): Promise<number | null>
  /**
   * Bytes from `start` to `end`, both included and within the file: synchronously if they are in one cached block.
   * @throws while the stream is read, if the file is shorter
   */
  read(key: string, range: Range): Promise<Buffer | AsyncIterable<Buffer>>
}

const BLOCK_BYTES = 128 * 1024
/** Total size of the cache; the least recently used blocks are evicted first, except while they are being sent. */
const KEPT_BYTES = 32 * 1024 * 1024
/** How long a file whose blocks are cached is served after the store has become unavailable. */
export const SIZE_KEPT_MS = 5_000
const SIZES_KEPT = 200
/**
 * Blocks handed out in one turn of the event loop. Without a limit 400 devices that download at the same time fill every turn with
 * 400 blocks, and each step of all other calls waits for such a turn.
 */
const BLOCKS_A_TURN = 8

type Store = Pick<FileStore, 'read' | 'size'>

export function openFileBlocks(files: Store, keptBytes = KEPT_BYTES): FileBlocks {
  const blocks = new Map<string, Promise<Buffer>>()
  const sizes = new Map<string, { size: Promise<number | null>; until: number }>()
  const most = Math.floor(keptBytes / BLOCK_BYTES)
  const turns = limitConcurrency(BLOCKS_A_TURN)

  /** Adds an entry and evicts the oldest beyond the limit: the map is in order of last use. */
  function keep<V>(kept: Map<string, V>, name: string, value: V, limit: number): void {
    kept.delete(name)
    kept.set(name, value)
    for (const oldest of kept.keys()) {
      if (kept.size <= limit) break
      kept.delete(oldest)
    }
  }

  async function load(key: string, start: number, end: number): Promise<Buffer> {
    const found: Buffer[] = []
    for await (const chunk of files.read(key, { start, end }) as AsyncIterable<Buffer>) found.push(chunk)
    const bytes = Buffer.concat(found)
    if (bytes.length !== end - start + 1) throw new Error('the file is shorter than it was')
    return bytes
  }

  function block(key: string, nth: number, size: number): Promise<Buffer> {
    const name = `${key} ${nth}`
    const start = nth * BLOCK_BYTES
    const known = blocks.get(name) ?? load(key, start, Math.min(start + BLOCK_BYTES, size) - 1)
    keep(blocks, name, known, most)
    known.catch(() => blocks.get(name) === known && blocks.delete(name))
    return known
  }

  const sizeOf = (key: string): Promise<number | null> => {
    const known = sizes.get(key)
    if (known && performance.now() < known.until) return known.size
    const size = files.size(key)
    keep(sizes, key, { size, until: performance.now() + SIZE_KEPT_MS }, SIZES_KEPT)
    // A missing file or an unavailable store is not cached: that may change at any moment.
    size.then(
      (found) => found === null && sizes.delete(key),
      () => sizes.delete(key),
    )
    return size
  }

  async function part(key: string, nth: number, size: number, { start, end }: Range): Promise<Buffer> {
    const bytes = await block(key, nth, size)
    const from = nth * BLOCK_BYTES
    return bytes.subarray(Math.max(0, start - from), end - from + 1)
  }

  async function* parts(key: string, size: number, range: Range) {
    const last = Math.floor(range.end / BLOCK_BYTES)
    for (let nth = Math.floor(range.start / BLOCK_BYTES); nth <= last; nth++) {
      const bytes = await part(key, nth, size, range)
      await turns(() => setImmediate())
      yield bytes
    }
  }

  return {
    size: sizeOf,
    read: async (key, range) => {
      const size = (await sizeOf(key)) ?? 0
      const nth = Math.floor(range.start / BLOCK_BYTES)
      const isOne = nth === Math.floor(range.end / BLOCK_BYTES)
      return isOne ? part(key, nth, size, range) : parts(key, size, range)
    },
  }
}
