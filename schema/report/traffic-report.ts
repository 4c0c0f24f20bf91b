/** Traffic [§2 /graphs/flowstatistics]: bytes received and sent. */

import { z } from 'zod'
import { call } from '../kit/call.ts'
import { permission } from '../kit/permission.ts'
import { screen } from '../kit/screen.ts'
import { reportBody, reportDevice, reportFrame, reportGroup, seriesOf } from './report.ts'

export const trafficReportPermission = permission({
  id: 8100,
  name: 'trafficReport',
  role: 'viewer',
  under: 'traffic-report',
})

const bytes = z.number().nullable().describe('null: nothing was counted')
const moved = { rxBytes: bytes, txBytes: bytes }

export const trafficSeries = ['rxBytes', 'txBytes'] as const

export const getTrafficReport = call({
  path: '/api/report/getTrafficReport',
  heavy: true,
  permission: trafficReportPermission,
  summary: 'Traffic over time, by group, and the devices that moved most.',
  body: reportBody,
  reply: z.object({
    ...reportFrame,
    series: seriesOf(trafficSeries),
    previous: seriesOf(trafficSeries).nullable(),
    totals: z.object({
      ...moved,
      previousRxBytes: bytes.describe('null: less is known of the period before'),
      previousTxBytes: bytes,
    }),
    groups: z.array(z.object({ ...reportGroup, ...moved })),
    devices: z.array(z.object({ ...reportDevice, ...moved })),
  }),
})

export const trafficReportScreen = screen({
  name: 'traffic-report',
  path: '/graphs/flowstatistics',
  menuId: 81,
  role: 'viewer',
  permission: trafficReportPermission,
  parent: 'report',
  place: 20,
  area: 'management',
})
