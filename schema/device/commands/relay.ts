import { z } from 'zod'
import { command } from '#schema/kit/command'
import { permission } from '#schema/kit/permission'
import { ioName } from '../section-io.ts'

export const deviceRelayPermission = permission({
  id: 1416,
  name: 'deviceRelay',
  role: 'operator',
  under: 'device-list',
})

export const setRelay = command({
  name: 'setRelay',
  permission: deviceRelayPermission,
  summary:
    'Switches an output (`gpio_switch` of the package `system`) by its name, reads it back and replies with what it read; report the section `io` as well. The option `value` stays what it is, the state after a start. A reload of `system` sets all switches to it: put the states from before back afterwards.',
  args: z.object({ name: ioName, on: z.boolean() }),
  reply: z.object({ on: z.boolean().describe('as read back') }),
  deadlineS: 30,
  repeatSafe: true,
  verify: 'reply',
  effect: 'changes',
  confirm: 'ask',
  place: 'part',
  banner: true,
  namedBy: 'on',
  exampleArgs: { name: 'Relay 1', on: true },
  exampleReply: { on: true },
})
