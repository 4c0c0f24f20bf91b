/** Links that show the big screen of one project, or one of its panels, on a wall without a login [decisions/122]. */

import { z } from 'zod'
import { makes, object, uses } from '../kit/about.ts'
import { call } from '../kit/call.ts'
import { labelled, secret } from '../kit/field.ts'
import { listCall } from '../kit/list.ts'
import { permission } from '../kit/permission.ts'
import { line } from '../kit/person.ts'
import { rowId } from '../kit/row-id.ts'
import { screen } from '../kit/screen.ts'
import { instant } from '../kit/time.ts'
import { watchValues } from './live-values.ts'
import { getMonitorBoard } from './monitor-board.ts'
import { getPanel, getPanelPlaces } from './panel.ts'
import { projectObject, projectScreen } from './project.ts'
import { getVariableAlarmList } from './variable-alarm.ts'
import { getVariableHistory } from './variable-history.ts'
import { getVariableValues } from './variable-values.ts'

export const kioskObject = object('kioskLink')

export const kioskPermission = permission({
  id: 21402,
  name: 'kioskLinks',
  role: 'operator',
  under: 'project-list',
})

/** Distinguishes them from sessions and API tokens. */
export const KIOSK_PREFIX = 'kiosk_'
/** Everything that such a link opens, by what it shows; nothing of it writes. */
const shown = {
  bigScreen: [getMonitorBoard, getVariableValues, watchValues, getVariableAlarmList],
  panel: [getPanel, getPanelPlaces, getVariableValues, watchValues, getVariableHistory],
} as const
export type KioskView = keyof typeof shown
export const kioskCalls: Readonly<Record<KioskView, readonly string[]>> = {
  bigScreen: shown.bigScreen.map(({ name }) => name),
  panel: shown.panel.map(({ name }) => name),
}
export const kioskFunctionIds: readonly number[] = [...shown.bigScreen, ...shown.panel].flatMap(
  ({ permission: needed }) => (typeof needed === 'object' ? needed.id : []),
)

export const addKioskLink = call({
  path: '/api/kiosk/addKioskLink',
  permission: kioskPermission,
  writes: true,
  about: makes(kioskObject, { by: 'id', named: 'name', of: { object: projectObject, by: 'projectId' } }),
  summary:
    'A link that shows the big screen of a project, or one of its panels, without a login, with what its maker may see of it. Its token is shown once.',
  body: z.object({
    name: line(64).min(1),
    ...labelled(
      {
        projectId: rowId,
        panelId: rowId.optional().describe('one of the project; absent: its big screen'),
        expiresInDays: z.coerce.number().int().min(1).max(1_830).default(365),
      },
      { projectId: 'kiosk:field.project', panelId: 'kiosk:field.panel', expiresInDays: 'kiosk:field.days' },
    ),
  }),
  blanks: ['panelId'],
  reply: z.object({
    id: z.number(),
    kioskToken: secret(z.string()).describe(
      'for the address /kiosk?language=en-US#kioskToken; of a panel: /kiosk?language=en-US&panel=panelId#kioskToken',
    ),
    expiresAt: instant,
  }),
})

export const getKioskLinks = listCall({
  path: '/api/kiosk/getKioskLinks',
  permission: kioskPermission,
  summary: 'Links to big screens, with their last use.',
  sorts: ['createdAt', 'name', 'expiresAt', 'lastUsedAt'],
  descending: ['createdAt', 'expiresAt', 'lastUsedAt'],
  searches: ['name'],
  filters: { projectId: rowId.optional() },
  row: z.object({
    id: z.number(),
    name: z.string(),
    projectId: z.number(),
    projectName: z.string(),
    panelId: z.number().nullable(),
    panelName: z.string().nullable().describe('null: it shows the big screen'),
    userName: z.string().nullable(),
    createdAt: instant,
    expiresAt: instant,
    lastUsedAt: instant.nullable(),
    revokedAt: instant.nullable(),
  }),
})

export const revokeKioskLink = call({
  path: '/api/kiosk/revokeKioskLink',
  permission: kioskPermission,
  writes: true,
  about: uses(kioskObject, 'id'),
  summary: 'Revokes a link immediately; screens that use it close within seconds.',
  body: z.object({ id: rowId }),
})

export const kioskScreen = screen({
  name: 'kiosk-list',
  path: '/cloudMonitor/deviceManagement/kioskLinks',
  under: projectScreen,
  place: 25,
  permission: kioskPermission,
  area: 'monitor',
})
