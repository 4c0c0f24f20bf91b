/**
 * The filters that each broker's connections have subscribed to. Stored on Redis, one hash per broker, for brokers that
 * start later. Every broker has a copy in memory and is notified of changes, so finding out where a message must go
 * needs no round trip [decisions/130].
 */
import type { Log } from '#infra/log'
import { pack } from './frame.ts'
import { Interest } from './interest.ts'
import type { Line } from './line.ts'

/** All brokers subscribe to this channel: changes of subscriptions, and Aedes' own messages. */
export const ALL = 'mqtt:all'
export const channelOf = (brokerId: string) => `mqtt:to:${brokerId}`
const BROKERS = 'mqtt:brokers'
const keyOf = (brokerId: string) => `mqtt:listens:${brokerId}`
/** Subscriptions made within this time are sent together: a whole fleet may reconnect at once. */
const GATHER_MS = 2
/** A broker that does not respond within this time is suspended or gone, and synchronizes again when it is back. */
const HEARD_MS = 1_000

type Change = { filter: string; done: () => void }
type Turn = { heard: number; expected: number; finish(): void }

export class Directory {
  /** What other brokers want. */
  readonly others = new Interest()
  private readonly id: string
  private readonly line: Line
  private readonly log: Log
  private readonly counts = new Map<string, number>()
  private changes: Change[] = []
  private readonly turns = new Map<number, Turn>()
  private turn = 0
  /** Changes that arrive while a broker's filters are being read: they are newer than what is read. */
  private readonly reading = new Map<string, (() => void)[]>()
  private readonly failed = (error: unknown) => this.log.warn({ err: error }, 'subscriptions on Redis')

  constructor(id: string, line: Line, log: Log) {
    this.id = id
    this.line = line
    this.log = log
  }

  /** `done` when every other broker knows. */
  listen(filter: string, done: () => void): void {
    const count = this.counts.get(filter) ?? 0
    this.counts.set(filter, count + 1)
    if (count > 0) setImmediate(done)
    else this.change({ filter, done })
  }

  leave(filter: string): void {
    const count = (this.counts.get(filter) ?? 0) - 1
    if (count > 0) this.counts.set(filter, count)
    else if (this.counts.delete(filter)) this.change({ filter, done: () => undefined })
  }

  private change(change: Change): void {
    this.changes.push(change)
    if (this.changes.length === 1) setTimeout(() => void this.tell(), GATHER_MS)
  }

  private async tell(): Promise<void> {
    const changes = this.changes
    this.changes = []
    const finish = () => {
      for (const { done } of changes) done()
    }
    // All are sent again when Redis is back.
    if (!this.line.open) return finish()
    const filters = [...new Set(changes.map(({ filter }) => filter))]
    const more = filters.filter((filter) => this.counts.has(filter))
    const less = filters.filter((filter) => !this.counts.has(filter))
    const turn = ++this.turn
    const announced: Turn = { heard: 0, expected: Number.POSITIVE_INFINITY, finish: () => undefined }
    this.turns.set(turn, announced)
    const late = setTimeout(() => announced.finish(), HEARD_MS)
    announced.finish = () => {
      clearTimeout(late)
      if (this.turns.delete(turn)) finish()
    }
    try {
      const key = keyOf(this.id)
      if (more.length > 0) void this.line.hset(key, ...more.flatMap((filter) => [filter, '1']))
      if (less.length > 0) void this.line.hdel(key, ...less)
      const reached = await this.line.publish(ALL, pack({ kind: 'listen', from: this.id, turn, more, less }))
      // Ourselves excluded.
      announced.expected = reached - 1
      if (announced.heard >= announced.expected) announced.finish()
    } catch (error) {
      this.failed(error)
      announced.finish()
    }
  }

  heard(turn: number): void {
    const announced = this.turns.get(turn)
    if (announced && ++announced.heard >= announced.expected) announced.finish()
  }

  /** Another broker's change. */
  changed(from: string, more: string[], less: string[]): void {
    const apply = () => {
      for (const filter of more) this.others.add(from, filter)
      for (const filter of less) this.others.remove(from, filter)
    }
    const waiting = this.reading.get(from)
    if (waiting) waiting.push(apply)
    else apply()
  }

  /** Reads the filters of another broker again. */
  async read(from: string): Promise<void> {
    if (from === this.id) return
    const before = this.reading.get(from)
    // What is being read may be older than this call.
    if (before) return void before.push(() => void this.read(from).catch(this.failed))
    const waiting: (() => void)[] = []
    this.reading.set(from, waiting)
    try {
      const filters = await this.line.hkeys(keyOf(from))
      this.others.forget(from)
      for (const filter of filters) this.others.add(from, filter)
    } finally {
      this.reading.delete(from)
      for (const apply of waiting) apply()
    }
  }

  /** Another broker has written down what it wants, and read what others do. */
  async metAnother(from: string): Promise<void> {
    await this.read(from)
    // Redis was emptied without cutting us off: the other one does not know us.
    if ((await this.line.sismember(BROKERS, this.id)) === 0) await this.begin()
  }

  /** No broker with this id hears its channel. */
  async drop(from: string): Promise<void> {
    this.others.forget(from)
    await this.line.multi().del(keyOf(from)).srem(BROKERS, from).exec()
  }

  /** Publishes our connections' filters and reads those of others: at start, and whenever Redis is back. */
  async begin(): Promise<void> {
    const [key, filters] = [keyOf(this.id), [...this.counts.keys()]]
    const write = this.line.multi().del(key).sadd(BROKERS, this.id)
    if (filters.length > 0) write.hset(key, ...filters.flatMap((filter) => [filter, '1']))
    await write.publish(ALL, pack({ kind: 'reset', from: this.id })).exec()
    for (const other of await this.line.smembers(BROKERS)) {
      if (other === this.id) continue
      const [, hearing] = (await this.line.pubsub('NUMSUB', channelOf(other))) as [string, number]
      await (Number(hearing) > 0 ? this.read(other) : this.drop(other))
    }
  }

  async end(): Promise<void> {
    if (!this.line.open) return
    await this.line
      .multi()
      .del(keyOf(this.id))
      .srem(BROKERS, this.id)
      .publish(ALL, pack({ kind: 'gone', from: this.id }))
      .exec()
  }
}
