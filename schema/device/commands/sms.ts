import { z } from 'zod'
import { command } from '#schema/kit/command'
import { permission } from '#schema/kit/permission'
import { shaped } from '#schema/kit/shape'

export const deviceSmsPermission = permission({
  id: 1418,
  name: 'deviceSms',
  role: 'operator',
  under: 'device-list',
})

export const sendSms = command({
  name: 'sendSms',
  permission: deviceSmsPermission,
  summary:
    'Sends a short message with its SIM. `parts` is how many the network counts; `done` when it has taken all of them. A text is sent once for each id of the command.',
  args: z.object({
    number: z.string().regex(shaped(/^\+[1-9]\d{6,14}$/, 'internationalPhone')),
    text: z.string().min(1).max(1500).describe('at most 1500 bytes of UTF-8'),
  }),
  reply: z.object({ parts: z.int().min(1).max(64) }),
  deadlineS: 180,
  // The device remembers the id: it replies to a repeated command and sends nothing more.
  repeatSafe: true,
  verify: 'reply',
  effect: 'changes',
  confirm: 'none',
  platformOnly: true,
  // Number and text are personal data.
  personal: true,
  exampleArgs: { number: '+8613800138000', text: 'The service will call tomorrow' },
  exampleReply: { parts: 1 },
})
