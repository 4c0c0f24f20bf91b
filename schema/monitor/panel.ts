/** Panels: screens of a project that users compose of widgets [decisions/131]. */

import { z } from 'zod'
import { deletes, edits, makes, object, reads } from '../kit/about.ts'
import { bodyLimits, call, keyLimits } from '../kit/call.ts'
import { edition, openedEdition } from '../kit/edition.ts'
import { because, type Fault } from '../kit/fault.ts'
import { field, labelled } from '../kit/field.ts'
import { listCall } from '../kit/list.ts'
import { permission } from '../kit/permission.ts'
import { line } from '../kit/person.ts'
import { refusal } from '../kit/refusal.ts'
import { rowId } from '../kit/row-id.ts'
import { screen } from '../kit/screen.ts'
import { instant } from '../kit/time.ts'
import { imageId } from '../people/image.ts'
import { boardPlaces } from './monitor-board.ts'
import { PANEL_COLUMNS, PANEL_ROWS, WIDGETS_MAX, widgetFacts, widgetKinds } from './panel-layout.ts'
import { panelTemplates } from './panel-templates.ts'
import { projectObject } from './project.ts'

export const panelObject = object('panel')

export const panelListPermission = permission({
  id: 90700,
  name: 'panelList',
  role: 'viewer',
  under: 'panel-list',
})
export const panelEditPermission = permission({
  id: 90701,
  name: 'panelEdit',
  role: 'operator',
  under: 'panel-list',
})

/** Of a project. */
export const PANELS_MAX = 50
/** Of all widgets together, each counted once. */
export const PANEL_VARIABLES_MAX = 400
export const PANEL_BYTES_MAX = 65_536

export const panelRefusals = {
  panelNameTaken: refusal(480, 'panel:refusal.nameTaken'),
  tooManyPanels: refusal(481, 'panel:refusal.tooManyPanels'),
  panelTooLarge: refusal(482, 'panel:refusal.tooLarge'),
  tooManyOnPanel: refusal(483, 'panel:refusal.tooManyVariables'),
  notOfProject: refusal(484, 'panel:refusal.notOfProject'),
  widgetTwice: refusal(485, 'panel:refusal.widgetTwice'),
  widgetsOverlap: refusal(486, 'panel:refusal.widgetsOverlap'),
  widgetMisfit: refusal(487, 'panel:refusal.widgetMisfit'),
  panelOfOther: refusal(488, 'panel:refusal.panelOfOther'),
}

const cells = (least: number, most: number) => z.coerce.number().int().min(least).max(most)
const percent = z.coerce.number().min(0).max(100)
const VARIABLES_MAX = Math.max(...Object.values(widgetFacts).map(({ variables }) => variables))

const widget = z.object({
  key: field(line(12).min(1), { secret: false }),
  kind: z.enum(widgetKinds),
  x: cells(0, PANEL_COLUMNS - 1),
  y: cells(0, PANEL_ROWS - 1),
  w: cells(1, PANEL_COLUMNS),
  h: cells(1, PANEL_ROWS),
  title: line(64).default(''),
  variables: z
    .array(
      z.object({
        terminalId: rowId,
        variableId: rowId,
        left: percent.optional().describe('its position on a picture, in percent of the width'),
        top: percent.optional(),
      }),
    )
    .max(VARIABLES_MAX)
    .default([]),
  least: z.number().optional().describe('of a gauge; absent: of the variable, or 0'),
  most: z.number().optional(),
  hours: cells(1, 744).optional().describe('of a trend'),
  imageId: imageId.optional().describe('of a picture'),
})
export type Widget = z.output<typeof widget>

/** Why a gauge cannot be drawn: its end must be beyond its beginning. */
export const gaugeFault = ({ kind, least, most }: Pick<Widget, 'kind' | 'least' | 'most'>): Fault | null =>
  kind === 'gauge' && least !== undefined && most !== undefined && most <= least
    ? { reason: 'above', n: least }
    : null
const savedWidget = widget.superRefine((one, ctx) => {
  const fault = gaugeFault(one)
  if (fault) ctx.addIssue({ code: 'custom', path: ['most'], ...because(fault) })
})

const projectId = rowId
const name = line(64).min(1)
const head = {
  id: z.number(),
  name: z.string(),
  projectId: z.number(),
  projectName: z.string(),
  updatedAt: instant,
}

export const getPanelList = listCall({
  path: '/api/panel/getPanelList',
  permission: panelListPermission,
  summary: 'Panels of the projects that the actor may see.',
  sorts: ['name', 'projectName', 'updatedAt'],
  descending: ['updatedAt'],
  searches: ['name', 'projectName'],
  filters: { projectId: projectId.optional() },
  row: z.object({ ...head, customerName: z.string(), widgetCount: z.number(), edition }),
})

export const getPanel = call({
  path: '/api/panel/getPanel',
  permission: panelListPermission,
  about: reads(panelObject, 'id'),
  summary: 'A panel with its widgets; their values come from getVariableValues.',
  body: z.object({ id: rowId }),
  reply: z.object({ ...head, widgets: z.array(widget), edition }),
})

export const getPanelPlaces = call({
  path: '/api/panel/getPanelPlaces',
  permission: panelListPermission,
  about: reads(panelObject, 'id'),
  summary: 'Where the gateways of the project of a panel are, for its maps, and which of them are online.',
  body: z.object({ id: rowId }),
  reply: z.object({ places: boardPlaces }),
})

export const addPanel = call({
  path: '/api/panel/addPanel',
  permission: panelEditPermission,
  writes: true,
  about: makes(panelObject, { by: 'id', named: 'name', of: { object: projectObject, by: 'projectId' } }),
  summary: 'Adds a panel to a project: empty, or made by a template of the variables that the project has.',
  body: z.object({
    ...labelled({ projectId }, { projectId: 'panel:field.project' }),
    name,
    template: z.enum(panelTemplates).default('empty'),
  }),
  reply: z.object({ id: z.number() }),
})

export const modifyPanel = call({
  path: '/api/panel/modifyPanel',
  permission: panelEditPermission,
  writes: true,
  about: edits(panelObject, 'id'),
  summary: 'Renames a panel.',
  body: z.object({ id: rowId, name, edition: openedEdition }),
})

export const savePanel = call({
  path: '/api/panel/savePanel',
  permission: panelEditPermission,
  writes: true,
  bodyLimit: bodyLimits.selection,
  about: edits(panelObject, 'id', 'widgets'),
  summary:
    'Replaces the widgets of a panel. New variables must be of its project and visible to the actor; those that were shown before may stay.',
  body: z.object({ id: rowId, widgets: z.array(savedWidget).max(WIDGETS_MAX), edition: openedEdition }),
  keyLimit: keyLimits.rows,
})

export const deletePanel = call({
  path: '/api/panel/deletePanel',
  permission: panelEditPermission,
  writes: true,
  about: deletes(panelObject, 'id'),
  summary: 'Deletes a panel.',
  body: z.object({ id: rowId }),
})

export const panelListScreen = screen({
  name: 'panel-list',
  path: '/cloudMonitor/deviceManagement/panels',
  lists: 'panel/getPanelList',
  menuId: 907,
  role: 'viewer',
  permission: panelListPermission,
  parent: 'monitorDevice',
  place: 22,
  area: 'monitor',
})

export const panelScreen = screen({
  name: 'panel',
  path: '/cloudMonitor/deviceManagement/panels/:panelId',
  under: panelListScreen,
  permission: panelListPermission,
  area: 'monitor',
})
