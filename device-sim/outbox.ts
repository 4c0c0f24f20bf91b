/** Reports wait here until the broker has acknowledged them; they survive broken connections, but not a power cut. */
import type { Line } from './line.ts'

type Entry = { topic: string; body: string; key: string | undefined; sent: boolean; done(): void }

/** A device has little memory: the oldest report is dropped. */
const LIMIT = 200

export class Outbox {
  #entries: Entry[] = []
  #line: Line | null = null

  /** Resolves when it is acknowledged; never if it is dropped. */
  add(topic: string, body: string, key?: string): Promise<void> {
    return new Promise<void>((done) => {
      const stale =
        key === undefined ? -1 : this.#entries.findIndex((entry) => entry.key === key && !entry.sent)
      if (stale >= 0) this.#entries.splice(stale, 1)
      if (this.#entries.length >= LIMIT) this.#entries.shift()
      this.#entries.push({ topic, body, key, sent: false, done })
      this.#flush()
    })
  }

  /** Sends all unacknowledged reports on this line, in order. */
  attach(line: Line): void {
    this.#line = line
    for (const entry of this.#entries) entry.sent = false
    this.#flush()
  }

  detach(): void {
    this.#line = null
  }

  /** RAM is lost. */
  clear(): void {
    this.#entries = []
  }

  #flush(): void {
    const line = this.#line
    if (!line) return
    for (const entry of this.#entries) {
      if (entry.sent) continue
      entry.sent = true
      line.publish(entry.topic, entry.body).then(
        () => {
          this.#entries = this.#entries.filter((other) => other !== entry)
          entry.done()
        },
        // The line broke: `attach` sends it again on the next one.
        () => {
          if (this.#line === line) this.#line = null
        },
      )
    }
  }
}
