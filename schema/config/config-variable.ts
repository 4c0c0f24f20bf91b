/** Variables of templates: a value for the customer, for groups and for devices. */
import { z } from 'zod'
import { deletes, edits, makes, object } from '../kit/about.ts'
import { bodyLimits, call } from '../kit/call.ts'
import { edition, openedEdition } from '../kit/edition.ts'
import { secret } from '../kit/field.ts'
import { listCall, storable } from '../kit/list.ts'
import { rowId } from '../kit/row-id.ts'
import { screen } from '../kit/screen.ts'
import { shaped } from '../kit/shape.ts'
import { instant } from '../kit/time.ts'
import { customerObject } from '../people/customer-object.ts'
import {
  configTemplateEditPermission,
  configTemplateListPermission,
  configTemplateScreen,
} from './config-template.ts'

export const configVariableObject = object('configVariable')

/** Per customer, and values of one. */
export const VARIABLES_MAX = 200
const VALUES_MAX = 500
const VALUE_MAX = 250

const customerId = rowId.optional()
const fields = {
  remark: storable(z.string().trim().max(500)).optional(),
  values: secret(
    z
      .array(
        z.object({
          groupId: rowId.optional(),
          deviceSn: z.string().trim().max(64).optional(),
          value: z.string().max(VALUE_MAX),
        }),
      )
      .max(VALUES_MAX)
      .default([]),
  ).describe(
    'for a group with those below it, for a device, or with neither for the whole customer; the nearest counts',
  ),
}
const name = z
  .string()
  .trim()
  .regex(shaped(/^[A-Za-z][A-Za-z0-9_-]{0,31}$/, 'plainName'))

export const getConfigVariableList = listCall({
  path: '/api/configVariable/getConfigVariableList',
  permission: configTemplateListPermission,
  summary: 'Variables of templates with their values; those of secret ones are masked.',
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
    isSecret: z.boolean(),
    values: z.array(
      z.object({
        groupId: z.number().nullable(),
        groupName: z.string().nullable(),
        deviceSn: z.string().nullable(),
        value: z.string(),
      }),
    ),
    updatedAt: instant,
    edition,
  }),
})

export const addConfigVariable = call({
  path: '/api/configVariable/addConfigVariable',
  bodyLimit: bodyLimits.selection,
  permission: configTemplateEditPermission,
  writes: true,
  about: makes(configVariableObject, {
    by: 'id',
    named: 'name',
    of: { object: customerObject, by: 'customerId' },
  }),
  summary: 'Adds a variable. The name cannot be changed later, because templates mention it.',
  body: z.object({
    customerId,
    name,
    isSecret: z.boolean().default(false).describe('its values are never shown again'),
    ...fields,
  }),
  reply: z.object({ id: z.number() }),
})

export const modifyConfigVariable = call({
  path: '/api/configVariable/modifyConfigVariable',
  bodyLimit: bodyLimits.selection,
  permission: configTemplateEditPermission,
  writes: true,
  about: edits(configVariableObject, 'id'),
  summary: 'Changes the values of a variable; a mask keeps the value behind it. Nothing is sent.',
  body: z.object({ id: rowId, ...fields, edition: openedEdition }),
})

export const deleteConfigVariable = call({
  path: '/api/configVariable/deleteConfigVariable',
  permission: configTemplateEditPermission,
  writes: true,
  about: deletes(configVariableObject, 'id'),
  summary: 'Deletes a variable that no template mentions.',
  body: z.object({ id: rowId }),
})

export const configVariableScreen = screen({
  name: 'config-variable-list',
  path: '/resource/configvariable',
  lists: 'configVariable/getConfigVariableList',
  permission: configTemplateListPermission,
  under: configTemplateScreen,
  area: 'management',
})
