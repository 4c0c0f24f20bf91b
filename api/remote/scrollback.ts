/**
 * The last bytes of a stream, for who comes later. One buffer that grows up to its limit: a device that sends single bytes costs no
 * more than one that sends blocks.
 */
const FIRST_BYTES = 4 * 1024

export class Scrollback {
  readonly #most: number
  #ring = Buffer.alloc(0)
  #start = 0
  #length = 0
  /** All bytes that there ever were: the position of the next one. */
  total = 0

  constructor(most: number) {
    this.#most = most
  }

  keep(chunk: Buffer): void {
    this.total += chunk.length
    const kept = chunk.subarray(Math.max(0, chunk.length - this.#most))
    this.#grow(this.#length + kept.length)
    const size = this.#ring.length
    const at = (this.#start + this.#length) % size
    const first = Math.min(kept.length, size - at)
    kept.copy(this.#ring, at, 0, first)
    kept.copy(this.#ring, 0, first)
    const over = Math.max(0, this.#length + kept.length - size)
    this.#start = (this.#start + over) % size
    this.#length += kept.length - over
  }

  /** It is full before it wraps, so what is copied is in one piece. */
  #grow(wanted: number): void {
    let size = this.#ring.length || Math.min(FIRST_BYTES, this.#most)
    while (size < wanted && size < this.#most) size = Math.min(size * 2, this.#most)
    if (size === this.#ring.length) return
    const ring = Buffer.alloc(size)
    this.#ring.copy(ring, 0, 0, this.#length)
    this.#ring = ring
  }

  /** What came at this position and later, as far as it is still here: from a later `at` otherwise, the beginning of a line where there is one. */
  since(position: number): { at: number; bytes: Buffer } {
    const oldest = this.total - this.#length
    if (position >= oldest && position <= this.total) return { at: position, bytes: this.#from(position) }
    const bytes = this.#from(oldest)
    const line = oldest > 0 ? bytes.indexOf(0x0a) + 1 : 0
    return { at: oldest + line, bytes: bytes.subarray(line) }
  }

  #from(position: number): Buffer {
    const skipped = position - (this.total - this.#length)
    const begin = this.#start + skipped
    const end = this.#start + this.#length
    const size = this.#ring.length
    if (begin >= size) return Buffer.from(this.#ring.subarray(begin - size, end - size))
    if (end <= size) return Buffer.from(this.#ring.subarray(begin, end))
    return Buffer.concat([this.#ring.subarray(begin), this.#ring.subarray(0, end - size)])
  }
}
