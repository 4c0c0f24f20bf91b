import { z } from 'zod'
import { command } from '#schema/kit/command'
import { field } from '#schema/kit/field'
import { permission } from '#schema/kit/permission'
import { shaped } from '#schema/kit/shape'

export const devicePasswordPermission = permission({
  id: 1417,
  name: 'devicePassword',
  role: 'operator',
  under: 'device-list',
})

export const setDevicePassword = command({
  name: 'setDevicePassword',
  permission: devicePasswordPermission,
  summary:
    'Sets the password of an account of its system, as `passwd` does; it is no part of UCI. The account must exist. `password` is written nowhere else, and to no log.',
  args: z.object({
    account: z
      .string()
      .trim()
      .min(1)
      .max(32)
      .regex(shaped(/^([a-z_][a-z0-9_-]*)?$/, 'systemAccount'))
      .default('root'),
    password: field(
      z
        .string()
        .min(8)
        .max(128)
        .regex(shaped(/^[!-~]+$/, 'ascii')),
      {
        secret: true,
        input: 'password',
      },
    ),
  }),
  reply: z.object({}),
  deadlineS: 60,
  repeatSafe: true,
  verify: 'reply',
  effect: 'changes',
  confirm: 'ask',
  place: 'configuration',
  icon: 'password-user',
  exampleArgs: { account: 'root', password: 'correct-horse-battery' },
  exampleReply: {},
})
