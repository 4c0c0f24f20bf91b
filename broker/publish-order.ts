/** Publishes of one connection are acknowledged in the order of their arrival [MQTT-4.6.0-2, 4.6.0-3]. */
import type { Waiter } from './committer.ts'

/**
 * A place in this order. `on` is Aedes' continuation; null for a packet that bypassed Aedes, acknowledged with PUBACK of
 * `id`, or not at all if `id` is 0.
 */
export class Turn implements Waiter {
  ready = false
  readonly on: ((error?: Error | null) => void) | null
  readonly id: number
  private readonly turns: Turns

  constructor(turns: Turns, on: Turn['on'], id: number) {
    this.turns = turns
    this.on = on
    this.id = id
  }

  /** Stored, or not storable: acknowledged either way. */
  kept(): void {
    this.turns.release(this)
  }
}

/** The connection whose publishes are acknowledged. */
type Connection = {
  readonly destroyed: boolean
  /** Resumes reading, if it was stopped. */
  flow(): void
  answer(bytes: Buffer): void
}

export class Turns {
  private readonly guard: Connection
  private queue: Turn[] = []
  private head = 0
  private acks: number[] = []
  private flushing = false
  private readonly flushLater = () => this.flush()

  constructor(guard: Connection) {
    this.guard = guard
  }

  get length(): number {
    return this.queue.length - this.head
  }

  /** Takes the next place in the queue. */
  wait(on: Turn['on'], id = 0): Turn {
    const turn = new Turn(this, on, id)
    this.queue.push(turn)
    return turn
  }

  /** This one may be acknowledged once those before it are. */
  release(turn: Turn): void {
    turn.ready = true
    if (this.queue[this.head] !== turn) return
    const wasFull = this.length
    while (this.head < this.queue.length && this.queue[this.head]?.ready) {
      const next = this.queue[this.head++]
      if (next?.on) {
        this.flush()
        next.on()
      } else if (next?.id) this.ack(next.id)
    }
    if (this.head > 256 || this.head === this.queue.length) {
      this.queue.splice(0, this.head)
      this.head = 0
    }
    if (wasFull > 1) this.guard.flow()
  }

  /** The connection is closed: there is nothing to acknowledge, but Aedes must release its state. */
  drop(): void {
    this.acks = []
  }

  private ack(id: number): void {
    this.acks.push(id)
    if (this.flushing) return
    this.flushing = true
    queueMicrotask(this.flushLater)
  }

  private flush(): void {
    this.flushing = false
    if (this.acks.length === 0 || this.guard.destroyed) return
    const bytes = Buffer.allocUnsafe(this.acks.length * 4)
    let at = 0
    for (const id of this.acks) at = bytes.writeUInt16BE(id, bytes.writeUInt16BE(0x4002, at))
    this.acks = []
    this.guard.answer(bytes)
  }
}
