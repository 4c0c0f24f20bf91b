/** Online rate [§2 /graphs/onlinerate]: the share of the known time in which devices were online (decision 043). */

import { z } from 'zod'
import { call } from '../kit/call.ts'
import type { FigureBands } from '../kit/figure.ts'
import { permission } from '../kit/permission.ts'
import { screen } from '../kit/screen.ts'
import { reportBody, reportDevice, reportFrame, reportGroup, seriesOf } from './report.ts'

export const onlineReportPermission = permission({
  id: 8000,
  name: 'onlineReport',
  role: 'viewer',
  under: 'online-report',
})

/**
 * Quality of an online rate in percent: 99.5 % are 50 minutes offline in a week, 99 % are 100, 95 % are eight hours.
 */
export const onlineBands: FigureBands = { excellent: 99.5, good: 99, fair: 95 }

const percent = z.number().nullable().describe('0 to 100; null: nothing is known')

export const onlineSeries = ['percent', 'devices'] as const

export const getOnlineReport = call({
  path: '/api/report/getOnlineReport',
  heavy: true,
  permission: onlineReportPermission,
  summary: 'Online rate over time, by group, and the devices that were away longest.',
  body: reportBody,
  reply: z.object({
    ...reportFrame,
    series: seriesOf(onlineSeries),
    previous: seriesOf(onlineSeries).nullable(),
    totals: z.object({ percent, previousPercent: percent, onlineS: z.number(), knownS: z.number() }),
    groups: z.array(z.object({ ...reportGroup, percent, offlineS: z.number() })),
    devices: z.array(z.object({ ...reportDevice, percent, offlineS: z.number() })),
  }),
})

export const onlineReportScreen = screen({
  name: 'online-report',
  path: '/graphs/onlinerate',
  menuId: 80,
  role: 'viewer',
  permission: onlineReportPermission,
  parent: 'report',
  place: 10,
  area: 'management',
})
