/**
 * When a task pauses itself, and its rate: limits, what counts, and slow start; pure. [decisions/048] [decisions/071]
 */
import { z } from 'zod'
import { labelled } from '../kit/field.ts'

/** A task of more devices than this is refused. */
export const TASK_MAX_DEVICES = 20_000
/**
 * Maximum devices of one task that work at the same time: 5,000 routers must not overload one file server at once.
 */
export const TASK_MAX_ACTIVE = 500

/**
 * Among the devices tried so far a percentage applies only from a minimum number of failures on: the first failure of
 * 5,000 is insignificant. Of a small task fewer are enough, because five of ten devices would be half of them.
 * What is that share of all devices needs no minimum. [decisions/176]
 */
export const GUARD_MIN_FAILURES = { few: 2, many: 5 }
/** One more failure is needed for each ten devices of the task, between the two bounds. */
const DEVICES_PER_FAILURE = 10
export const leastFailures = (total: number) =>
  Math.min(GUARD_MIN_FAILURES.many, Math.max(GUARD_MIN_FAILURES.few, Math.ceil(total / DEVICES_PER_FAILURE)))
/** Default of the console and the command line. The bare call has no default. */
export const GUARD_PERCENT = 10

/** Minimum time before waiting items of a paused task expire, so that a user can notice. */
export const STOPPED_WAIT_S = 3600

/**
 * A slow start begins with few devices and adds two for each that came back, so that a package that breaks devices
 * affects the first few, not the first 500.
 */
export const RAMP_START = 10
export const RAMP_PER_DONE = 2

/** Why a task is paused. */
export const pauseReasons = ['failures', 'person', 'sender', 'approval', 'wave'] as const
export type PauseReason = (typeof pauseReasons)[number]

export const guardFields = labelled(
  {
    maxFailures: z.coerce
      .number()
      .int()
      .min(1)
      .max(TASK_MAX_DEVICES)
      .nullable()
      .optional()
      .describe('pause when this number of devices has failed; absent or null: no such limit'),
    maxFailurePercent: z.coerce
      .number()
      .int()
      .min(1)
      .max(100)
      .nullable()
      .optional()
      .describe(
        `pause when so many percent of all devices of the waves begun so far have failed (one of a wave of ten is 10 %), not counting those that the platform will retry; and earlier when so many percent of the devices tried so far have, from a minimum of ${GUARD_MIN_FAILURES.few} failures (up to 20 devices) to ${GUARD_MIN_FAILURES.many} (more than 40) on; absent or null: no such limit`,
      ),
  },
  { maxFailures: 'upgrade:guard.count', maxFailurePercent: 'upgrade:guard.percent' },
)

/** The rate of a task; omitted values are those of its kind or command. */
export const paceFields = labelled(
  {
    maxInFlight: z.coerce
      .number()
      .int()
      .min(1)
      .max(TASK_MAX_ACTIVE)
      .optional()
      .describe('maximum number of devices that work at the same time'),
    maxPerSecond: z.coerce
      .number()
      .int()
      .min(1)
      .max(TASK_MAX_ACTIVE)
      .optional()
      .describe('no more are sent per second'),
    groupSharePercent: z.coerce
      .number()
      .int()
      .min(1)
      .max(100)
      .nullable()
      .optional()
      .describe(
        'of a group’s devices in the task at most so many percent are away at the same time; null: all may be',
      ),
    slowStart: z
      .boolean()
      .optional()
      .describe(
        `begins with ${RAMP_START} devices and takes more as they come back; default: with a failure limit, except of commands`,
      ),
  },
  { maxInFlight: 'upgrade:guard.inFlight' },
)

export type Guard = { maxFailures: number | null; maxFailurePercent: number | null }

type Counted = {
  failed: number
  /** Of `failed`, those that the platform does not retry. */
  lasting: number
  tried: number
  total: number
}

/** Whether `failed` of `of` devices are at least the share. */
export const reachesShare = (percent: number, failed: number, of: number): boolean =>
  failed > 0 && failed * 100 >= percent * of

export const isGuarded = ({ maxFailures, maxFailurePercent }: Guard) =>
  maxFailures !== null || maxFailurePercent !== null

/**
 * Whether a task pauses of which `total` devices are in the waves begun so far. `failed` of the `tried` devices, those that were sent the
 * command and not cancelled, have failed, both counted since the start or the last resumption. Devices in progress
 * count as tried: downloads fail sooner than installations succeed, so among ended devices alone every task would
 * begin with failures only.
 */
export function guardTrips(guard: Guard, { failed, lasting, tried, total }: Counted): boolean {
  if (guard.maxFailures !== null && failed >= guard.maxFailures) return true
  const percent = guard.maxFailurePercent
  if (percent === null) return false
  // Whatever the others do, the share stays reached.
  if (reachesShare(percent, lasting, total)) return true
  return failed >= leastFailures(total) && reachesShare(percent, failed, tried)
}

/** The number of failures of `total` devices that pauses the task at the latest; null: it never pauses. */
export function guardStopsAt(guard: Guard, total: number): number | null {
  const byPercent =
    guard.maxFailurePercent === null
      ? Number.POSITIVE_INFINITY
      : Math.max(1, Math.ceil((guard.maxFailurePercent * total) / 100))
  const at = Math.min(guard.maxFailures ?? Number.POSITIVE_INFINITY, byPercent)
  return at <= total ? at : null
}

/** How many devices may work at the same time when `done` have come back. */
export const takesAtOnce = (slowStart: boolean, maxInFlight: number, done: number) =>
  Math.min(maxInFlight, slowStart ? RAMP_START + RAMP_PER_DONE * done : TASK_MAX_ACTIVE)
