/** Northbound: values and alarms of a project, forwarded to the customer's own broker, web service or Kafka. */

import { z } from 'zod'
import { deletes, edits, makes, object, uses } from '../kit/about.ts'
import { call } from '../kit/call.ts'
import { edition, openedEdition } from '../kit/edition.ts'
import { because } from '../kit/fault.ts'
import { field, labelled, secret } from '../kit/field.ts'
import { job } from '../kit/job.ts'
import { listCall, storable } from '../kit/list.ts'
import { permission } from '../kit/permission.ts'
import { line } from '../kit/person.ts'
import { rowId } from '../kit/row-id.ts'
import { screen } from '../kit/screen.ts'
import { shaped } from '../kit/shape.ts'
import { instant } from '../kit/time.ts'
import { northFaults, northKinds } from './north-kinds.ts'
import { isNorthTopic } from './north-message.ts'
import { projectObject } from './project.ts'

export const northTargetObject = object('northTarget')

export const northListPermission = permission({
  id: 90500,
  name: 'northList',
  role: 'operator',
  under: 'north-list',
})
/** A separate permission: entering an address allows sending a customer's values anywhere. */
export const northEditPermission = permission({
  id: 90501,
  name: 'northEdit',
  role: 'customerAdmin',
  under: 'north-list',
})

export const forwardReports = job({
  name: 'forwardReports',
  body: z.object({}),
  single: true,
  everyMs: 2_000,
})

/** `mqtt(s)://host:port`, `kafka(s)://host:port,host:port` or an http(s) address; which of them fits the kind is checked by the server. */
const secretAddress = secret(
  z
    .string()
    .trim()
    .max(2000)
    // No service listens on port 0.
    .regex(shaped(/^(mqtts?|https?|kafkas?):\/\/(?![^\s/?#]*:0+(?:[,/?#]|$))[^\s]+$/i, 'northAddress')),
)
const own = {
  name: line(64).min(1),
  username: line(128).optional(),
  password: secret(z.string().max(512)).optional(),
  topic: z
    .string()
    .trim()
    .max(200)
    .refine(isNorthTopic, because({ reason: 'format', shape: 'northTopic' }))
    .optional(),
  template: field(storable(z.string().trim().max(4000)), { input: 'area' }).optional(),
  values: z.boolean().default(true),
  alarms: z.boolean().default(true),
}
const labels = {
  projectId: 'north:field.project',
  kind: 'north:field.kind',
  name: 'north:field.name',
  secretAddress: 'north:field.address',
  username: 'north:field.username',
  password: 'north:field.password',
  topic: 'north:field.topic',
  template: 'north:field.template',
  values: 'north:field.values',
  alarms: 'north:field.alarms',
} as const

export const getNorthList = listCall({
  path: '/api/north/getNorthList',
  permission: northListPermission,
  summary:
    'Targets that values and alarms are forwarded to, and how far behind each is; addresses without their secrets.',
  sorts: ['name', 'projectName', 'kind', 'sentAt', 'createdAt'],
  descending: ['sentAt', 'createdAt'],
  searches: ['name', 'projectName'],
  filters: { projectId: rowId.optional(), kind: z.enum(northKinds).optional() },
  row: z.object({
    id: z.number(),
    name: z.string(),
    projectId: z.number(),
    projectName: z.string(),
    customerName: z.string(),
    kind: z.enum(northKinds),
    addressShown: z.string().describe('scheme and host; the rest may be a password'),
    username: z.string().nullable(),
    hasLogin: z.boolean().describe('a password or token is stored'),
    topic: z.string().nullable(),
    template: z.string().nullable(),
    values: z.boolean(),
    alarms: z.boolean(),
    enabled: z.boolean(),
    sentCount: z.number(),
    sentAt: instant.nullable(),
    behindSince: instant.nullable().describe('what waits was stored after this; null: nothing waits'),
    fault: z.enum(northFaults).nullable(),
    faultStatus: z.number().nullable(),
    faultAt: instant.nullable(),
    passedCount: z.number().describe('messages that it refused for their content; they were passed over'),
    passedAt: instant
      .nullable()
      .describe('the last one, since the target was changed or its backlog discarded'),
    passedStatus: z.number().nullable(),
    passedLately: z.boolean(),
    failures: z.number().describe('in a row'),
    createdAt: instant,
    edition,
  }),
})

export const addNorth = call({
  path: '/api/north/addNorth',
  permission: northEditPermission,
  writes: true,
  about: makes(northTargetObject, {
    by: 'id',
    named: 'name',
    of: { object: projectObject, by: 'projectId' },
  }),
  summary: 'Adds a target. It gets what is stored from now on.',
  body: z.object(labelled({ projectId: rowId, kind: z.enum(northKinds), secretAddress, ...own }, labels)),
  blanks: ['username', 'password', 'topic', 'template'],
  reply: z.object({ id: z.number() }),
})

export const modifyNorth = call({
  path: '/api/north/modifyNorth',
  permission: northEditPermission,
  writes: true,
  about: edits(northTargetObject, 'id'),
  summary:
    'Changes a target; an address or password left out is unchanged, but a password does not follow the address to another host. It continues at its position; values or alarms that are switched on begin with what is stored from then on.',
  body: z.object(
    labelled({ id: rowId, secretAddress: secretAddress.optional(), ...own, edition: openedEdition }, labels),
  ),
  blanks: ['secretAddress', 'username', 'password', 'topic', 'template'],
})

export const switchNorth = call({
  path: '/api/north/switchNorth',
  permission: northEditPermission,
  writes: true,
  about: edits(northTargetObject, 'id', 'running'),
  summary: 'Stops a target, or resumes it where it stopped.',
  body: z.object({ id: rowId, enabled: z.boolean() }),
})

export const skipNorth = call({
  path: '/api/north/skipNorth',
  permission: northEditPermission,
  writes: true,
  about: uses(northTargetObject, 'id'),
  summary: 'Discards the backlog of a target; it continues with what is stored from now on.',
  body: z.object({ id: rowId }),
})

export const deleteNorth = call({
  path: '/api/north/deleteNorth',
  permission: northEditPermission,
  writes: true,
  about: deletes(northTargetObject, 'id'),
  summary: 'Deletes a target; what waits for it is not sent any more.',
  body: z.object({ id: rowId }),
})

export const northScreen = screen({
  name: 'north-list',
  path: '/cloudMonitor/deviceManagement/north',
  lists: 'north/getNorthList',
  menuId: 905,
  role: 'operator',
  permission: northListPermission,
  parent: 'monitorDevice',
  place: 90,
  area: 'monitor',
})
