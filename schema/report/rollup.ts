/** Sums for reports, maintained by jobs. Times are the database's. */
import { z } from 'zod'
import { job, LONG_DEADLINE_MS } from '../kit/job.ts'

const nothing = z.object({})

/** Adds new status samples to the hours of their devices, exactly once. */
export const rollUpSignal = job({
  name: 'rollUpSignal',
  body: nothing,
  single: true,
  everyMs: 30_000,
  deadlineMs: LONG_DEADLINE_MS,
})

/** Computes online times, and sums devices to fleets and hours to days: the current hour, and changed ones. */
export const rollUpFleet = job({
  name: 'rollUpFleet',
  body: nothing,
  single: true,
  everyMs: 60_000,
  deadlineMs: LONG_DEADLINE_MS,
})

/** Range of presence records that a first start reads. */
export const BACKFILL_DAYS = 30

/**
 * After an outage of the platform, a device whose connection ended because a broker stopped or died counts as unknown
 * until the first device is back, and this much longer, because the others need a moment.
 */
export const RETURN_GRACE_S = 300
/** Disconnections by an outage longer ago than this count as offline. */
export const OUTAGE_DAYS_MAX = 2

/** 10 Gbit/s. A counter that runs faster is wrong and would corrupt every sum after it. */
export const BYTES_PER_S_MAX = 1_250_000_000
