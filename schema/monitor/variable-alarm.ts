/**
 * §2 (264): The records of alarms about variables, and the alarm pages of Cloud Monitoring. They are handled like all
 * others.
 */

import { z } from 'zod'
import { alarmFilters, alarmRow, alarmScreen, alarmSearches, alarmSorts } from '../alarm/alarm.ts'
import { severities } from '../alarm/alarm-kind.ts'
import { contactListPermission } from '../alarm/contact.ts'
import { call } from '../kit/call.ts'
import { listCall } from '../kit/list.ts'
import { permission } from '../kit/permission.ts'
import { rowId } from '../kit/row-id.ts'
import { screen } from '../kit/screen.ts'
import { askedTime, instant } from '../kit/time.ts'
import { seriesPairs } from './variable-history.ts'

export const variableAlarmsPermission = permission({
  id: 26400,
  name: 'variableAlarms',
  role: 'viewer',
  under: 'variable-alarms',
})

export const getVariableAlarmList = listCall({
  path: '/api/variableAlarm/getVariableAlarmList',
  permission: variableAlarmsPermission,
  summary: '[§3 Alarm record] Alarms about variables with what the variable is now, newest first.',
  sorts: alarmSorts,
  descending: ['lastAt'],
  searches: alarmSearches,
  past: true,
  filters: {
    ...alarmFilters,
    state: z.enum(['active', 'cleared']).optional(),
    terminalId: rowId.optional(),
    days: z.coerce.number().int().min(1).max(3650).optional().describe('the last n days'),
  },
  row: alarmRow.extend({
    current: z
      .object({
        value: z.number().nullable(),
        text: z.string().nullable(),
        at: instant,
        quality: z.number(),
        unit: z.string().describe('that the variable has now; empty: none'),
      })
      .nullable()
      .describe('the newest value; null: the terminal or the variable is gone, or nothing has come'),
  }),
})

/** Of one chart. */
export const ALARM_SPANS_MAX = 300
export const getAlarmSpans = call({
  path: '/api/variableAlarm/getAlarmSpans',
  permission: variableAlarmsPermission,
  summary: `When variables were in alarm within a time, newest first, at most ${ALARM_SPANS_MAX}: to be drawn behind their values.`,
  body: z.object({
    ...seriesPairs,
    from: askedTime,
    to: askedTime,
  }),
  reply: z.object({
    list: z.array(
      z.object({
        id: z.number(),
        terminalId: z.number(),
        variableId: z.number(),
        terminalName: z.string(),
        variableName: z.string(),
        ruleName: z.string(),
        severity: z.enum(severities),
        startedAt: instant,
        endedAt: instant.nullable().describe('null: it lasts'),
      }),
    ),
  }),
})

export const variableAlarmScreen = screen({
  name: 'variable-alarms',
  path: '/cloudMonitor/alarmManagement/alarmList',
  lists: 'variableAlarm/getVariableAlarmList',
  menuId: 264,
  role: 'viewer',
  permission: variableAlarmsPermission,
  elseAt: alarmScreen,
  parent: 'monitorAlarm',
  place: 10,
  area: 'monitor',
})
/** §2 (219): The same contacts as in the other area. */
export const monitorContactScreen = screen({
  name: 'monitor-contacts',
  path: '/cloudMonitor/alarmManagement/alarmContact',
  lists: 'contact/getContactList',
  menuId: 219,
  role: 'viewer',
  permission: contactListPermission,
  parent: 'monitorAlarm',
  place: 30,
  area: 'monitor',
})
