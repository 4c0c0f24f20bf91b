/** Data plans: the contracts with carriers that SIM cards run on. */

import { z } from 'zod'
import { deletes, edits, makes, object } from '../kit/about.ts'
import { call } from '../kit/call.ts'
import { edition, openedEdition } from '../kit/edition.ts'
import { listCall } from '../kit/list.ts'
import { permission } from '../kit/permission.ts'
import { line, paragraph } from '../kit/person.ts'
import { rowId } from '../kit/row-id.ts'
import { screen } from '../kit/screen.ts'
import { instant } from '../kit/time.ts'
import { customerObject } from '../people/customer-object.ts'

export const dataPlanObject = object('dataPlan')

export const dataPlanListPermission = permission({
  id: 29100,
  name: 'dataPlanList',
  role: 'viewer',
  under: 'data-plan-list',
})
export const dataPlanEditPermission = permission({
  id: 29101,
  name: 'dataPlanEdit',
  role: 'customerAdmin',
  under: 'data-plan-list',
})

const fields = {
  name: line(64).min(1),
  carrier: line(64).min(1),
  monthlyMib: z.coerce.number().int().min(1).max(10_000_000),
  remark: paragraph(500).optional(),
}
/** Platform users say whose; customer users may leave it out. */
const customerId = rowId.optional()

export const getDataPlanList = listCall({
  path: '/api/dataPlan/getDataPlanList',
  permission: dataPlanListPermission,
  summary: 'Data plans.',
  sorts: ['name', 'carrier', 'monthlyMib', 'updatedAt'],
  descending: ['updatedAt'],
  searches: ['name', 'carrier', 'remark'],
  filters: { customerId },
  row: z.object({
    id: z.number(),
    customerId: z.number(),
    customerName: z.string(),
    name: z.string(),
    carrier: z.string(),
    monthlyMib: z.number(),
    remark: z.string().nullable(),
    updatedAt: instant,
    edition,
  }),
})

export const addDataPlan = call({
  path: '/api/dataPlan/addDataPlan',
  permission: dataPlanEditPermission,
  writes: true,
  about: makes(dataPlanObject, { by: 'id', named: 'name', of: { object: customerObject, by: 'customerId' } }),
  summary: 'Adds a data plan.',
  body: z.object({ customerId, ...fields }),
  reply: z.object({ id: z.number() }),
})

export const modifyDataPlan = call({
  path: '/api/dataPlan/modifyDataPlan',
  permission: dataPlanEditPermission,
  writes: true,
  about: edits(dataPlanObject, 'id'),
  summary: 'Changes a data plan.',
  body: z.object({ id: rowId, ...fields, edition: openedEdition }),
})

export const deleteDataPlan = call({
  path: '/api/dataPlan/deleteDataPlan',
  permission: dataPlanEditPermission,
  writes: true,
  about: deletes(dataPlanObject, 'id'),
  summary: 'Deletes a data plan.',
  body: z.object({ id: rowId }),
})

export const dataPlanScreen = screen({
  name: 'data-plan-list',
  path: '/device/dataPlans',
  menuId: 291,
  role: 'viewer',
  permission: dataPlanListPermission,
  parent: 'device',
  place: 95,
  area: 'management',
})
