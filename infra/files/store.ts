/** The file store: files are addressed by key, never by a name from outside. */
import type { Readable, Writable } from 'node:stream'

export type NewFile = {
  key: string
  stream: Writable
  /** When this resolves, the file exists under its key. */
  keep(): Promise<void>
  /** Discards everything written so far. */
  drop(): Promise<void>
}

export type FileStore = {
  /**
   * A file that exists only after `keep` was called, once its stream has ended. `key`: the key that it has in another
   * store.
   */
  create(key?: string): NewFile
  /** A file that `keep` makes permanent after its first bytes, and that can be appended to until its stream ends. */
  grow(): NewFile
  /**
   * Keys of files that were never completed and to which nothing was added since `before`. None in a store where an
   * incomplete file is stored like any other. @throws if the store is away
   */
  unfinished(before: Date): Promise<string[]>
  /** Bytes from `start` to `end`, both included. */
  read(key: string, range?: { start: number; end: number }): Readable
  /** null if it does not exist. @throws if that is unknown: a failing store has not lost its files. */
  size(key: string): Promise<number | null>
  remove(key: string): Promise<void>
  /** The keys of all files. @throws if the store is unavailable */
  keys(): Promise<string[]>
  /** Whether the store responds now; never throws. */
  answers(): Promise<boolean>
  close(): void
}

const KEY = /^[0-9a-f-]{36}$/

export const isKey = (name: string) => KEY.test(name)

/** @throws for anything that is not a key of ours: a UUID */
export function checkKey(key: string): string {
  if (!isKey(key)) throw new Error('not a file key')
  return key
}

/** An upload takes an hour at most; what is older and unfinished was left by a killed process. */
export const PART_MAX_MS = 2 * 3_600_000
