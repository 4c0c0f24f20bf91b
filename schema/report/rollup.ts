/** Sums that reports read, kept by jobs. Times are the database's. */
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

/** Counts who was online, and sums devices to fleets and hours to days: the present hour, and those that changed. */
export const rollUpFleet = job({
  name: 'rollUpFleet',
  body: nothing,
  single: true,
  everyMs: 60_000,
  deadlineMs: LONG_DEADLINE_MS,
})

/** A first start reads presence so far back. */
export const BACKFILL_DAYS = 30

/**
 * Our own outage is nobody's absence: a device whose connection ended because a broker stopped or died counts as
 * unknown until the first device of the platform is back, and so much longer, because the others need a moment.
 */
export const RETURN_GRACE_S = 300
/** Outages that began longer ago than this are the device's own after all. */
export const OUTAGE_DAYS_MAX = 2
