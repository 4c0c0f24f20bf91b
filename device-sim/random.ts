/** Seeded randomness: the same fleet and the same faults every time. */
import { createHash } from 'node:crypto'

/**
 * A number from 0 (included) to 1 (excluded) determined by `parts`: FNV-1a and the finalizer of MurmurHash3, because a
 * cryptographic hash took a fifth of the time of a large fleet.
 */
export function share(...parts: readonly (string | number)[]): number {
  let hash = 0x811c9dc5
  for (let n = 0; n < parts.length; n++) {
    // Between two parts a line feed, so that moving the border between them makes a difference.
    if (n > 0) hash = Math.imul(hash ^ 10, 0x01000193)
    const text = String(parts[n])
    for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  }
  // Without the final mixing, texts that differ in their last character only would be close to each other.
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32
}

/** One of `items`, determined by `parts`. */
export function pick<T>(items: readonly [T, ...T[]], ...parts: readonly (string | number)[]): T {
  return items[Math.floor(share(...parts) * items.length)] ?? items[0]
}

/** `length` decimal digits determined by `parts`. */
export function digits(length: number, ...parts: readonly (string | number)[]): string {
  const hex = createHash('sha256').update(parts.join('\n')).digest('hex')
  return BigInt(`0x${hex}`).toString().slice(-length).padStart(length, '0')
}

/** A stream of numbers from 0 to 1 (mulberry32): four bytes of state, for continuous use by a device. */
export class Dice {
  #state: number

  constructor(...parts: readonly (string | number)[]) {
    this.#state = Math.floor(share(...parts) * 2 ** 32)
  }

  roll(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }

  between(low: number, high: number): number {
    return low + this.roll() * (high - low)
  }
}
