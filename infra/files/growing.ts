/**
 * A file that is read while it is still being written, in a store whose objects cannot be appended to: it is written as
 * pieces, one object each, which are joined into one object at the end. If the process is killed, the pieces it has
 * written are the file.
 */
import { randomUUID } from 'node:crypto'
import { Readable, Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { away, type ObjectClient } from './object-client.ts'
import type { NewFile } from './store.ts'

/** Maximum number of bytes lost when the process is killed. */
const PIECE_MS = 2_000
const PIECE_BYTES = 1024 * 1024
/**
 * How long the store may be unavailable before writing fails; until then data is buffered in memory, up to the limit. While the store
 * neither takes it nor fails, the writer waits.
 */
const AWAY_MS = 30_000
const HELD_MAX_BYTES = 8 * 1024 * 1024

export const piecesOf = (key: string) => `${key}.pieces/`
const PIECE = /^([0-9a-f-]{36})\.pieces\/\d{6,}$/

/** Parses the key of a piece; null if it is not one. */
export const keyOfPiece = (name: string): string | null => PIECE.exec(name)?.[1] ?? null

/** @throws StoreAway */
export async function unfinishedKeys(client: ObjectClient, before: Date): Promise<string[]> {
  const newest = new Map<string, number>()
  for (const { name, at } of await client.list('', (one) => keyOfPiece(one) !== null)) {
    const key = keyOfPiece(name) ?? ''
    newest.set(key, Math.max(newest.get(key) ?? 0, at?.getTime() ?? Number.POSITIVE_INFINITY))
  }
  return [...newest].filter(([, at]) => at < before.getTime()).map(([key]) => key)
}

async function* read(client: ObjectClient, names: readonly string[]) {
  for (const name of names) {
    const stream = await client.get(name, undefined)
    if (!stream) throw away(new Error('a piece is gone'))
    yield* stream as AsyncIterable<Buffer>
  }
}

class Pieces extends Writable {
  readonly #client: ObjectClient
  readonly #key: string
  #held: Buffer[] = []
  #heldBytes = 0
  /** The callback of the write that went beyond the limit. */
  #full: (() => void) | null = null
  #names: string[] = []
  #failingSince: number | null = null
  #running: Promise<void> = Promise.resolve()
  readonly #timer: NodeJS.Timeout

  constructor(client: ObjectClient, key: string) {
    super()
    this.#client = client
    this.#key = key
    this.#timer = setInterval(() => this.#flushSoon(), PIECE_MS)
  }

  /** Writes the buffered data as the next piece. @throws StoreAway; the data stays buffered then */
  flush(): Promise<void> {
    const next = this.#running.then(async () => {
      if (this.#heldBytes === 0) return
      const [count, bytes] = [this.#held.length, this.#heldBytes]
      const name = `${piecesOf(this.#key)}${String(this.#names.length).padStart(6, '0')}`
      await this.#client.put(name, Buffer.concat(this.#held))
      this.#names.push(name)
      this.#held = this.#held.slice(count)
      this.#heldBytes -= bytes
      this.#failingSince = null
      this.#goOn()
    })
    this.#running = next.catch(() => undefined)
    return next
  }

  #flushSoon(): void {
    this.flush().catch((error: Error) => {
      this.#failingSince ??= performance.now()
      const over = performance.now() - this.#failingSince > AWAY_MS || this.#heldBytes > HELD_MAX_BYTES
      if (over) this.destroy(error)
    })
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#held.push(chunk)
    this.#heldBytes += chunk.length
    if (this.#heldBytes >= PIECE_BYTES) this.#flushSoon()
    this.#full = done
    if (this.#heldBytes <= HELD_MAX_BYTES) this.#goOn()
  }

  #goOn(): void {
    const done = this.#full
    this.#full = null
    done?.()
  }

  override _final(done: (error?: Error | null) => void): void {
    clearInterval(this.#timer)
    this.#end().then(() => done(), done)
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    clearInterval(this.#timer)
    this.#goOn()
    done(error)
  }

  async #end(): Promise<void> {
    const began = performance.now()
    for (;;) {
      try {
        await this.flush()
        break
      } catch (error) {
        if (performance.now() - began > AWAY_MS) throw error
        await sleep(PIECE_MS)
      }
    }
    // From here on the file is complete: as pieces, if not as one object.
    await this.#join().catch(() => undefined)
  }

  async #join(): Promise<void> {
    await this.#client.upload(
      this.#key,
      Readable.from(read(this.#client, this.#names), { objectMode: false }),
    ).done
    await this.removeAll()
  }

  async removeAll(): Promise<void> {
    for (const name of this.#names) await this.#client.remove(name)
  }
}

export function growingFile(client: ObjectClient): NewFile {
  const key = randomUUID()
  const stream = new Pieces(client, key)
  return {
    key,
    stream,
    keep: () => stream.flush(),
    drop: async () => {
      stream.destroy()
      // Pieces that remain because the store is unavailable are removed by `removeStrayPieces`.
      await stream.removeAll().catch(() => undefined)
    },
  }
}
