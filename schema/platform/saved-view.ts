/** Saved views: search, filters and order of a list, stored by name on the server. */

import { z } from 'zod'
import { deletes, edits, makes, object } from '../kit/about.ts'
import { call } from '../kit/call.ts'
import { edition, openedEdition } from '../kit/edition.ts'
import { field } from '../kit/field.ts'
import { listCall } from '../kit/list.ts'
import { line } from '../kit/person.ts'
import { rowId } from '../kit/row-id.ts'
import { shaped } from '../kit/shape.ts'
import { instant } from '../kit/time.ts'

export const savedViewObject = object('savedView')

/** Limits: views of one user for one list, and the length of the query [characters]. */
export const VIEWS_MAX = 50
export const VIEW_QUERY_MAX = 2048

/** The name of a list call, e.g. `device/getDeviceList`. */
const listName = z.string().regex(shaped(/^[\w/-]{1,100}$/, 'listName'))
const viewName = field(line(64).min(1), { label: 'list:views.name' })
const shared = field(z.boolean(), { label: 'list:views.shared' })
const isDefault = field(z.boolean(), { label: 'list:views.isDefault' })
/** As in the URL, without `?`: `search=a&sort=name`. Only the console that wrote it reads it. */
const viewQuery = z
  .string()
  .max(VIEW_QUERY_MAX)
  .regex(shaped(/^[\w\-.~%+&=*,:/]*$/, 'viewQuery'))

export const savedView = z.object({
  id: z.number(),
  list: listName,
  name: z.string(),
  query: z.string(),
  shared: z.boolean().describe('all users of the customer may apply it'),
  isDefault: z.boolean().describe('applied when its owner opens the list'),
  mine: z.boolean(),
  owner: z.string(),
  changedAt: instant,
  edition,
})

export const getSavedViewList = listCall({
  path: '/api/view/getSavedViewList',
  permission: 'login',
  summary: 'The own views of one list, and those that others of the same customer share.',
  sorts: ['name', 'changedAt'],
  searches: ['name'],
  filters: { list: listName },
  row: savedView,
})

export const saveView = call({
  path: '/api/view/saveView',
  permission: 'login',
  writes: true,
  about: makes(savedViewObject, { by: 'id', named: 'name' }),
  summary: `Saves a view of a list; at most ${VIEWS_MAX} per user and list.`,
  body: z.object({
    list: listName,
    name: viewName,
    query: viewQuery.default(''),
    shared: shared.default(false),
    isDefault: isDefault.default(false),
  }),
  reply: z.object({ id: z.number() }),
})

export const modifySavedView = call({
  path: '/api/view/modifySavedView',
  permission: 'login',
  writes: true,
  about: edits(savedViewObject, 'id'),
  summary:
    'Renames an own view, overwrites its query, shares it, or makes it the default. Absent: unchanged.',
  body: z.object({
    id: rowId,
    name: viewName.optional(),
    query: viewQuery.optional(),
    shared: shared.optional(),
    isDefault: isDefault.optional(),
    edition: openedEdition,
  }),
})

export const deleteSavedView = call({
  path: '/api/view/deleteSavedView',
  permission: 'login',
  writes: true,
  about: deletes(savedViewObject, 'id'),
  summary: 'Deletes an own view.',
  body: z.object({ id: rowId }),
})
