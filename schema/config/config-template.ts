/**
 * Templates: the configuration that devices of a customer should have, field by field; and the page where they are
 * edited.
 */
import { z } from 'zod'
import { deviceObject } from '../device/device-object.ts'
import { deletes, edits, makes, object, reads, uses } from '../kit/about.ts'
import { bodyLimits, call } from '../kit/call.ts'
import { edition, openedEdition } from '../kit/edition.ts'
import { secret } from '../kit/field.ts'
import { listCall, storable } from '../kit/list.ts'
import { permission } from '../kit/permission.ts'
import { line } from '../kit/person.ts'
import { rowId } from '../kit/row-id.ts'
import { screen } from '../kit/screen.ts'
import { instant } from '../kit/time.ts'
import { customerObject } from '../people/customer-object.ts'
import { countedUntil, impact, pageValues } from './config-many.ts'

export const configTemplateObject = object('configTemplate')

export const configTemplateListPermission = permission({
  id: 91000,
  name: 'configTemplateList',
  role: 'viewer',
  under: 'config-template-list',
})
export const configTemplateEditPermission = permission({
  id: 91001,
  name: 'configTemplateEdit',
  role: 'customerAdmin',
  under: 'config-template-list',
})

/** Per customer. */
export const TEMPLATES_MAX = 200
const USES_MAX = 500
const PLACE_MAX = 999
const DEFAULT_PLACE = 100

/** Platform users say whose; customer users may leave it out. */
const customerId = rowId.optional()
const fields = {
  name: line(64).min(1),
  remark: storable(z.string().trim().max(500)).optional(),
  pages: secret(pageValues)
    .default({})
    .describe('by page, the fields that it sets; `{{name}}` is replaced by the value of a variable'),
  fromId: rowId
    .optional()
    .describe('the device that the values were read from: its passwords take the place of masks'),
  everywhere: z.boolean().default(false).describe('it holds for all devices of the customer'),
  groupIds: z.array(rowId).max(USES_MAX).default([]).describe('with the groups below them'),
  deviceIds: z.array(rowId).max(USES_MAX).default([]),
  place: z.coerce
    .number()
    .int()
    .min(1)
    .max(PLACE_MAX)
    .default(DEFAULT_PLACE)
    .describe('of several for one group the later wins'),
}
const named = z.object({ id: z.number(), name: z.string() })

export const getConfigTemplateList = listCall({
  path: '/api/configTemplate/getConfigTemplateList',
  permission: configTemplateListPermission,
  summary: 'Configuration templates, with how many devices they reach and how many of those differ.',
  sorts: ['name', 'updatedAt'],
  descending: ['updatedAt'],
  searches: ['name', 'remark'],
  filters: { customerId },
  row: z.object({
    id: z.number(),
    customerId: z.number(),
    customerName: z.string(),
    name: z.string(),
    remark: z.string().nullable(),
    fields: z.record(z.string(), z.array(z.string())).describe('the fields that it says, by page'),
    everywhere: z.boolean(),
    groups: z.array(named),
    deviceCount: z.number().describe('devices that it is assigned to one by one'),
    reached: z.number().describe('devices that it holds for'),
    behind: z.number().describe('of those: that run something else than their templates say'),
    faulty: z.number().describe('of those: that cannot take what their templates say'),
    counting: z.number().describe('of those: not yet compared since the last change'),
    updatedAt: instant,
    updatedBy: z.string().nullable(),
    edition,
  }),
})

export const getConfigTemplate = call({
  path: '/api/configTemplate/getConfigTemplate',
  permission: configTemplateListPermission,
  about: reads(configTemplateObject, 'id'),
  summary: 'One template with its values; passwords and keys are masked.',
  body: z.object({ id: rowId }),
  reply: z.object({
    id: z.number(),
    customerId: z.number(),
    name: z.string(),
    remark: z.string().nullable(),
    pages: pageValues,
    everywhere: z.boolean(),
    groupIds: z.array(z.number()),
    devices: z.array(z.object({ id: z.number(), sn: z.string() })),
    place: z.number(),
    edition,
  }),
})

export const addConfigTemplate = call({
  path: '/api/configTemplate/addConfigTemplate',
  bodyLimit: bodyLimits.selection,
  permission: configTemplateEditPermission,
  writes: true,
  about: makes(configTemplateObject, {
    by: 'id',
    named: 'name',
    of: { object: customerObject, by: 'customerId' },
  }),
  summary: 'Adds a template. Nothing is sent: devices get it by a task, or keep what they have.',
  body: z.object({ customerId, ...fields }),
  reply: z.object({ id: z.number() }),
})

export const modifyConfigTemplate = call({
  path: '/api/configTemplate/modifyConfigTemplate',
  bodyLimit: bodyLimits.selection,
  permission: configTemplateEditPermission,
  writes: true,
  about: edits(configTemplateObject, 'id'),
  summary: 'Changes a template. Which devices differ from it then is computed in the background.',
  body: z.object({ id: rowId, ...fields, edition: openedEdition }),
})

export const deleteConfigTemplate = call({
  path: '/api/configTemplate/deleteConfigTemplate',
  permission: configTemplateEditPermission,
  writes: true,
  about: deletes(configTemplateObject, 'id'),
  summary: 'Deletes a template. The devices keep what they run.',
  body: z.object({ id: rowId }),
})

export const getTemplateImpact = call({
  path: '/api/configTemplate/getTemplateImpact',
  bodyLimit: bodyLimits.selection,
  permission: configTemplateEditPermission,
  about: reads(configTemplateObject, 'id'),
  summary:
    'What applying the template as given would change on the devices that it reaches, with their other templates and variables. Nothing is written.',
  body: z.object({ id: rowId.optional(), customerId, ...fields, name: line(64), after: countedUntil }),
  reply: impact,
})

export const followTemplates = call({
  path: '/api/configTemplate/followTemplates',
  permission: configTemplateEditPermission,
  writes: true,
  about: uses(deviceObject, 'deviceId'),
  summary: 'Fields that were set on the device itself follow its templates again. Nothing is sent.',
  body: z.object({
    deviceId: rowId,
    page: z.string().min(1).max(64),
    fields: z.array(z.string().max(64)).min(1).max(64),
  }),
})

export const configTemplateScreen = screen({
  name: 'config-template-list',
  path: '/resource/configtemplate',
  lists: 'configTemplate/getConfigTemplateList',
  menuId: 910,
  role: 'viewer',
  permission: configTemplateListPermission,
  parent: 'configuration',
  place: 15,
  area: 'management',
})
