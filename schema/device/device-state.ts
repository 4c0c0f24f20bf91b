/** The one state of a device that every list, page, map and export shows; computed by api/device/device-state.ts. */
import { z } from 'zod'
import { alarmKindNames, severities } from '../alarm/alarm-kind.ts'

/**
 * In the order of the list. Of several that hold the most telling one is shown: revoked, upgrading, rebooting, then
 * presence. A rebooting device was sent a restart and has not come back yet.
 */
export const deviceStates = ['online', 'rebooting', 'upgrading', 'offline', 'neverSeen', 'revoked'] as const
export type DeviceState = (typeof deviceStates)[number]

/** Part of every row that shows a device's state but not its alarms. */
export const stated = {
  state: z.enum(deviceStates),
  stateAt: z.number().nullable().describe('since when, in ms since 1970; null: never seen'),
  statePercent: z.number().min(0).max(100).nullable().describe('of the upgrade’s current step, if reported'),
}

/** For a device that may belong to another customer by now. */
export const deviceWork = {
  ...stated,
  state: stated.state.nullable().describe('null: it has another owner now'),
}

/** Part of every row that shows a device. */
export const deviceStateFields = {
  ...stated,
  alarmSeverity: z
    .enum(severities)
    .nullable()
    .describe('the highest of its active alarms; null: none, or not visible to this user'),
  alarmCount: z.number().describe('active alarms that this user may see'),
}

/** What is wrong with one device: the alarms counted by `alarmCount`. */
export const activeAlarms = z
  .array(z.object({ kind: z.enum(alarmKindNames), severity: z.enum(severities), count: z.number() }))
  .describe('worst first')

/** The task that it works on, or waits for. */
export const activeTask = z
  .object({
    taskId: z.number(),
    kind: z.string(),
    name: z.string(),
    step: z.string(),
    percent: z.number().nullable(),
  })
  .nullable()
