/** Background maintenance: partitions, rollups, dead brokers. */
import { z } from 'zod'
import { job, LONG_DEADLINE_MS } from '../kit/job.ts'

const nothing = z.object({})
/** Creates tomorrow's partitions and drops those past retention. */
export const maintainPartitions = job({
  name: 'maintainPartitions',
  body: nothing,
  single: true,
  everyMs: 3_600_000,
})
/** Adds counter differences of new samples to the hourly traffic. */
export const rollUpTraffic = job({
  name: 'rollUpTraffic',
  body: nothing,
  single: true,
  everyMs: 15_000,
  deadlineMs: LONG_DEADLINE_MS,
})
/** Marks devices offline whose broker has stopped sending heartbeats. */
export const sweepBrokers = job({ name: 'sweepBrokers', body: nothing, single: true, everyMs: 5_000 })

/** A broker writes its heartbeat this often; one silent for three times as long is lost. */
export const BROKER_BEAT_MS = 2_000
export const BROKER_LOST_MS = 3 * BROKER_BEAT_MS

/**
 * Deletes rows older than the parameters say (tables/retention.ts); the operation log and login history never within
 * half a year.
 */
export const trimHistory = job({
  name: 'trimHistory',
  body: nothing,
  single: true,
  everyMs: 3_600_000,
  deadlineMs: LONG_DEADLINE_MS,
})

/**
 * Removes pieces of recordings without a row from an object store: the store was unavailable when a file was discarded,
 * or a process was killed between the first piece and its row.
 */
export const removeStrayPieces = job({
  name: 'removeStrayPieces',
  body: nothing,
  single: true,
  everyMs: 6 * 3_600_000,
})
