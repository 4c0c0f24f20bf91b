/** Messages sent to a connection at QoS 1 and 2 that it has not acknowledged yet. */
import { fieldEnd, frameSize, types, u16 } from './packet.ts'

/** Limit of tracked messages: a client that never acknowledges must not cost memory. */
const WATCHED_MAX = 2_000

export class Inflight {
  /** The expected acknowledgement by packet id. */
  private readonly due = new Map<number, number>()

  has(id: number): boolean {
    return this.due.has(id)
  }

  /** Records complete packets that are being sent. */
  leaving(bytes: Buffer): void {
    for (let at = 0; at < bytes.length; ) {
      const size = frameSize(bytes, at, bytes.length)
      if (size <= 0) return
      const first = bytes[at] ?? 0
      if (first >> 4 === types.publish && (first & 6) !== 0) {
        let from = at + 2
        while ((bytes[from - 1] ?? 0) > 127) from++
        const id = u16(bytes, fieldEnd(bytes, from, at + size))
        this.expect(id, (first & 6) === 2 ? types.puback : types.pubrec)
      } else if (first >> 4 === types.pubrel) this.expect(u16(bytes, at + 2), types.pubcomp)
      at += size
    }
  }

  /**
   * An acknowledgement of the wrong kind is a protocol violation [MQTT-4.8.0-1]; one for an id that is not
   * expected may be late or repeated.
   */
  fault(type: number, id: number): string | null {
    const due = this.due.get(id)
    // PUBREL refers to publishes of the other side, with their own ids.
    if (due === undefined || type === types.pubrel) return null
    // PUBREC may be repeated until PUBREL has arrived; the id stays in use until PUBCOMP.
    if (type === types.pubrec) return due === types.puback ? 'PUBREC for QoS 1' : null
    if (type !== due) return 'acknowledgement of another kind'
    this.due.delete(id)
    return null
  }

  private expect(id: number, type: number): void {
    if (this.due.size < WATCHED_MAX || this.due.has(id)) this.due.set(id, type)
  }
}
