/** Rate limit of an account's messages. Pure; times in ms. */
import { limits } from '../limits.ts'
import { openBucket } from '../token-bucket.ts'

export function openRate(began: number) {
  const bucket = openBucket({ perSecond: limits.sourceMessagesPerSecond, burst: limits.sourceBurst }, began)
  return {
    /** How long a message must wait; Infinity: it is dropped, which only QoS 0 allows. */
    delay: (qos: number, now: number): number => {
      const waitMs = bucket.take(1, now)
      if (waitMs === 0 || qos > 0) return waitMs
      bucket.give(1)
      return Number.POSITIVE_INFINITY
    },
  }
}
export type Rate = ReturnType<typeof openRate>
