/** Rate limit of an account's messages: a token bucket. Pure; times in ms. */
import { limits } from '../limits.ts'

export function openRate(began: number) {
  let tokens: number = limits.sourceBurst
  let refilledAt = began
  return {
    /** How long a message must wait; Infinity: it is dropped, which only QoS 0 allows. */
    delay: (qos: number, now: number): number => {
      const refill = ((now - refilledAt) / 1000) * limits.sourceMessagesPerSecond
      tokens = Math.min(limits.sourceBurst, tokens + refill) - 1
      refilledAt = now
      if (tokens >= 0) return 0
      if (qos > 0) return (-tokens * 1000) / limits.sourceMessagesPerSecond
      tokens++
      return Number.POSITIVE_INFINITY
    },
  }
}
export type Rate = ReturnType<typeof openRate>
