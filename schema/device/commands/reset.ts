import { z } from 'zod'
import { command } from '#schema/kit/command'
import { permission } from '#schema/kit/permission'

export const deviceResetPermission = permission({
  id: 1412,
  name: 'deviceReset',
  role: 'customerAdmin',
  under: 'device-list',
})

export const factoryReset = command({
  name: 'factoryReset',
  permission: deviceResetPermission,
  summary:
    'Back to the settings of the factory, then a restart. The serial number, the device secret and remembered command ids stay; with `keepNetwork` also what it needs to come back (WAN and SIM settings). Reply `accepted` first.',
  args: z.object({ keepNetwork: z.boolean().default(true) }),
  reply: z.object({}),
  deadlineS: 600,
  repeatSafe: false,
  verify: 'return',
  effect: 'destroys',
  confirm: 'typed',
  place: 'configuration',
  icon: 'restore',
  bulk: { atOnce: 50, perSecond: 5, shareOfGroup: 0.25 },
  exampleArgs: { keepNetwork: true },
  exampleReply: {},
})
