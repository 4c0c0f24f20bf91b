import { z } from 'zod'
import { command } from '#schema/kit/command'
import { permission } from '#schema/kit/permission'

export const deviceRebootPermission = permission({
  id: 1405,
  name: 'deviceReboot',
  role: 'operator',
  under: 'device-list',
})

export const reboot = command({
  name: 'reboot',
  permission: deviceRebootPermission,
  summary:
    'Restarts the device. Reply `accepted` first, then go; the platform waits for a hello with another boot id.',
  args: z.object({ delayS: z.int().min(0).max(3600).default(0) }),
  reply: z.object({}),
  deadlineS: 300,
  repeatSafe: false,
  verify: 'return',
  effect: 'interrupts',
  confirm: 'ask',
  place: 'header',
  icon: 'power',
  delayedBy: 'delayS',
  bulk: { atOnce: 200, perSecond: 10, shareOfGroup: 0.25 },
  exampleArgs: { delayS: 0 },
  exampleReply: {},
})
