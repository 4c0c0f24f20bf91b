/**
 * Bytes that wait for the rest of their packet, in one growing buffer: sent byte by byte they cost no more.
 */
import { frameSize } from './packet.ts'

export class Leftover {
  private bytes: Buffer | null = null
  length = 0

  add(more: Buffer): void {
    const needed = this.length + more.length
    if (this.bytes === null || needed > this.bytes.length) {
      const grown = Buffer.allocUnsafeSlow(Math.max(64, needed, this.length * 2))
      this.bytes?.copy(grown, 0, 0, this.length)
      this.bytes = grown
    }
    more.copy(this.bytes, this.length)
    this.length = needed
  }

  /** Whether the packet is still incomplete after `more`. */
  lacks(more: Buffer): boolean {
    const known = this.bytes ? frameSize(this.bytes, 0, this.length) : 0
    return known > 0 && this.length + more.length < known
  }

  /** Returns everything and empties the buffer. */
  take(): Buffer {
    const all = this.bytes?.subarray(0, this.length) ?? Buffer.alloc(0)
    this.drop()
    return all
  }

  drop(): void {
    this.bytes = null
    this.length = 0
  }
}
