import { z } from 'zod'
import { command } from '#schema/kit/command'
import { permission } from '#schema/kit/permission'
import { taskKind } from '#schema/kit/task-kind'

export const deviceClockPermission = permission({
  id: 1491,
  name: 'deviceClock',
  role: 'operator',
  under: 'device-list',
})

export const syncClock = command({
  name: 'syncClock',
  permission: deviceClockPermission,
  summary: 'Asks its time server at once and sets its clock; replies by how much the clock was wrong.',
  args: z.object({}),
  reply: z.object({ correctedMs: z.int() }),
  deadlineS: 60,
  repeatSafe: true,
  verify: 'reply',
  effect: 'changes',
  confirm: 'none',
  place: 'menu',
  icon: 'clock-check',
  bulk: { atOnce: 500, perSecond: 50, shareOfGroup: 1 },
  exampleArgs: {},
  exampleReply: { correctedMs: -1200 },
})

/** Sets the clocks of many devices; each is done when it replies. */
export const syncClockKind = taskKind({
  name: 'syncClock',
  permission: { create: deviceClockPermission, control: deviceClockPermission },
  sends: { by: 'command', command: 'syncClock', argsOf: 'task' },
  steps: ['created', 'sent', 'upgrading', 'done'],
  deadlineS: { sent: 'command', upgrading: 'command' },
  silence: { sent: 'connectTimeout', upgrading: 'connectTimeout' },
  lockedFrom: 'sent',
  done: 'reply',
  sendsMax: 5,
  offline: 'leaveOut',
  icon: 'clock-check',
  columns: ['result'],
})
