/** Printers at print servers and routers: reported by devices, with aliases set by users [§3 Printer]. */

import { z } from 'zod'
import { deviceText } from '../device/hello.ts'
import { deletes, edits, object } from '../kit/about.ts'
import { call } from '../kit/call.ts'
import { edition, openedEdition } from '../kit/edition.ts'
import { listCall } from '../kit/list.ts'
import { uplink } from '../kit/message.ts'
import { permission } from '../kit/permission.ts'
import { line } from '../kit/person.ts'
import { rowId } from '../kit/row-id.ts'
import { screen } from '../kit/screen.ts'
import { deviceTime, deviceZone, instant } from '../kit/time.ts'
import { driverDebugStates } from './printer-driver.ts'

export const printerObject = object('printer')

export const printerListPermission = permission({
  id: 19800,
  name: 'printerList',
  role: 'viewer',
  under: 'printer-list',
})
export const printerEditPermission = permission({
  id: 19801,
  name: 'printerEdit',
  role: 'operator',
  under: 'printer-list',
})

export const printerStates = [
  'ready',
  'printing',
  'outOfPaper',
  'paperJam',
  'coverOpen',
  'error',
  'offline',
] as const
export type PrinterState = (typeof printerStates)[number]
/** States that need a person at the printer. */
export const printerTroubles = [
  'outOfPaper',
  'paperJam',
  'coverOpen',
  'error',
] as const satisfies readonly PrinterState[]
export type PrinterTrouble = (typeof printerTroubles)[number]

/** How jobs reach the printer. */
export const printMethods = ['usb', 'network', 'serial', 'parallel'] as const

const jobCount = z.int().min(0).max(2_147_483_647)

export const printers = uplink({
  name: 'printers',
  class: 'report',
  summary:
    'All printers at the device, with state and counters. Sent after each hello, when one changes, and after printing (at most every 10 s). A printer that is no longer listed is removed.',
  payload: z.object({
    at: deviceTime,
    printers: z
      .array(
        z.object({
          id: deviceText(64).min(1).describe('stays the same for this printer at this device'),
          vendor: deviceText(64).optional(),
          type: deviceText(64).optional().describe('model of the printer'),
          driverSign: deviceText(64).optional().describe('sign of the driver in use'),
          status: z.enum(printerStates),
          method: z.enum(printMethods),
          port: deviceText(64).describe('e.g. /dev/usb/lp0, 192.168.1.9:9100'),
          successCount: jobCount.describe('jobs printed since the printer was attached'),
          failCount: jobCount.describe('jobs that failed, likewise'),
          lastPrintAt: deviceTime.optional(),
        }),
      )
      .max(16),
  }),
  example: {
    at: 1795226430000,
    printers: [
      {
        id: 'usb-04b8-0202',
        vendor: 'EPSON',
        type: 'TM-T88V',
        driverSign: 'escpos',
        status: 'ready',
        method: 'usb',
        port: '/dev/usb/lp0',
        successCount: 1841,
        failCount: 3,
        lastPrintAt: 1795226411000,
      },
    ],
  },
})

export const getPrinterList = listCall({
  path: '/api/printer/getPrinterList',
  permission: printerListPermission,
  summary: 'Printers at the devices that the actor may see.',
  sorts: ['alias', 'vendor', 'status', 'lastPrintAt', 'totalCount', 'failCount', 'deviceSn'],
  searches: ['alias', 'vendor', 'deviceSn'],
  filters: {
    deviceId: rowId.optional(),
    status: z.enum(printerStates).optional(),
    method: z.enum(printMethods).optional(),
  },
  row: z.object({
    id: z.number(),
    alias: z.string(),
    vendor: z.string().nullable(),
    type: z.string().nullable(),
    status: z.enum(printerStates),
    statusAt: instant.describe('when the device last reported it'),
    present: z.boolean().describe('false: the device no longer names it'),
    lastPrintAt: instant.nullable(),
    deviceId: z.number().describe('the print server'),
    deviceSn: z.string(),
    deviceName: z.string(),
    deviceOnline: z.boolean(),
    timeZone: deviceZone,
    method: z.enum(printMethods),
    port: z.string(),
    driverSign: z.string().nullable(),
    driverDebug: z.enum(driverDebugStates).nullable().describe('null: no such driver is registered'),
    successCount: z.number(),
    failCount: z.number(),
    totalCount: z.number(),
    edition,
  }),
})

export const modifyPrinter = call({
  path: '/api/printer/modifyPrinter',
  permission: printerEditPermission,
  writes: true,
  about: edits(printerObject, 'id'),
  summary: 'Gives a printer its alias.',
  body: z.object({
    id: rowId,
    alias: line(64).min(1),
    edition: openedEdition,
  }),
})

export const deletePrinter = call({
  path: '/api/printer/deletePrinter',
  permission: printerEditPermission,
  writes: true,
  about: deletes(printerObject, 'id'),
  summary: 'Forgets a printer that its device no longer names.',
  body: z.object({ id: rowId }),
})

export const printerScreen = screen({
  name: 'printer-list',
  path: '/device/hangingDevice',
  lists: 'printer/getPrinterList',
  menuId: 198,
  role: 'viewer',
  permission: printerListPermission,
  parent: 'device',
  place: 30,
  area: 'management',
})
