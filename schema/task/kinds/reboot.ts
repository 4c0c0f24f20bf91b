import { deviceRebootPermission } from '#schema/device/commands/power'
import { taskKind } from '#schema/kit/task-kind'

/** A reboot of many devices, a share of each group at a time; each is done when it is back with another boot id. */
export const rebootKind = taskKind({
  name: 'reboot',
  permission: { create: deviceRebootPermission, control: deviceRebootPermission },
  sends: { by: 'command', command: 'reboot', argsOf: 'task' },
  steps: ['created', 'sent', 'upgrading', 'done'],
  deadlineS: { sent: 'rebootBackS', upgrading: 'rebootBackS' },
  silence: { sent: 'connectTimeout', upgrading: 'connectTimeout' },
  lockedFrom: 'sent',
  done: 'newBoot',
  sendsMax: 5,
  offline: 'leaveOut',
  icon: 'refresh',
  columns: [],
})
