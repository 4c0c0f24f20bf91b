/**
 * Retained messages of the time in which Redis is unavailable, the last of each topic: otherwise the device that published
 * one would wait for its acknowledgement, and so for those of all its later samples, until Redis is back.
 */
import { limits } from '../limits.ts'

/** What is kept of a message. */
export type Kept = { topic: string; payload: Buffer; qos: 0 | 1 | 2 }

type OfDevice = { readonly messages: Map<string, Kept>; bytes: number }

const weight = ({ payload, topic }: Kept) => payload.length + topic.length

export class RetainedLater {
  private readonly devices = new Map<string, OfDevice>()
  private bytes = 0

  get isEmpty(): boolean {
    return this.devices.size === 0
  }

  /**
   * Returns false if there is no room: within the limits of what is retained for a device, and for all. An older one of its topic waits no
   * longer then: it would be stored after this one.
   */
  add(sn: string, packet: Kept): boolean {
    const of = this.devices.get(sn) ?? { messages: new Map<string, Kept>(), bytes: 0 }
    const old = of.messages.get(packet.topic)
    const more = weight(packet) - (old ? weight(old) : 0)
    const isFull =
      (!old && of.messages.size >= limits.retainedMessages) ||
      of.bytes + more > limits.retainedBytes ||
      this.bytes + more > limits.keptBytes
    if (isFull) {
      if (old) this.remove(of, packet.topic, old)
      return false
    }
    // Copied, because a slice would keep the whole received chunk in memory.
    of.messages.set(packet.topic, { ...packet, payload: Buffer.from(packet.payload) })
    of.bytes += more
    this.bytes += more
    this.devices.set(sn, of)
    return true
  }

  private remove(of: OfDevice, topic: string, packet: Kept): void {
    of.messages.delete(topic)
    of.bytes -= weight(packet)
    this.bytes -= weight(packet)
  }

  /** Stores all, also those added meanwhile; if it throws, what was not stored waits further. */
  async store(store: (sn: string, packet: Kept) => Promise<void>): Promise<void> {
    for (const [sn, of] of this.devices) {
      for (const [topic, packet] of of.messages) {
        await store(sn, packet)
        // A newer one of this topic has arrived meanwhile.
        if (of.messages.get(topic) === packet) this.remove(of, topic, packet)
      }
      if (of.messages.size === 0) this.devices.delete(sn)
    }
  }
}
