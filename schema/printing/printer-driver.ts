/** The installation's printer drivers [§3 Printer driver]: the meaning of each sign, and whether it was tested. */

import { z } from 'zod'
import { deletes, edits, makes, object } from '../kit/about.ts'
import { call } from '../kit/call.ts'
import { edition, openedEdition } from '../kit/edition.ts'
import { listCall, storable } from '../kit/list.ts'
import { permission } from '../kit/permission.ts'
import { paragraph } from '../kit/person.ts'
import { rowId } from '../kit/row-id.ts'
import { screen } from '../kit/screen.ts'
import { shaped } from '../kit/shape.ts'
import { instant } from '../kit/time.ts'

export const printerDriverObject = object('printerDriver')

export const printerDriverListPermission = permission({
  id: 20000,
  name: 'printerDriverList',
  role: 'customerAdmin',
  under: 'printer-driver-list',
})
export const printerDriverEditPermission = permission({
  id: 20001,
  name: 'printerDriverEdit',
  role: 'systemAdmin',
  under: 'printer-driver-list',
})

/** A common driver serves many printer types, a special one a single type. */
export const driverTypes = ['common', 'special'] as const
/** [§4 Printer driver debug flag] */
export const driverDebugStates = ['notDebugged', 'passed', 'failed'] as const

const fields = {
  address: storable(z.string().trim().min(1).max(300)).describe(
    'where devices fetch the driver: URL or path',
  ),
  type: z.enum(driverTypes),
  sign: z
    .string()
    .trim()
    .min(1)
    .max(64)
    .regex(shaped(/^[\w.+-]+$/, 'driverSign')),
  debugState: z.enum(driverDebugStates).default('notDebugged'),
  remark: paragraph(500).optional(),
}

export const getPrinterDriverList = listCall({
  path: '/api/printer/getPrinterDriverList',
  permission: printerDriverListPermission,
  summary: 'Printer drivers of the installation, with the number of visible printers that use each.',
  sorts: ['sign', 'type', 'debugState', 'updatedAt'],
  searches: ['sign', 'address', 'remark'],
  filters: { type: z.enum(driverTypes).optional(), debugState: z.enum(driverDebugStates).optional() },
  row: z.object({
    id: z.number(),
    address: z.string(),
    type: z.enum(driverTypes),
    sign: z.string(),
    debugState: z.enum(driverDebugStates),
    remark: z.string().nullable(),
    printerCount: z.number(),
    updatedAt: instant,
    edition,
  }),
})

export const addPrinterDriver = call({
  path: '/api/printer/addPrinterDriver',
  permission: printerDriverEditPermission,
  writes: true,
  about: makes(printerDriverObject, { by: 'id', named: 'sign' }),
  summary: 'Registers a printer driver; its sign is unique.',
  body: z.object(fields),
  reply: z.object({ id: z.number() }),
})

export const modifyPrinterDriver = call({
  path: '/api/printer/modifyPrinterDriver',
  permission: printerDriverEditPermission,
  writes: true,
  about: edits(printerDriverObject, 'id'),
  summary: 'Changes a printer driver.',
  body: z.object({ id: rowId, ...fields, edition: openedEdition }),
})

export const deletePrinterDriver = call({
  path: '/api/printer/deletePrinterDriver',
  permission: printerDriverEditPermission,
  writes: true,
  about: deletes(printerDriverObject, 'id'),
  summary: 'Deletes a printer driver that no printer uses.',
  body: z.object({ id: rowId }),
})

export const printerDriverScreen = screen({
  name: 'printer-driver-list',
  path: '/system/printerdriver',
  lists: 'printer/getPrinterDriverList',
  menuId: 200,
  role: 'customerAdmin',
  permission: printerDriverListPermission,
  parent: 'system',
  place: 60,
  area: 'management',
})
