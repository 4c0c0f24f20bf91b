/**
 * How long, and how much, is kept of data that grows without limit. tables/retention.ts says which rows are deleted.
 */
import { parameter } from '../kit/parameter.ts'
import type { ServerKey } from '../kit/words.gen.ts'

const kept = (
  [initial, min, max]: [number, number, number],
  description: ServerKey = 'parameter:description.removed',
) => parameter(description, { unit: 'days', initial, min, max })

/** Minimum retention of the operation log and login history, whatever the parameter; a trigger enforces it too. */
export const LOG_DAYS_MIN = 180

export const retentionParameters = {
  statusDays: kept([30, 2, 366]),
  deviceLogDays: kept([30, 2, 366]),
  probeDays: kept([30, 2, 366]),
  variableDays: kept([366, 31, 3650]),
  variableSumDays: kept([1095, 62, 3650]),
  hourDays: kept([90, 31, 730], 'parameter:description.hourDays'),
  trafficDays: kept([730, 62, 3650], 'parameter:description.trafficDays'),
  presenceDays: kept([365, 7, 3650], 'parameter:description.presenceDays'),
  simSwitchDays: kept([730, 30, 3650]),
  warningDays: kept([90, 7, 3650]),
  printerDays: kept([365, 7, 3650], 'parameter:description.printerDays'),
  advertisementDays: kept([730, 62, 3650], 'parameter:description.advertisementDays'),
  commandDays: kept([180, 7, 3650], 'parameter:description.commandDays'),
  recordingDays: kept([90, 1, 3650], 'parameter:description.recordingDays'),
  scheduleRunDays: kept([365, 30, 3650]),
  backupsKept: parameter('parameter:description.backupsKept', {
    unit: 'pieces',
    initial: 20,
    min: 1,
    max: 200,
  }),
  failedBackupDays: kept([30, 1, 366], 'parameter:description.failedBackupDays'),
  taskDays: kept([1095, 90, 3650], 'parameter:description.taskDays'),
  taskEventDays: kept([365, 30, 3650]),
  alarmDays: kept([730, 30, 3650], 'parameter:description.alarmDays'),
  noticeDays: kept([180, 7, 3650], 'parameter:description.noticeDays'),
  mailDays: kept([90, 7, 3650], 'parameter:description.mailDays'),
  operationDays: kept([730, LOG_DAYS_MIN, 3650]),
  loginDays: kept([365, LOG_DAYS_MIN, 3650]),
} as const
