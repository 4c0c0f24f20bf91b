/** The stored queue of a session is being delivered: what is published meanwhile comes after it, and once [MQTT-4.6.0-6]. */
import { limits } from './limits.ts'

/** Identifies a message, whichever broker it came from. */
type Message = { topic: string; payload: Buffer | string; brokerId?: string; brokerCounter?: number }

const nameOf = ({ brokerId, brokerCounter }: Message) => `${brokerId} ${brokerCounter}`

export class Draining<M extends Message = Message> {
  private readonly sent = new Set<string>()
  private readonly waiting: M[] = []
  private bytes = 0
  private readonly holds: boolean

  /** @param holds in memory the queue is read again afterwards, and contains them */
  constructor(holds: boolean) {
    this.holds = holds
  }

  /** One of the queue is sent. */
  queued(message: Message): void {
    this.sent.add(nameOf(message))
  }

  /** Published meanwhile; it may be in the queue as well. False: there is no room for it. */
  hold(message: M): boolean {
    if (!this.holds) return true
    this.bytes += message.payload.length
    if (this.waiting.length >= limits.queuedMessages || this.bytes > limits.queuedBytes) return false
    this.waiting.push({ ...message })
    return true
  }

  /** Those that the queue did not contain, in the order of their arrival. */
  missed(): M[] {
    return this.waiting.filter((message) => !this.sent.has(nameOf(message)))
  }
}
