/** Traffic [§2 /graphs/flowstatistics]: bytes received and sent. */
import { z } from 'zod'
import { call } from '../kit/call.ts'
import { screen } from '../kit/screen.ts'
import { functions, menus } from '../people/functions.ts'
import { reportBody, reportDevice, reportFrame, reportGroup, seriesOf } from './report.ts'

const bytes = z.number().nullable().describe('null: nothing was counted')
const moved = { rxBytes: bytes, txBytes: bytes }

export const trafficSeries = ['rxBytes', 'txBytes'] as const

export const getTrafficReport = call({
  path: '/api/report/getTrafficReport',
  permission: functions.trafficReport,
  summary: 'Traffic over time, by group, and the devices that moved most.',
  body: reportBody,
  reply: z.object({
    ...reportFrame,
    series: seriesOf(trafficSeries),
    previous: seriesOf(trafficSeries).nullable(),
    totals: z.object({ ...moved, previousRxBytes: bytes, previousTxBytes: bytes }),
    groups: z.array(z.object({ ...reportGroup, ...moved })),
    devices: z.array(z.object({ ...reportDevice, ...moved })),
  }),
})

export const trafficReportScreen = screen({
  name: 'traffic-report',
  path: '/graphs/flowstatistics',
  menuId: menus.trafficReport,
  functionId: functions.trafficReport,
  parent: 'report',
  area: 'management',
})
