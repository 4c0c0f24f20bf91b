/** Files in an object store by the S3 API, which several apis share [decisions/140]. */
import { randomUUID } from 'node:crypto'
import { PassThrough, Readable, Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { withinTime } from '../deadline.ts'
import { growingFile, keyOfPiece, piecesOf, unfinishedKeys } from './growing.ts'
import {
  away,
  type ObjectClient,
  type ObjectPlace,
  openObjectClient,
  type StoreAway,
} from './object-client.ts'
import { checkKey, type FileStore, isKey, type NewFile, PART_MAX_MS } from './store.ts'

export type { ObjectPlace }

/** A store that sends no byte for this long counts as hung. The time that a slow reader takes is not included. */
const STALL_MS = 15_000
/** Maximum tries of a read that breaks off; each continues where the last one ended. */
const READ_TRIES = 5
const PAUSE_MS = 500

class Gone extends Error {}

type Range = { start: number; end: number }

/** Resumes where it broke off, so that a restart of the store only delays a download. */
async function* bytes(client: ObjectClient, name: string, { start, end }: Range) {
  let at = start
  for (let tries = 1; at <= end; tries++) {
    try {
      // No range of an empty object can be satisfied.
      const whole = at === 0 && end === Number.POSITIVE_INFINITY
      const stream = await client.get(
        name,
        whole ? undefined : `bytes=${at}-${Number.isFinite(end) ? end : ''}`,
      )
      if (!stream) throw new Gone('no such object')
      try {
        const chunks = stream[Symbol.asyncIterator]()
        for (;;) {
          const { done, value } = await withinTime('the object store', STALL_MS, chunks.next())
          if (done) return
          at += (value as Buffer).length
          tries = 1
          yield value as Buffer
        }
      } finally {
        stream.destroy()
      }
    } catch (error) {
      if (tries >= READ_TRIES || error instanceof Gone) throw error instanceof Gone ? error : away(error)
      await sleep(PAUSE_MS * tries)
    }
  }
}

/** One object, or the pieces of a file that grows or whose process was killed. */
async function* contents(client: ObjectClient, key: string, range: Range) {
  if (range.end < range.start) return
  const pieces = (await client.size(key)) === null ? await client.list(piecesOf(key)) : []
  if (pieces.length === 0) return yield* bytes(client, key, range)
  let before = 0
  let at = range.start
  for (const { name, size } of pieces) {
    const [start, end] = [Math.max(0, range.start - before), Math.min(size - 1, range.end - before)]
    before += size
    if (size === 0 || start > end) continue
    try {
      for await (const chunk of bytes(client, name, { start, end })) {
        at += chunk.length
        yield chunk
      }
    } catch (error) {
      if (!(error instanceof Gone)) throw error
      // The file has ended meanwhile: its pieces have become the object.
      const length = pieces.reduce((sum, piece) => sum + piece.size, 0)
      return yield* bytes(client, key, { start: at, end: Math.min(range.end, length - 1) })
    }
  }
}

function newFile(client: ObjectClient, key: string): NewFile {
  const source = new PassThrough()
  const upload = client.upload(key, source)
  let broken: StoreAway | undefined
  /** The callback of the pending write. */
  let waiting: ((error?: Error) => void) | undefined
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      if (broken) return done(broken)
      if (source.write(chunk)) return done()
      waiting = done
      source.once('drain', () => {
        waiting = undefined
        done()
      })
    },
    // Only `keep` completes the upload: what is not kept never becomes an object.
    final: (done) => done(broken),
  })
  upload.done.catch((error: StoreAway) => {
    broken = error
    source.removeAllListeners('drain')
    if (waiting) waiting(error)
    else stream.destroy(error)
  })
  // An error is reported by the next write or `keep`; there may be no listener yet.
  stream.on('error', () => undefined)
  return {
    key,
    stream,
    keep: async () => {
      source.end()
      await upload.done
    },
    drop: async () => {
      stream.destroy()
      await upload.abandon().catch(() => undefined)
      source.destroy()
    },
  }
}

/** Opens the store lazily: while it is unavailable, a room still starts and reports what it lacks. */
export function openObjects(place: ObjectPlace): FileStore {
  const client = openObjectClient(place)
  let cleaned = false
  const clean = () => {
    if (cleaned) return
    cleaned = true
    client.abandonOld(new Date(Date.now() - PART_MAX_MS)).catch(() => {
      cleaned = false
    })
  }
  return {
    create: (key = randomUUID()) => {
      clean()
      return newFile(client, checkKey(key))
    },
    grow: () => growingFile(client),
    unfinished: (before) => unfinishedKeys(client, before),
    read: (key, range = { start: 0, end: Number.POSITIVE_INFINITY }) =>
      Readable.from(contents(client, checkKey(key), range), { objectMode: false }),
    size: async (key) => {
      const size = await client.size(checkKey(key))
      if (size !== null) return size
      const pieces = await client.list(piecesOf(key))
      return pieces.length === 0 ? null : pieces.reduce((sum, piece) => sum + piece.size, 0)
    },
    keys: async () => {
      const found = await client.list('', (name) => isKey(name) || keyOfPiece(name) !== null)
      return [...new Set(found.map(({ name }) => keyOfPiece(name) ?? name))]
    },
    remove: async (key) => {
      await client.remove(checkKey(key))
      for (const { name } of await client.list(piecesOf(key))) await client.remove(name)
    },
    answers: client.answers,
    close: client.close,
  }
}
