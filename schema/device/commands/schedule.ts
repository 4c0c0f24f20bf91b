/**
 * A scheduled reboot as seen by devices: points in time, not rules. Time zones and summer time are handled by the
 * platform.
 */

import { z } from 'zod'
import { command } from '#schema/kit/command'
import { permission } from '#schema/kit/permission'
import { deviceTime } from '#schema/kit/time'

export const deviceSchedulePermission = permission({
  id: 1413,
  name: 'deviceSchedule',
  role: 'operator',
  under: 'device-list',
})

/** Number of coming times sent to a device: a month of daily reboots without the platform. */
export const PLANNED_RUNS = 32
/** A connected device waits this long after the scheduled time for the platform's command, then reboots by itself. */
export const DEVICE_WAITS_S = 60

export const setSchedule = command({
  name: 'setSchedule',
  permission: deviceSchedulePermission,
  summary:
    'The next times at which it must restart; replaces the earlier ones, an empty list ends the schedule. Store them durably, with the last time that was run. Report the section `schedule` afterwards.',
  args: z.object({
    revision: z.int().min(0).max(2_147_483_647),
    dueAts: z.array(deviceTime).max(PLANNED_RUNS).describe('ascending'),
    waitS: z
      .int()
      .min(1)
      .max(3600)
      .describe('while connected, wait so long after a moment for `scheduledReboot`'),
  }),
  reply: z.object({ revision: z.int().min(0) }),
  deadlineS: 60,
  repeatSafe: true,
  verify: 'reply',
  effect: 'changes',
  confirm: 'none',
  platformOnly: true,
  exampleArgs: { revision: 3, dueAts: [1795284000000, 1795370400000], waitS: DEVICE_WAITS_S },
  exampleReply: { revision: 3 },
})

export const scheduledReboot = command({
  name: 'scheduledReboot',
  permission: deviceSchedulePermission,
  summary:
    'Restart now, for the moment `dueAt`. Note `dueAt` durably as run, reply `accepted`, then go. A moment that was already run (or any before the last one run) is not run again: reply `failed`.',
  args: z.object({ dueAt: deviceTime }),
  reply: z.object({}),
  deadlineS: 300,
  repeatSafe: false,
  verify: 'return',
  effect: 'interrupts',
  confirm: 'none',
  banner: true,
  platformOnly: true,
  exampleArgs: { dueAt: 1795284000000 },
  exampleReply: {},
})
