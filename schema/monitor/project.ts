/** [§3 Project] A first-level group, seen as the equipment of its devices. */

import { z } from 'zod'
import { groupObject } from '../group/group-object.ts'
import { deletes, edits, makes, object, reads } from '../kit/about.ts'
import { call } from '../kit/call.ts'
import { edition, openedEdition } from '../kit/edition.ts'
import { field } from '../kit/field.ts'
import { listCall } from '../kit/list.ts'
import { permission } from '../kit/permission.ts'
import { line } from '../kit/person.ts'
import { rowId } from '../kit/row-id.ts'
import { screen } from '../kit/screen.ts'
import { instant } from '../kit/time.ts'
import { projectTypes } from './project-types.ts'

export const projectObject = object('project')

export const projectListPermission = permission({
  id: 21400,
  name: 'projectList',
  role: 'viewer',
  under: 'project-list',
})
export const projectEditPermission = permission({
  id: 21401,
  name: 'projectEdit',
  role: 'operator',
  under: 'project-list',
})

/** Gateways may send what they have buffered for days; sums are made of it. */
const HISTORY_DAYS_MIN = 7

const fields = {
  name: line(64).min(1),
  type: z.enum(projectTypes),
  userId: field(rowId.optional(), { label: 'project:field.user' }).describe('who is responsible for it'),
  historyDays: z.coerce
    .number()
    .int()
    .min(HISTORY_DAYS_MIN)
    .max(3650)
    .optional()
    .describe(
      'samples of its terminals are deleted after so many days; without it after those of the platform',
    ),
}
const blanks = ['userId', 'historyDays']

export const getProjectList = listCall({
  path: '/api/project/getProjectList',
  permission: projectListPermission,
  summary: 'Projects of the groups that the actor may see.',
  sorts: ['name', 'type', 'groupName', 'customerName', 'createdAt'],
  descending: ['createdAt'],
  searches: ['name', 'groupName'],
  filters: { customerId: rowId.optional(), type: z.enum(projectTypes).optional() },
  row: z.object({
    id: z.number(),
    name: z.string(),
    type: z.enum(projectTypes),
    customerId: z.number(),
    customerName: z.string(),
    groupId: z.number(),
    groupName: z.string(),
    userId: z.number().nullable(),
    userName: z.string().nullable(),
    creatorName: z.string().nullable(),
    deviceCount: z.number().describe('of the group and the groups below it'),
    onlineCount: z.number(),
    terminalCount: z.number(),
    answeringCount: z
      .number()
      .describe(
        'terminals whose slave answers, behind devices that are online, or whose source is connected',
      ),
    historyDays: z.number().nullable(),
    createdAt: instant,
    edition,
  }),
})

export const getProjectTotals = call({
  path: '/api/project/getProjectTotals',
  permission: projectListPermission,
  summary: 'Devices and terminals of all projects that the actor may see, together.',
  body: z.object({}),
  reply: z.object({
    projectCount: z.number(),
    deviceCount: z.number(),
    onlineCount: z.number(),
    terminalCount: z.number(),
    answeringCount: z
      .number()
      .describe(
        'terminals whose slave answers, behind devices that are online, or whose source is connected',
      ),
  }),
})

export const addProject = call({
  path: '/api/project/addProject',
  permission: projectEditPermission,
  writes: true,
  about: makes(projectObject, { by: 'id', named: 'name', of: { object: groupObject, by: 'groupId' } }),
  summary: 'Makes a first-level group a project; a group is one project at most.',
  body: z.object({ ...fields, groupId: field(rowId, { label: 'project:field.group' }) }),
  blanks,
  reply: z.object({ id: z.number() }),
})

export const modifyProject = call({
  path: '/api/project/modifyProject',
  permission: projectEditPermission,
  writes: true,
  about: edits(projectObject, 'id'),
  summary: 'Changes a project; its group stays.',
  body: z.object({ id: rowId, ...fields, edition: openedEdition }),
  blanks,
})

export const deleteProject = call({
  path: '/api/project/deleteProject',
  permission: projectEditPermission,
  writes: true,
  about: deletes(projectObject, 'id'),
  summary: 'Deletes a project. Its group, devices and terminals stay.',
  body: z.object({ id: rowId }),
})

export const getProjectHistory = call({
  path: '/api/project/getProjectHistory',
  permission: projectListPermission,
  about: reads(projectObject, 'projectId'),
  summary:
    'About how many bytes the samples of a project take, day by day: estimated from pages of up to 24 of the days.',
  body: z.object({ projectId: rowId }),
  reply: z.object({
    platformDays: z.number().describe('the longest time that anything is kept'),
    days: z
      .array(z.object({ day: z.string(), bytes: z.number() }))
      .describe('oldest first, UTC; empty days are left out'),
  }),
})

export const projectScreen = screen({
  name: 'project-list',
  path: '/cloudMonitor/deviceManagement/projectGroup',
  lists: 'project/getProjectList',
  menuId: 214,
  role: 'viewer',
  permission: projectListPermission,
  parent: 'monitorDevice',
  place: 20,
  area: 'monitor',
})
