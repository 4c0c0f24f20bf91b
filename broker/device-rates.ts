/**
 * Limits the rate of one device's messages: a gateway that repeats its reports without end, or somebody with a stolen secret, must not fill
 * the disk that all customers share. A device beyond it is not read for a while, on all of its connections; nothing is lost.
 */
import type { Guard } from './guard.ts'
import { limits } from './limits.ts'
import { type Bucket, openBucket } from './token-bucket.ts'
import type { Warnings } from './warnings.ts'

/** A connection's messages are counted in groups, because the clock costs as much as the counting. */
const GROUP = 64
const FORGET_MS = 60_000
const RATE = { perSecond: limits.devicePublishesPerSecond, burst: limits.devicePublishBurst }

export function openDeviceRates(warnings: Warnings) {
  const buckets = new Map<number, Bucket>()
  let forgottenAt = performance.now()

  function bucketOf(deviceId: number, now: number): Bucket {
    if (now - forgottenAt > FORGET_MS) {
      forgottenAt = now
      for (const [id, bucket] of buckets) if (bucket.isFull(now)) buckets.delete(id)
    }
    const found = buckets.get(deviceId)
    if (found) return found
    const made = openBucket(RATE, now)
    buckets.set(deviceId, made)
    return made
  }

  return {
    /** Counts a PUBLISH; beyond the rate the connection is paused. */
    count: (guard: Guard): void => {
      if (guard.peer?.kind !== 'device') return
      guard.pace ??= { isOver: false, uncounted: 0 }
      const { pace } = guard
      if (++pace.uncounted < GROUP) return
      const now = performance.now()
      const { deviceId } = guard.peer
      const bucket = bucketOf(deviceId, now)
      const waitMs = bucket.take(pace.uncounted, now)
      pace.uncounted = 0
      if (waitMs === 0 || pace.isOver) return
      pace.isOver = true
      warnings.warn(deviceId, 'tooMany', `more than ${RATE.perSecond} messages a second`)
      // What had been read already, here and on its other connections, has to be waited for as well.
      const goOn = () => {
        const leftMs = bucket.take(0, performance.now())
        if (leftMs > 0) return void setTimeout(goOn, leftMs).unref()
        pace.isOver = false
        guard.flow()
      }
      setTimeout(goOn, waitMs).unref()
    },
  }
}
