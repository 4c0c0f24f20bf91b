/**
 * Caches the last response to each read with its ETag: while nothing has changed the server returns 304 and the same
 * object is used again (docs/decisions/017). Cleared with the login.
 */

/** Limits of the number of responses, and of characters of JSON in total; the least recently used go first. */
export const RESPONSES_MAX = 100
export const CHARACTERS_MAX = 16_000_000
/** A tag that matches no response: tells the server that tags are supported. */
const NO_TAG = 'W/"0"'

type Answer = { tag: string; data: unknown; characters: number }
const kept = new Map<string, Answer>()
let characters = 0

function drop(name: string) {
  characters -= kept.get(name)?.characters ?? 0
  kept.delete(name)
}

/** The tag to send, and what to do with the response's tag and text. */
export function cachedResponse(name: string) {
  const answer = kept.get(name)
  if (answer) {
    // Moved to the end: most recently used.
    kept.delete(name)
    kept.set(name, answer)
  }
  return {
    headers: { 'If-None-Match': answer?.tag ?? NO_TAG },
    /** The cached response, for a 304; undefined if there is none. */
    held: answer,
    keep(tag: string | null, data: unknown, length: number) {
      drop(name)
      if (tag === null || length > CHARACTERS_MAX) return
      kept.set(name, { tag, data, characters: length })
      characters += length
      for (const oldest of kept.keys()) {
        if (kept.size <= RESPONSES_MAX && characters <= CHARACTERS_MAX) break
        drop(oldest)
      }
    },
  }
}

export function clearResponseCache() {
  kept.clear()
  characters = 0
}
