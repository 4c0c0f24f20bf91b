/** Software versions [§2 /graphs/softwareversion]: number of devices per version, now and by day. */

import { z } from 'zod'
import { call } from '../kit/call.ts'
import { permission } from '../kit/permission.ts'
import { screen } from '../kit/screen.ts'
import { instant } from '../kit/time.ts'
import { reportBody } from './report.ts'

export const versionReportPermission = permission({
  id: 8300,
  name: 'versionReport',
  role: 'viewer',
  under: 'version-report',
})

/** Other versions, if two or more, are combined into one line. */
export const VERSIONS_SHOWN = 5

export const getVersionReport = call({
  path: '/api/report/getVersionReport',
  heavy: true,
  permission: versionReportPermission,
  summary:
    'Devices per model and firmware now, and per firmware day by day (UTC); an empty name is not known, * the rest.',
  body: reportBody,
  reply: z.object({
    from: instant,
    to: instant,
    versions: z
      .array(z.string())
      .describe('of all visible devices, most frequent first: the order of their colours'),
    current: z.array(z.object({ model: z.string(), firmware: z.string(), devices: z.number() })),
    /** For each firmware of `firmwares`, one count per day; null: not counted. */
    days: z.array(z.string()),
    firmwares: z.array(z.string()),
    history: z.array(z.array(z.number().nullable())),
  }),
})

export const versionReportScreen = screen({
  name: 'version-report',
  path: '/graphs/softwareversion',
  menuId: 83,
  role: 'viewer',
  permission: versionReportPermission,
  parent: 'report',
  place: 40,
  area: 'management',
})
