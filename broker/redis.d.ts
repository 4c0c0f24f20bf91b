/** Two packages of Aedes without types. */
declare module 'aedes-persistence-redis' {
  import type { Redis } from 'ioredis'

  type Client = { id: string; clean?: boolean; brokerId?: string }
  /** What we override or call of Aedes' sessions on Redis. */
  type Persistence = {
    setup(broker: unknown): Promise<void>
    cleanSubscriptions(client: Client): Promise<unknown>
    putWill(client: Client, will: object): Promise<unknown>
    delWill(client: Client): Promise<unknown>
    outgoingStream(client: Client): unknown
    addSubscriptions(client: Client, subscriptions: readonly object[]): Promise<unknown>
    outgoingEnqueueCombi(subs: readonly object[], packet: object): Promise<unknown>
    outgoingUpdate(client: Client, packet: object): Promise<unknown>
    outgoingClearMessageId(
      client: Client,
      packet: { messageId: number },
    ): Promise<{ topic: string; payload: Buffer; qos: 0 | 1 | 2 } | undefined>
  }
  export default function persistence(options: {
    conn: Redis
    /** Seconds that a queued packet is kept. */
    packetTTL?: (packet: unknown) => number
  }): Persistence
}

declare module 'mqemitter' {
  type Deliver = (packet: never, done: () => void) => void
  type Emitter = {
    readonly current: number
    on(filter: string, deliver: Deliver, done?: () => void): Emitter
    removeListener(filter: string, deliver: Deliver, done?: () => void): Emitter
    emit(packet: object, done: (error?: Error | null) => void): Emitter
    close(done: () => void): Emitter
  }
  export default function mqemitter(options: { concurrency: number; matchEmptyLevels: boolean }): Emitter
}
