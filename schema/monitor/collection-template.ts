/** [§3 Collection template] The variables of one equipment model, and how its slaves are polled. */

import { z } from 'zod'
import { deletes, edits, makes, object, reads, uses } from '../kit/about.ts'
import { call } from '../kit/call.ts'
import { edition, openedEdition } from '../kit/edition.ts'
import { field, labelled } from '../kit/field.ts'
import { listCall } from '../kit/list.ts'
import { line, paragraph } from '../kit/person.ts'
import { rowId } from '../kit/row-id.ts'
import { screen } from '../kit/screen.ts'
import { instant } from '../kit/time.ts'
import { customerObject } from '../people/customer-object.ts'
import { byteOrders, RETRIES_MAX, templateTypes } from './fields.ts'
import { templateEditPermission, variableListPermission, variableScreen } from './variable-pages.ts'

export const templateObject = object('collectionTemplate')

const ms = (max: number) => z.coerce.number().int().min(0).max(max)
export const templateFields = {
  name: line(64).min(1),
  type: z.enum(templateTypes),
  vendor: line(64).optional(),
  byteOrder: z.enum(byteOrders).default('ABCD'),
  maxGap: z.coerce
    .number()
    .int()
    .min(0)
    .max(120)
    .default(8)
    .describe('registers that may be read along between two variables'),
  maxRegisters: z.coerce.number().int().min(1).max(125).default(125).describe('of one request'),
  timeoutMs: z.coerce.number().int().min(50).max(30_000).default(1_000),
  pauseMs: ms(10_000).default(0).describe('between two requests'),
  connectDelayMs: ms(10_000).default(0).describe('between connecting and the first request'),
  pollMs: z.coerce
    .number()
    .int()
    .min(100)
    .max(86_400_000)
    .default(5_000)
    .describe('how often what is reported on change is read'),
  retries: z.coerce.number().int().min(0).max(RETRIES_MAX).default(2),
  remark: paragraph(500).optional(),
}
/** Platform users must select the customer; customer users may leave it out. */
const customerId = rowId.optional()

export const templateRow = z.object({
  id: z.number(),
  customerId: z.number(),
  customerName: z.string(),
  name: z.string(),
  type: z.enum(templateTypes),
  vendor: z.string().nullable(),
  remark: z.string().nullable(),
  libraryKey: field(z.string().nullable(), { secret: false }).describe(
    'of the template of the library that it was made from',
  ),
  byteOrder: z.enum(byteOrders),
  maxGap: z.number(),
  maxRegisters: z.number(),
  timeoutMs: z.number(),
  pauseMs: z.number(),
  connectDelayMs: z.number(),
  pollMs: z.number(),
  retries: z.number(),
  variableCount: z.number(),
  terminalCount: z.number(),
  changeable: z.boolean().describe('false: it is used by terminals beyond the groups of the caller'),
  updatedAt: instant,
  edition,
})

export const getTemplateList = listCall({
  path: '/api/collectionTemplate/getTemplateList',
  permission: variableListPermission,
  summary: 'Collection templates.',
  sorts: ['name', 'type', 'vendor', 'variableCount', 'terminalCount', 'updatedAt'],
  descending: ['updatedAt', 'variableCount', 'terminalCount'],
  searches: ['name', 'vendor', 'remark'],
  filters: { customerId, type: z.enum(templateTypes).optional() },
  row: templateRow,
})

export const getTemplate = call({
  path: '/api/collectionTemplate/getTemplate',
  permission: variableListPermission,
  about: reads(templateObject, 'id'),
  summary: 'One collection template.',
  body: z.object({ id: rowId }),
  reply: templateRow,
})

export const getTemplateReach = call({
  path: '/api/collectionTemplate/getTemplateReach',
  permission: variableListPermission,
  about: reads(templateObject, 'id'),
  summary: 'Which terminals and gateways an edit of the template reaches, as far as the actor may see them.',
  body: z.object({ id: rowId }),
  reply: z.object({
    terminals: z.number(),
    gateways: z.number(),
    online: z.number().describe('gateways'),
    withoutSlave: z.number().describe('terminals on which variables of a slave are never read'),
    sample: z
      .array(z.object({ terminal: z.string(), deviceSn: z.string() }))
      .describe('the first 20 by name'),
  }),
})

export const addTemplate = call({
  path: '/api/collectionTemplate/addTemplate',
  permission: templateEditPermission,
  writes: true,
  about: makes(templateObject, { by: 'id', named: 'name', of: { object: customerObject, by: 'customerId' } }),
  summary: 'Adds an empty collection template.',
  body: z.object({
    ...labelled({ customerId }, { customerId: 'collection-template:field.customer' }),
    ...templateFields,
  }),
  blanks: Object.keys(templateFields),
  reply: z.object({ id: z.number() }),
})

export const modifyTemplate = call({
  path: '/api/collectionTemplate/modifyTemplate',
  permission: templateEditPermission,
  writes: true,
  about: edits(templateObject, 'id'),
  summary: 'Changes how the slaves of a template are asked; gateways with such terminals get a new plan.',
  body: z.object({ id: rowId, ...templateFields, edition: openedEdition }),
  blanks: Object.keys(templateFields),
})

export const copyTemplate = call({
  path: '/api/collectionTemplate/copyTemplate',
  heavy: true,
  permission: templateEditPermission,
  writes: true,
  about: uses(templateObject, 'id'),
  summary: 'Copies a template with its variables, within its customer.',
  body: z.object({
    id: rowId,
    name: field(line(64).min(1), { label: 'collection-template:field.newName' }),
  }),
  reply: z.object({ id: z.number() }),
})

export const deleteTemplate = call({
  path: '/api/collectionTemplate/deleteTemplate',
  permission: templateEditPermission,
  writes: true,
  about: deletes(templateObject, 'id'),
  summary: 'Deletes a template with its variables; refused while terminals use it.',
  body: z.object({ id: rowId }),
})

export const templateListScreen = screen({
  name: 'collection-template-list',
  path: '/cloudMonitor/deviceManagement/collectConfigurate',
  lists: 'collectionTemplate/getTemplateList',
  under: variableScreen,
  place: 60,
  permission: variableListPermission,
  area: 'monitor',
})

export const templateScreen = screen({
  name: 'collection-template',
  path: '/cloudMonitor/deviceManagement/collectConfigurate/:id',
  under: templateListScreen,
  permission: variableListPermission,
  area: 'monitor',
})
