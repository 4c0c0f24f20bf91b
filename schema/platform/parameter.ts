/**
 * Parameters: numbers that users may change while the platform runs, declared here with their bounds, and texts that
 * users add for their own scripts. Declared ones are read by `ctx.parameters.get(key, customerId)`
 * (infra/parameters.ts).
 */

import { z } from 'zod'
import { deletes, edits, finds, makes, object, reads } from '../kit/about.ts'
import { call } from '../kit/call.ts'
import { edition, openedEdition } from '../kit/edition.ts'
import { field } from '../kit/field.ts'
import { listCall, storable } from '../kit/list.ts'
import { permission } from '../kit/permission.ts'
import { line, paragraph } from '../kit/person.ts'
import { rowId } from '../kit/row-id.ts'
import { screen } from '../kit/screen.ts'
import { instant } from '../kit/time.ts'
import { customerObject } from '../people/customer-object.ts'
import { type ParameterKey, parameters } from './parameter-list.ts'

export const parameterObject = object('parameter')
export const extraParameterObject = object('extraParameter')

export const parameterListPermission = permission({
  id: 16700,
  name: 'parameterList',
  role: 'customerAdmin',
  under: 'parameter-list',
})
export const parameterEditPermission = permission({
  id: 16701,
  name: 'parameterEdit',
  role: 'systemAdmin',
  under: 'parameter-list',
})

export const parameterKeys = Object.keys(parameters) as [ParameterKey, ...ParameterKey[]]

/** Limit per owner: sufficient for scripts, too few for a data store. */
export const EXTRA_MAX = 200

const customerId = field(rowId, { label: 'parameter:field.customer' })
  .optional()
  .describe('a customer’s own value; absent: the platform’s')

export const getParameterList = listCall({
  path: '/api/parameter/getParameterList',
  about: reads(customerObject, 'customerId'),
  permission: parameterListPermission,
  summary:
    'Declared parameters with the value that applies to the customer (or the platform), and the user-defined ones.',
  sorts: ['name', 'updatedAt'],
  searches: ['nameZh', 'nameEn', 'name', 'description'],
  filters: { customerId },
  row: z.object({
    rowKey: field(z.string(), { secret: false }),
    /** null: added by users. */
    key: z.enum(parameterKeys).nullable(),
    id: z.number().nullable(),
    nameZh: z.string(),
    nameEn: z.string(),
    name: z.string().describe('in the requested language'),
    description: z.string(),
    value: z.string(),
    unit: z.string().nullable(),
    min: z.number().nullable(),
    max: z.number().nullable(),
    initial: z.number().nullable().describe('applies until a value is set'),
    source: z.enum(['initial', 'platform', 'customer']).describe('whose value applies'),
    perCustomer: z.boolean(),
    customerId: z.number().nullable(),
    updatedAt: instant.nullable(),
    updatedBy: z.string().nullable(),
    edition: edition.describe('of the own value of the customer (or the platform)'),
  }),
})

export const setParameter = call({
  path: '/api/parameter/setParameter',
  permission: parameterEditPermission,
  writes: true,
  about: finds(parameterObject, { by: 'key', of: { object: customerObject, by: 'customerId' } }),
  summary:
    'Sets a declared parameter, or with `value` null removes the own value. Takes effect within seconds.',
  body: z.object({
    key: z.enum(parameterKeys),
    value: z.coerce.number().int().min(-2_147_483_648).max(2_147_483_647).nullable(),
    customerId,
    edition: openedEdition,
  }),
})

const extra = {
  nameZh: line(64).min(1),
  nameEn: line(64).min(1),
  description: paragraph(500).default(''),
  value: storable(z.string().trim().min(1).max(500)),
}

export const addParameter = call({
  path: '/api/parameter/addParameter',
  permission: parameterEditPermission,
  writes: true,
  about: makes(extraParameterObject, {
    by: 'id',
    named: 'nameEn',
    of: { object: customerObject, by: 'customerId' },
  }),
  summary: 'Adds a text for scripts and integrations. Its Chinese and English names are unique.',
  body: z.object({ ...extra, customerId }),
  reply: z.object({ id: z.number() }),
})

export const modifyParameter = call({
  path: '/api/parameter/modifyParameter',
  permission: parameterEditPermission,
  writes: true,
  about: edits(extraParameterObject, 'id'),
  summary: 'Changes a user-defined parameter.',
  body: z.object({ id: rowId, ...extra, edition: openedEdition }),
})

export const deleteParameter = call({
  path: '/api/parameter/deleteParameter',
  permission: parameterEditPermission,
  writes: true,
  about: deletes(extraParameterObject, 'id'),
  summary: 'Deletes a parameter that people added.',
  body: z.object({ id: rowId }),
})

export const getParameterUse = call({
  path: '/api/parameter/getParameterUse',
  permission: parameterEditPermission,
  summary: 'How much the tables take whose rows a parameter keeps, of all customers together.',
  body: z.object({ key: z.enum(parameterKeys) }),
  reply: z.object({
    bytes: z.number().nullable().describe('with indexes; null: this parameter keeps no rows'),
  }),
})

export const parameterScreen = screen({
  name: 'parameter-list',
  path: '/system/parametermanagement',
  lists: 'parameter/getParameterList',
  menuId: 167,
  role: 'customerAdmin',
  permission: parameterListPermission,
  parent: 'system',
  place: 40,
  area: 'management',
})
