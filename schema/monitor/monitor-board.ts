/**
 * §2 (cloudMonitorHome, MonitoringScreen): The figures of the big screen, for one project or for all that the viewer
 * sees.
 */

import { z } from 'zod'
import { call } from '../kit/call.ts'
import { rowId } from '../kit/row-id.ts'
import { instant } from '../kit/time.ts'
import { variableHistoryPermission } from './variable-history.ts'

export const BOARD_HOURS = 24
export const BOARD_DAYS = 7
export const BOARD_RANKED = 10
export const BOARD_PLACES = 2_000

const hours = (of: z.ZodType<number | null>) => z.array(of).describe('one for each time of `at`')

/** Of gateways, those offline first. */
export const boardPlaces = z.array(
  z.object({ name: z.string(), longitude: z.number(), latitude: z.number(), online: z.boolean() }),
)

export const getMonitorBoard = call({
  path: '/api/monitorBoard/getMonitorBoard',
  permission: variableHistoryPermission,
  summary: 'Gateways, terminals and alarms of Cloud Monitoring now, their last day, and the worst of a week.',
  body: z.object({ projectId: rowId.optional() }),
  reply: z.object({
    projectName: z.string().nullable(),
    figures: z.object({
      gateways: z.number(),
      online: z.number(),
      terminals: z.number(),
      answering: z
        .number()
        .describe('whose slave answers, behind gateways that are online, or whose source is connected'),
      values: z.number().describe('variables of these terminals that are collected'),
      alarms: z.number().nullable().describe('open ones; null: the viewer may not see alarms'),
      critical: z.number().nullable(),
    }),
    at: z.array(instant).describe('the starts of the last hours'),
    onlinePercent: hours(z.number().nullable()),
    alarmCounts: hours(z.number().nullable()).describe('alarms that were opened in that hour'),
    offline: z
      .array(z.object({ name: z.string(), seconds: z.number() }))
      .describe('gateways, the longest first'),
    alarming: z
      .array(z.object({ name: z.string(), count: z.number() }))
      .describe('terminals with most alarms'),
    places: boardPlaces,
  }),
})
