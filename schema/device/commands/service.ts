import { z } from 'zod'
import { command } from '#schema/kit/command'
import { permission } from '#schema/kit/permission'
import { serviceName, serviceStates } from '../section.ts'

export const deviceServicesPermission = permission({
  id: 1411,
  name: 'deviceServices',
  role: 'operator',
  under: 'device-list',
})

export const serviceActions = ['start', 'stop', 'restart'] as const

export const controlService = command({
  name: 'controlService',
  permission: deviceServicesPermission,
  summary:
    'Starts, stops or restarts a system service. The result contains its state afterwards; report the section `services` as well.',
  args: z.object({ name: serviceName, action: z.enum(serviceActions) }),
  reply: z.object({ state: z.enum(serviceStates) }),
  deadlineS: 60,
  repeatSafe: false,
  verify: 'reply',
  effect: 'changes',
  confirm: 'ask',
  unasked: { action: ['start'] },
  place: 'part',
  banner: true,
  namedBy: 'action',
  exampleArgs: { name: 'dnsmasq', action: 'restart' },
  exampleReply: { state: 'running' },
})
