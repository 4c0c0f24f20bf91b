/**
 * Both packages keep Aedes' sessions and messages on Redis; the first has no types, and the second's are of a
 * different emitter.
 */
declare module 'aedes-persistence-redis' {
  import type { Redis } from 'ioredis'
  export default function persistence(options: {
    conn: Redis
    /** Seconds that a queued packet is kept. */
    packetTTL?: (packet: unknown) => number
  }): unknown
}
