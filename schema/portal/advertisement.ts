/** Advertisements: pictures with a link on the captive portals of the devices [§2 /task/advertising]. */

import { z } from 'zod'
import { clockTime } from '../alarm/quiet.ts'
import { deletes, edits, makes, object, reads } from '../kit/about.ts'
import { call } from '../kit/call.ts'
import { edition, openedEdition } from '../kit/edition.ts'
import { because } from '../kit/fault.ts'
import { field } from '../kit/field.ts'
import { listCall } from '../kit/list.ts'
import { permission } from '../kit/permission.ts'
import { line, sentLine } from '../kit/person.ts'
import { rowId } from '../kit/row-id.ts'
import { isWebAddress } from '../kit/rules.ts'
import { screen } from '../kit/screen.ts'
import { askedDay, instant } from '../kit/time.ts'
import { customerObject } from '../people/customer-object.ts'
import { imageId } from '../people/image.ts'
import { advertisementStates } from './portal-schedule.ts'

export const advertisementObject = object('advertisement')

export const advertisementListPermission = permission({
  id: 7800,
  name: 'advertisementList',
  role: 'viewer',
  under: 'advertisement-list',
})
export const advertisementEditPermission = permission({
  id: 7801,
  name: 'advertisementEdit',
  role: 'customerAdmin',
  under: 'advertisement-list',
})

/** Maximum per customer; a device gets only the first `PORTAL_MAX` of its own. */
export const ADVERTISEMENTS_MAX = 200

/** All devices of the customer, or those of groups with their subgroups. */
export const advertisementScopes = ['customer', 'groups'] as const

const link = field(
  z
    .string()
    .trim()
    .min(1)
    .max(500)
    .refine(isWebAddress, because({ reason: 'format', shape: 'webUrl' })),
  { rule: 'webUrl' },
)
const weekday = z.coerce.number().int().min(1).max(7)

const fields = {
  name: line(64).min(1),
  imageId,
  caption: sentLine(120).optional(),
  link,
  place: z.coerce.number().int().min(1).max(999).default(100).describe('smaller ones are shown first'),
  scope: z.enum(advertisementScopes).default('customer'),
  groupIds: z.array(rowId).max(200).default([]),
  fromDate: askedDay.optional().describe('first day, by the date of each device'),
  toDate: askedDay.optional().describe('last day'),
  weekdays: z.array(weekday).max(7).default([]).describe('1 Monday … 7 Sunday; empty: every day'),
  fromTime: clockTime.optional().describe("by the device's clock; with toTime only"),
  toTime: clockTime.optional(),
  enabled: z.boolean().default(true),
}
/** Platform users must select the customer; customer users may leave it out. */
const customerId = rowId.optional()

export const getAdvertisementList = listCall({
  path: '/api/advertisement/getAdvertisementList',
  permission: advertisementListPermission,
  summary: 'Advertisements, with the devices that have them and how often they were shown.',
  sorts: ['place', 'name', 'fromDate', 'toDate', 'shownTotal', 'clickedTotal', 'updatedAt'],
  descending: ['shownTotal', 'clickedTotal', 'updatedAt'],
  searches: ['name', 'caption', 'link'],
  filters: {
    customerId,
    state: z.enum(advertisementStates).optional(),
    scope: z.enum(advertisementScopes).optional(),
  },
  row: z.object({
    id: z.number(),
    customerId: z.number(),
    customerName: z.string(),
    name: z.string(),
    imageUrl: z.string(),
    caption: z.string().nullable(),
    link: z.string(),
    place: z.number(),
    scope: z.enum(advertisementScopes),
    groups: z.array(z.object({ id: z.number(), name: z.string() })).describe('those that the actor may see'),
    fromDate: z.string().nullable(),
    toDate: z.string().nullable(),
    weekdays: z.array(z.number()),
    fromTime: z.string().nullable(),
    toTime: z.string().nullable(),
    enabled: z.boolean(),
    state: z.enum(advertisementStates),
    haveCount: z.number().describe('devices that have its present version'),
    waitCount: z.number().describe('devices that are to get it'),
    unsupportedCount: z.number().describe('devices without a captive portal'),
    shownTotal: z.number(),
    clickedTotal: z.number(),
    updatedAt: instant,
    edition,
  }),
})

export const addAdvertisement = call({
  path: '/api/advertisement/addAdvertisement',
  permission: advertisementEditPermission,
  writes: true,
  about: makes(advertisementObject, {
    by: 'id',
    named: 'name',
    of: { object: customerObject, by: 'customerId' },
  }),
  summary: 'Adds an advertisement; its devices get it as soon as they are online.',
  body: z.object({ customerId, ...fields }),
  reply: z.object({ id: z.number() }),
})

export const modifyAdvertisement = call({
  path: '/api/advertisement/modifyAdvertisement',
  permission: advertisementEditPermission,
  writes: true,
  about: edits(advertisementObject, 'id'),
  summary: 'Changes an advertisement.',
  body: z.object({ id: rowId, ...fields, edition: openedEdition }),
})

export const enableAdvertisement = call({
  path: '/api/advertisement/enableAdvertisement',
  permission: advertisementEditPermission,
  writes: true,
  about: edits(advertisementObject, 'id'),
  summary: 'Switches an advertisement on or off; switched off, the devices drop it.',
  body: z.object({ id: rowId, enabled: z.boolean() }),
})

export const deleteAdvertisement = call({
  path: '/api/advertisement/deleteAdvertisement',
  permission: advertisementEditPermission,
  writes: true,
  about: deletes(advertisementObject, 'id'),
  summary: 'Deletes an advertisement with its figures; the devices drop it.',
  body: z.object({ id: rowId }),
})

export const getAdvertisementDays = call({
  path: '/api/advertisement/getAdvertisementDays',
  permission: advertisementListPermission,
  about: reads(advertisementObject, 'id'),
  summary:
    'How often an advertisement was shown and clicked on each day, by the dates of the devices; null: before it existed.',
  body: z.object({ id: rowId, days: z.coerce.number().int().min(7).max(366).default(30) }),
  reply: z.object({
    days: z.array(z.string()),
    shown: z.array(z.number().nullable()),
    clicked: z.array(z.number().nullable()),
  }),
})

export const advertisementScreen = screen({
  name: 'advertisement-list',
  path: '/task/advertising',
  lists: 'advertisement/getAdvertisementList',
  menuId: 78,
  role: 'viewer',
  permission: advertisementListPermission,
  parent: 'software',
  place: 30,
  area: 'management',
})
