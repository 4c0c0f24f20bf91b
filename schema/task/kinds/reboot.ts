import { deviceRebootPermission } from '#schema/device/commands/power'
import { taskKind } from '#schema/kit/task-kind'

/** A restart of many devices, a part of each group at a time; each is done when it is back from another boot. */
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
