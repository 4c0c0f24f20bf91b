/** Seeded randomness: the same fleet and the same faults every time. */
import { createHash } from 'node:crypto'

/** A number from 0 (included) to 1 (excluded) determined by `parts`. */
export function share(...parts: readonly (string | number)[]): number {
  return createHash('sha256').update(parts.join('\n')).digest().readUInt32BE(0) / 2 ** 32
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
