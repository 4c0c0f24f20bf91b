/**
 * The last answer to each read, with the tag that the server gave it: while nothing has changed the server says 304 and
 * the same object is used again (docs/decisions/017). Gone with the login.
 */

/** So many answers are kept, and so many characters of JSON in all; the least recently asked go first. */
export const ANSWERS_MAX = 100
export const CHARACTERS_MAX = 16_000_000
/** Of no answer: says that tags are understood. */
const NO_TAG = 'W/"0"'

type Answer = { tag: string; data: unknown; characters: number }
const kept = new Map<string, Answer>()
let characters = 0

function drop(name: string) {
  characters -= kept.get(name)?.characters ?? 0
  kept.delete(name)
}

/** What to ask with, and what to do with the response's tag and text. */
export function recall(name: string) {
  const answer = kept.get(name)
  if (answer) {
    // Moved to the end: asked for last.
    kept.delete(name)
    kept.set(name, answer)
  }
  return {
    headers: { 'If-None-Match': answer?.tag ?? NO_TAG },
    /** Of a 304; undefined when there was nothing to compare with. */
    held: answer,
    keep(tag: string | null, data: unknown, length: number) {
      drop(name)
      if (tag === null || length > CHARACTERS_MAX) return
      kept.set(name, { tag, data, characters: length })
      characters += length
      for (const oldest of kept.keys()) {
        if (kept.size <= ANSWERS_MAX && characters <= CHARACTERS_MAX) break
        drop(oldest)
      }
    },
  }
}

export function forgetAnswers() {
  kept.clear()
  characters = 0
}
