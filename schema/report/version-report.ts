/** Software versions [§2 /graphs/softwareversion]: how many devices run which, now and day by day. */
import { z } from 'zod'
import { call } from '../kit/call.ts'
import { screen } from '../kit/screen.ts'
import { instant } from '../kit/time.ts'
import { functions, menus } from '../people/functions.ts'
import { reportBody } from './report.ts'

/** Beyond these the rest of the versions is one line. */
export const VERSIONS_SHOWN = 5

export const getVersionReport = call({
  path: '/api/report/getVersionReport',
  permission: functions.versionReport,
  summary:
    'Devices per model and firmware now, and per firmware day by day (UTC); an empty name is not known, * the rest.',
  body: reportBody,
  reply: z.object({
    from: instant,
    to: instant,
    current: z.array(z.object({ model: z.string(), firmware: z.string(), devices: z.number() })),
    /** Of each firmware of `firmwares`, one count per day; null: nobody counted. */
    days: z.array(z.string()),
    firmwares: z.array(z.string()),
    history: z.array(z.array(z.number().nullable())),
  }),
})

export const versionReportScreen = screen({
  name: 'version-report',
  path: '/graphs/softwareversion',
  menuId: menus.versionReport,
  functionId: functions.versionReport,
  parent: 'report',
  area: 'management',
})
