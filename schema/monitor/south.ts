/** Southbound: accounts by which foreign sources send values to the terminals of a project [decisions/120]. */

import { z } from 'zod'
import { mqttAddresses } from '../device/enrol.ts'
import { deletes, edits, makes, object, reads, uses } from '../kit/about.ts'
import { bodyLimits, call } from '../kit/call.ts'
import { edition, openedEdition } from '../kit/edition.ts'
import { because } from '../kit/fault.ts'
import { field, labelled, secret } from '../kit/field.ts'
import { listCall, storable } from '../kit/list.ts'
import { permission } from '../kit/permission.ts'
import { line, paragraph } from '../kit/person.ts'
import { rowId } from '../kit/row-id.ts'
import { screen } from '../kit/screen.ts'
import { instant } from '../kit/time.ts'
import { qualities } from './fields.ts'
import { projectObject } from './project.ts'
import { isPlace, isPointer } from './south/place.ts'
import { SOURCE_MAX, southFaults, southKinds } from './south-kinds.ts'

export const southAccountObject = object('southAccount')

export const southListPermission = permission({
  id: 90600,
  name: 'southList',
  role: 'operator',
  under: 'south-list',
})
/** A separate permission: creating an account lets values of a foreign source in. */
export const southEditPermission = permission({
  id: 90601,
  name: 'southEdit',
  role: 'customerAdmin',
  under: 'south-list',
})

const place = z
  .string()
  .trim()
  .max(200)
  .refine(isPlace, because({ reason: 'format', shape: 'place' }))
  .optional()
const pointer = z
  .string()
  .trim()
  .max(200)
  .refine(isPointer, because({ reason: 'format', shape: 'pointer' }))
  .optional()
const mapping = {
  rowsAt: pointer.describe('JSON pointer of the list of rows; absent: the message is the row'),
  terminalAt: place.describe('name of the terminal: a JSON pointer, `topic/2` or `=Name`'),
  timeAt: place.describe('seconds or milliseconds since 1970, or ISO 8601; absent: when it came'),
  valuesAt: pointer.describe('object or list whose members are values'),
  nameAt: place.describe('name of the variable, or the prefix of the names of `valuesAt`'),
  valueAt: place.describe('the value that goes with `nameAt`'),
  named: field(storable(z.string().trim().max(4000)).optional(), { input: 'area' }).describe(
    'lines `name = /pointer`',
  ),
}
const own = {
  name: line(64).min(1),
  topics: paragraph(2000).describe('one filter a line; not used by kinds whose topics are fixed').optional(),
  ...mapping,
}
const labels = {
  projectId: 'south:field.project',
  kind: 'south:field.kind',
  name: 'south:field.name',
  topics: 'south:field.topics',
  rowsAt: 'south:field.rowsAt',
  terminalAt: 'south:field.terminalAt',
  timeAt: 'south:field.timeAt',
  valuesAt: 'south:field.valuesAt',
  nameAt: 'south:field.nameAt',
  valueAt: 'south:field.valueAt',
  named: 'south:field.named',
} as const
const blanks = ['topics', ...Object.keys(mapping)]

export const getSouthList = listCall({
  path: '/api/south/getSouthList',
  permission: southListPermission,
  summary: 'Accounts of foreign sources, and how it goes with them.',
  sorts: ['name', 'projectName', 'kind', 'messageAt', 'createdAt'],
  descending: ['messageAt', 'createdAt'],
  searches: ['name', 'projectName', 'username'],
  filters: { projectId: rowId.optional(), kind: z.enum(southKinds).optional() },
  row: z.object({
    id: z.number(),
    name: z.string(),
    projectId: z.number(),
    projectName: z.string(),
    customerName: z.string(),
    kind: z.enum(southKinds),
    username: z.string(),
    topics: z.array(z.string()),
    mapping: z.record(z.string(), z.string()),
    enabled: z.boolean(),
    connected: z.boolean(),
    messageAt: instant.nullable(),
    messages: z.number(),
    stored: z.number().describe('values'),
    perSecond: z.number().describe('messages, over the last seconds'),
    terminalCount: z.number(),
    unmappedCount: z.number(),
    faults: z.number(),
    fault: z.enum(southFaults).nullable(),
    faultTopic: z.string().nullable(),
    faultAt: instant.nullable(),
    createdAt: instant,
    edition,
  }),
})

const login = z.object({
  id: z.number(),
  username: z.string(),
  password: secret(z.string()).describe('only here'),
  mqtt: mqttAddresses,
})

export const addSouth = call({
  path: '/api/south/addSouth',
  permission: southEditPermission,
  writes: true,
  about: makes(southAccountObject, {
    by: 'id',
    named: 'name',
    of: { object: projectObject, by: 'projectId' },
  }),
  summary: 'Adds an account; its password is in this reply only.',
  body: z.object(labelled({ projectId: rowId, kind: z.enum(southKinds), ...own }, labels)),
  blanks,
  reply: login,
})

export const modifySouth = call({
  path: '/api/south/modifySouth',
  permission: southEditPermission,
  writes: true,
  about: edits(southAccountObject, 'id'),
  summary: 'Changes an account; its connections are closed, so that they come back by the new rules.',
  body: z.object(labelled({ id: rowId, ...own, edition: openedEdition }, labels)),
  blanks,
})

export const renewSouth = call({
  path: '/api/south/renewSouth',
  permission: southEditPermission,
  writes: true,
  about: uses(southAccountObject, 'id'),
  summary: 'Gives an account a new password; the old one and its connections end.',
  body: z.object({ id: rowId }),
  reply: login,
})

export const switchSouth = call({
  path: '/api/south/switchSouth',
  permission: southEditPermission,
  writes: true,
  about: edits(southAccountObject, 'id', 'running'),
  summary: 'Locks an account out, or lets it in again.',
  body: z.object({ id: rowId, enabled: z.boolean() }),
})

export const deleteSouth = call({
  path: '/api/south/deleteSouth',
  permission: southEditPermission,
  writes: true,
  about: deletes(southAccountObject, 'id'),
  summary: 'Deletes an account. Terminals and their values stay; their gateways poll them again.',
  body: z.object({ id: rowId }),
})

const source = storable(z.string().min(1).max(SOURCE_MAX))

export const getSouthNames = call({
  path: '/api/south/getSouthNames',
  permission: southListPermission,
  about: reads(southAccountObject, 'id'),
  summary: 'What a source is linked to, and which of its names are not linked yet.',
  body: z.object({ id: rowId }),
  reply: z.object({
    links: z.array(
      z.object({
        source: z.string(),
        terminalId: z.number(),
        terminalName: z.string(),
        deviceName: z.string(),
        templateId: z.number(),
      }),
    ),
    names: z.array(
      z.object({ source: z.string(), name: z.string(), value: z.string().nullable(), at: instant }),
    ),
  }),
})

export const linkSouth = call({
  path: '/api/south/linkSouth',
  permission: southEditPermission,
  writes: true,
  about: uses(southAccountObject, 'id'),
  summary:
    'Values of this name at the source are those of this terminal from now on; its gateway stops polling it.',
  body: z.object({ id: rowId, source, terminalId: field(rowId, { label: 'south:field.terminal' }) }),
})

export const unlinkSouth = call({
  path: '/api/south/unlinkSouth',
  permission: southEditPermission,
  writes: true,
  about: uses(southAccountObject, 'id'),
  summary: 'Ends a link; its gateway polls the terminal again.',
  body: z.object({ id: rowId, source }),
})

export const tryMessage = call({
  path: '/api/south/tryMessage',
  permission: southEditPermission,
  form: true,
  summary: 'Reads one message as an account of this kind would; stores nothing.',
  bodyLimit: bodyLimits.selection,
  body: z.object(
    labelled(
      {
        kind: z.enum(southKinds),
        topic: field(storable(z.string().trim().min(1).max(256)), { label: 'south:field.topic' }),
        payload: field(z.string().max(60_000), { label: 'south:field.payload', input: 'area' }).describe(
          'text, or hexadecimal bytes',
        ),
        ...mapping,
      },
      labels,
    ),
  ),
  blanks: Object.keys(mapping),
  reply: z.object({
    samples: z.array(
      z.object({
        source: z.string(),
        name: z.string(),
        at: instant,
        value: z.union([z.number(), z.string(), z.boolean()]).nullable(),
        quality: z.enum(qualities),
        late: z.boolean(),
      }),
    ),
    more: z.number().describe('samples beyond the first hundred'),
    fault: z.enum(southFaults).nullable(),
  }),
})

export const southScreen = screen({
  name: 'south-list',
  path: '/cloudMonitor/deviceManagement/south',
  lists: 'south/getSouthList',
  menuId: 906,
  role: 'operator',
  permission: southListPermission,
  parent: 'monitorDevice',
  place: 95,
  area: 'monitor',
})
