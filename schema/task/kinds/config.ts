import { configApplyPermission } from '#schema/config/commands/config'
import { taskKind } from '#schema/kit/task-kind'

/** A change of the configuration: each device gets its own packages, tries them, and keeps them once confirmed. */
export const configKind = taskKind({
  name: 'config',
  permission: { create: configApplyPermission, control: configApplyPermission },
  sends: { by: 'command', command: 'applyConfig', argsOf: 'device' },
  steps: ['created', 'sent', 'upgrading', 'done'],
  deadlineS: { sent: 'stepSentS', upgrading: 'command' },
  silence: { sent: 'connectTimeout', upgrading: 'upgradeFailed' },
  lockedFrom: 'sent',
  done: 'configHash',
  sendsMax: 5,
  offline: 'wait',
  icon: 'adjustments',
  columns: [],
})
