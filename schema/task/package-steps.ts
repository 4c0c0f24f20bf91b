/**
 * Shared by all kinds that send a file to devices: the seven steps, their deadlines, and the failures that silence
 * causes.
 */
import { type TaskKind, taskSteps } from '../kit/task-kind.ts'
import type { deadlineParameters } from './deadline-parameters.ts'

const deadlineS = {
  sent: 'stepSentS',
  connected: 'stepConnectedS',
  downloading: 'stepDownloadingS',
  downloaded: 'stepDownloadedS',
  upgrading: 'stepUpgradingS',
} as const satisfies Record<string, keyof typeof deadlineParameters>

export const packageSteps = {
  steps: taskSteps,
  deadlineS,
  silence: {
    sent: 'connectTimeout',
    connected: 'downloadTimeout',
    downloading: 'downloadTimeout',
    downloaded: 'unknownError',
    upgrading: 'connectTimeout',
  },
  // Interrupting a flash bricks the device.
  lockedFrom: 'upgrading',
  done: 'version',
  sendsMax: 5,
  offline: 'wait',
  columns: ['versions'],
} as const satisfies Partial<TaskKind>
