/** Signal [§2 /graphs/signalstatistics]: RSSI in dBm of devices that report it; bands in schema/report/report.ts. */

import { z } from 'zod'
import { call } from '../kit/call.ts'
import { bandNames } from '../kit/figure.ts'
import { permission } from '../kit/permission.ts'
import { screen } from '../kit/screen.ts'
import { reportBody, reportDevice, reportFrame, reportGroup, seriesOf } from './report.ts'

export const signalReportPermission = permission({
  id: 8200,
  name: 'signalReport',
  role: 'viewer',
  under: 'signal-report',
})

const dbm = z.number().nullable().describe('dBm; null: not reported')

/** `average` of the devices' averages, equally weighted; the bands are shares of devices in percent. */
export const signalSeries = ['average', 'min', 'max', ...bandNames] as const

export const getSignalReport = call({
  path: '/api/report/getSignalReport',
  heavy: true,
  permission: signalReportPermission,
  summary: 'Signal over time, its distribution, by group, and the devices with the worst.',
  body: reportBody,
  reply: z.object({
    ...reportFrame,
    series: seriesOf(signalSeries),
    previous: seriesOf(['average']).nullable(),
    totals: z.object({ average: dbm, previousAverage: dbm, min: dbm, max: dbm, poorPercent: dbm }),
    groups: z.array(z.object({ ...reportGroup, average: dbm, poorPercent: dbm })),
    devices: z.array(z.object({ ...reportDevice, average: dbm, samples: z.number() })),
  }),
})

export const signalReportScreen = screen({
  name: 'signal-report',
  path: '/graphs/signalstatistics',
  menuId: 82,
  role: 'viewer',
  permission: signalReportPermission,
  parent: 'report',
  place: 30,
  area: 'management',
})
