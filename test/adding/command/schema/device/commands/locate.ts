import { z } from 'zod'
import { command } from '#schema/kit/command'
import { permission } from '#schema/kit/permission'

export const deviceLocatePermission = permission({
  id: 1490,
  name: 'deviceLocate',
  role: 'operator',
  under: 'device-list',
})

export const locate = command({
  name: 'locate',
  permission: deviceLocatePermission,
  summary: 'Blinks its LEDs, so that a person in front of a rack finds it.',
  args: z.object({ durationS: z.int().min(1).max(300).default(30) }),
  reply: z.object({}),
  deadlineS: 60,
  repeatSafe: true,
  verify: 'reply',
  effect: 'harmless',
  confirm: 'none',
  place: 'menu',
  icon: 'bulb',
  exampleArgs: { durationS: 30 },
  exampleReply: {},
})
