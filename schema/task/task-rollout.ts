/** How a task of any kind is rolled out: waves, hours, soak, automatic retries. [decisions/094] */
import { z } from 'zod'
import { labelled } from '../kit/field.ts'
import { flag } from '../kit/flag.ts'
import { shaped } from '../kit/shape.ts'
import { taskFailures } from '../kit/task-kind.ts'
import { JOIN_DAYS_MAX, joinUntil } from './task-join.ts'
import { waveRules } from './task-wave.ts'
import { clockWindow } from './task-window.ts'

export const WAVES_MAX = 20
export const RETRIES_MAX = 5
/** A task may wait this long for offline devices. */
export const WAIT_MINUTES_MAX = 43_200
/** `networkMode` of uplinks that do not use a SIM's plan, in capitals. */
export const UNMETERED: readonly string[] = ['WIRED', 'WIFI', 'ETHERNET']
/** Share of a wave's devices; the console's default. */
export const WAVE_SUCCESS_PERCENT = 90

const clock = z.string().regex(shaped(/^([01]\d|2[0-3]):[0-5]\d$/, 'clockTime'))

const retryRule = z.object({
  failure: z.enum(taskFailures),
  times: z.coerce.number().int().min(1).max(RETRIES_MAX),
  afterMinutes: z.coerce.number().int().min(1).max(1440).describe('before the first; doubles each time'),
})
export type RetryRule = z.output<typeof retryRule>

const window = clockWindow(clock)

export const rolloutFields = labelled(
  {
    waves: z
      .array(waveRules)
      .max(WAVES_MAX)
      .optional()
      .describe('devices in order, a percentage, a number or a group at a time; the rest is the last wave'),
    waveSuccessPercent: z.coerce
      .number()
      .int()
      .min(1)
      .max(100)
      .optional()
      .describe(
        `the next wave begins when so many percent of a wave’s reachable devices are done; default ${WAVE_SUCCESS_PERCENT}`,
      ),
    soakMinutes: z.coerce
      .number()
      .int()
      .min(1)
      .max(1440)
      .nullable()
      .optional()
      .describe('a device is done only if it stayed healthy for this long after it reported the target'),
    window: window
      .nullable()
      .optional()
      .describe(
        'devices are sent something only between these times of their own day; one that has not begun to install when they end is called back, and continues its download in the next',
      ),
    unmetered: flag
      .optional()
      .describe(
        'devices get it only while they are connected by wire or Wi-Fi, by their last status; one whose status names a mobile network before it has downloaded is called back, and continues when it is back on the other',
      ),
    joinUntil: joinUntil
      .nullable()
      .optional()
      .describe(
        `the filter is followed until then, at most ${JOIN_DAYS_MAX} days: devices that match it later are included. Only a filter by customer, group, model and firmware can be followed`,
      ),
    retries: z
      .array(retryRule)
      .max(taskFailures.length)
      .optional()
      .describe('failures that are retried by the platform; never of devices past recall'),
  },
  {
    waves: 'rollout:field.waves',
    waveSuccessPercent: 'rollout:field.success',
    soakMinutes: 'rollout:field.soak',
    window: 'rollout:field.window',
    unmetered: 'rollout:field.unmetered',
    joinUntil: 'rollout:field.joinUntil',
    retries: 'rollout:field.retries',
  },
)
