import { deviceResetPermission } from '#schema/device/commands/reset'
import { taskKind } from '#schema/kit/task-kind'

/**
 * Factory settings for many devices, a share of each group at a time, once a second person has approved it; each is
 * done when it is back with another boot id.
 */
export const factoryResetKind = taskKind({
  name: 'factoryReset',
  permission: { create: deviceResetPermission, control: deviceResetPermission },
  sends: { by: 'command', command: 'factoryReset', argsOf: 'task' },
  steps: ['created', 'sent', 'upgrading', 'done'],
  deadlineS: { sent: 'command', upgrading: 'command' },
  silence: { sent: 'connectTimeout', upgrading: 'connectTimeout' },
  lockedFrom: 'sent',
  done: 'newBoot',
  sendsMax: 5,
  offline: 'leaveOut',
  secondPerson: true,
  icon: 'restore',
  columns: [],
})
