/**
 * Snippets that a customer's users often type into terminals, such as "show routes": stored once, shown before they are
 * sent.
 */
import { z } from 'zod'
import { deletes, edits, makes, object } from '../kit/about.ts'
import { call } from '../kit/call.ts'
import { edition, openedEdition } from '../kit/edition.ts'
import { because } from '../kit/fault.ts'
import { field, labelled } from '../kit/field.ts'
import { listCall } from '../kit/list.ts'
import { permission } from '../kit/permission.ts'
import { line } from '../kit/person.ts'
import { rowId } from '../kit/row-id.ts'
import { screen } from '../kit/screen.ts'
import { instant } from '../kit/time.ts'
import { customerObject } from '../people/customer-object.ts'
import { remoteOperationPermission } from './remote-access.ts'
import { remoteSessionScreen } from './remote-pages.ts'

export const snippetObject = object('terminalSnippet')

export const snippetEditPermission = permission({
  id: 9007,
  name: 'snippetEdit',
  role: 'customerAdmin',
  under: 'remote-session',
})

/** No control characters but line breaks and tabs: what is shown is what is typed. */
const isTypable = (text: string) => /^(?:[\n\t]|\P{Cc})*$/u.test(text)

const fields = {
  name: line(64).min(1),
  text: field(
    z
      .string()
      .trim()
      .min(1)
      .max(2000)
      .refine(isTypable, because({ reason: 'format', shape: 'storable' })),
    { input: 'area' },
  ),
  enter: z.boolean().default(true).describe('it is followed by the Enter key'),
}

export const getSnippetList = listCall({
  path: '/api/remote/getSnippetList',
  permission: remoteOperationPermission,
  summary: 'Snippets for terminals.',
  sorts: ['name', 'createdAt'],
  descending: ['createdAt'],
  searches: ['name', 'text'],
  filters: { deviceId: rowId.optional().describe('those of its customer') },
  row: z.object({
    id: z.number(),
    customerId: z.number(),
    customerName: z.string(),
    name: z.string(),
    text: z.string(),
    enter: z.boolean(),
    createdAt: instant,
    edition,
  }),
})

export const addSnippet = call({
  path: '/api/remote/addSnippet',
  permission: snippetEditPermission,
  writes: true,
  about: makes(snippetObject, { by: 'id', named: 'name', of: { object: customerObject, by: 'customerId' } }),
  summary: 'Adds a snippet; its name is unique within the customer.',
  body: z.object({
    ...labelled({ customerId: rowId.optional() }, { customerId: 'snippet:field.customer' }),
    ...fields,
  }),
  reply: z.object({ id: z.number() }),
})

export const modifySnippet = call({
  path: '/api/remote/modifySnippet',
  permission: snippetEditPermission,
  writes: true,
  about: edits(snippetObject, 'snippetId'),
  summary: 'Changes a snippet.',
  body: z.object({ snippetId: rowId, ...fields, edition: openedEdition }),
})

export const deleteSnippet = call({
  path: '/api/remote/deleteSnippet',
  permission: snippetEditPermission,
  writes: true,
  about: deletes(snippetObject, 'snippetId'),
  summary: 'Deletes a snippet.',
  body: z.object({ snippetId: rowId }),
})

export const snippetScreen = screen({
  name: 'snippet-list',
  path: '/device/snippets',
  lists: 'remote/getSnippetList',
  permission: remoteOperationPermission,
  under: remoteSessionScreen,
  place: 66,
  area: 'management',
})
