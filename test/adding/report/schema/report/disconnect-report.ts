/** Why devices went offline, day by day. */

import { z } from 'zod'
import { offlineReasons } from '../device/presence.ts'
import { call } from '../kit/call.ts'
import { permission } from '../kit/permission.ts'
import { screen } from '../kit/screen.ts'
import { reportBody, seriesOf } from './report.ts'

export const disconnectReportPermission = permission({
  id: 8400,
  name: 'disconnectReport',
  role: 'viewer',
  under: 'disconnect-report',
})

export const getDisconnectReport = call({
  path: '/api/report/getDisconnectReport',
  permission: disconnectReportPermission,
  summary: 'How many connections ended on each day, by reason; null: that day is no longer kept.',
  body: reportBody,
  reply: z.object({
    zone: z.string().describe('whose midnights divide the days'),
    days: z.array(z.string()),
    series: seriesOf(offlineReasons),
  }),
})

export const disconnectReportScreen = screen({
  name: 'disconnect-report',
  path: '/graphs/disconnects',
  menuId: 84,
  role: 'viewer',
  permission: disconnectReportPermission,
  parent: 'report',
  place: 50,
  area: 'management',
})
