import { taskKind } from '#schema/kit/task-kind'

/** Any declared command with `bulk`, to many devices; permission, deadline and proof are the command's. */
export const commandKind = taskKind({
  name: 'command',
  permission: { create: null, control: null },
  sends: { by: 'command', command: null, argsOf: 'task' },
  steps: ['created', 'sent', 'upgrading', 'done'],
  deadlineS: { sent: 'command', upgrading: 'command' },
  silence: { sent: 'connectTimeout', upgrading: 'connectTimeout' },
  lockedFrom: 'sent',
  done: 'reply',
  sendsMax: 5,
  offline: 'leaveOut',
  icon: 'terminal-2',
  columns: ['result'],
})
