/** Reports that go out by mail as CSV, day by day, week by week or month by month. */
import { functions } from './functions.ts'
import type { ReportKind } from './report.ts'

export const scheduleEvery = ['day', 'week', 'month'] as const
export type ScheduleEvery = (typeof scheduleEvery)[number]

/**
 * Why a schedule stopped by itself: its owner is disabled, belongs to another customer now, or may no longer see the
 * report; or the group or device it was for is gone from his view.
 */
export const scheduleStops = ['ownerDisabled', 'ownerMoved', 'ownerNotAllowed', 'targetGone'] as const
export type ScheduleStop = (typeof scheduleStops)[number]

export const RECIPIENTS_MAX = 20
/** Of one owner. */
export const SCHEDULES_MAX = 50

/** What each report needs its owner to hold, besides the right to schedule. */
export const reportFunctions = {
  online: functions.onlineReport,
  traffic: functions.trafficReport,
  signal: functions.signalReport,
  version: functions.versionReport,
} as const satisfies Record<ReportKind, number>
