/** [§3 Alarm contact] People who are notified of alarms; they need not be users. */

import { z } from 'zod'
import { deletes, edits, makes, object } from '../kit/about.ts'
import { call } from '../kit/call.ts'
import { edition, openedEdition } from '../kit/edition.ts'
import { labelled } from '../kit/field.ts'
import { listCall } from '../kit/list.ts'
import { permission } from '../kit/permission.ts'
import { emailAddress, line, paragraph, phoneNumber } from '../kit/person.ts'
import { rowId } from '../kit/row-id.ts'
import { screen } from '../kit/screen.ts'
import { instant } from '../kit/time.ts'
import { customerObject } from '../people/customer-object.ts'
import { wantedEvents } from './channel-event.ts'
import { ownerId } from './owner-id.ts'

export const contactObject = object('contact')

export const contactListPermission = permission({
  id: 90300,
  name: 'contactList',
  role: 'viewer',
  under: 'contact-list',
})
export const contactEditPermission = permission({
  id: 90301,
  name: 'contactEdit',
  role: 'customerAdmin',
  under: 'contact-list',
})

/** [§5] name, phone and e-mail are required. */
const fields = {
  name: line(64).min(1),
  phone: phoneNumber,
  email: emailAddress,
  wechat: line(64).optional(),
  remark: paragraph(500).optional(),
}

export const contactRow = z.object({
  id: z.number(),
  customerId: z.number(),
  customerName: z.string(),
  name: z.string(),
  phone: z.string(),
  email: z.string(),
  wechat: z.string().nullable(),
  remark: z.string().nullable(),
  events: wantedEvents,
  changeable: z.boolean().describe('false: it receives more than what the groups of the caller concern'),
  ruleCount: z.number().describe('rules that notify this contact'),
  createdAt: instant,
  edition,
})

export const getContactList = listCall({
  path: '/api/contact/getContactList',
  permission: contactListPermission,
  summary: 'Alarm contacts.',
  sorts: ['name', 'phone', 'email', 'createdAt'],
  searches: ['name', 'phone', 'email', 'wechat', 'remark'],
  filters: { customerId: ownerId },
  row: contactRow,
})
export const createContact = call({
  path: '/api/contact/createContact',
  permission: contactEditPermission,
  writes: true,
  about: makes(contactObject, { by: 'id', named: 'name', of: { object: customerObject, by: 'customerId' } }),
  summary: 'Adds a contact; phone and e-mail are unique within the customer.',
  body: z.object({
    ...labelled({ customerId: ownerId }, { customerId: 'contact:field.customer' }),
    ...fields,
    events: wantedEvents.default([]),
  }),
  reply: z.object({ id: z.number() }),
})
export const updateContact = call({
  path: '/api/contact/updateContact',
  permission: contactEditPermission,
  writes: true,
  about: edits(contactObject, 'contactId'),
  summary: 'Changes a contact.',
  body: z.object({
    contactId: rowId,
    ...fields,
    events: wantedEvents.optional(),
    edition: openedEdition,
  }),
})
export const deleteContact = call({
  path: '/api/contact/deleteContact',
  permission: contactEditPermission,
  writes: true,
  about: deletes(contactObject, 'contactId'),
  summary: 'Deletes a contact; refused while a rule notifies it.',
  body: z.object({ contactId: rowId }),
})

export const contactScreen = screen({
  name: 'contact-list',
  path: '/alarmMsg/contacts',
  lists: 'contact/getContactList',
  menuId: 903,
  role: 'viewer',
  parent: 'fault',
  place: 40,
  area: 'management',
})
