import { and, eq, sql } from 'drizzle-orm'
import { refuse } from '#schema/kit/refusal'
import { deletePrinter, getPrinterList, modifyPrinter, printerObject } from '#schema/printing/printer'
import { printerRefusals } from '#schema/printing/printer-refusals'
import { deviceStates, devices } from '#schema/tables/device'
import { printerDrivers, printers } from '#schema/tables/printer'
import { isOnline } from '../device/device-filter.ts'
import { rowOf } from '../kit/about.ts'
import { edit, editionOf } from '../kit/edition.ts'
import { handler } from '../kit/handler.ts'
import { listOf } from '../kit/list-of.ts'
import { ofSerial } from '../kit/of-devices.ts'
import { stored } from '../kit/stored.ts'

/** A printer without an alias is shown with its type, or the device's own name for it. */
const alias = sql<string>`coalesce(${printers.alias}, ${printers.type}, ${printers.localId})`

export const storedPrinter = stored({
  object: printerObject,
  table: printers,
  id: printers.id,
  name: sql`(select d.sn from devices d where d.id = ${printers.deviceId}) || ' / ' || ${alias}`,
  customerId: sql`(select d.customer_id from devices d where d.id = ${printers.deviceId})`,
  deviceId: printers.deviceId,
  seen: (walls) =>
    sql`exists (select 1 from ${devices} where ${devices.id} = ${printers.deviceId} and ${walls.printers})`,
  row: () => ({ id: printers.id }),
  parts: { main: { table: printers, id: printers.id, fields: { alias: printers.alias } } },
})

/** Devices report each counter up to the largest integer of its column; the sum is larger. */
const totalCount = sql<number>`${printers.successCount}::bigint + ${printers.failCount}`.mapWith(Number)

export const getPrinterListHandler = listOf(getPrinterList, 'printers', ({ db }) => ({
  table: printers,
  known: [devices.sn],
  finds: { deviceSn: (text) => ofSerial(db, printers.deviceId, text) },
  rows: (pick) =>
    db
      .select(
        pick({
          id: printers.id,
          alias,
          vendor: printers.vendor,
          type: printers.type,
          status: printers.status,
          statusAt: printers.statusAt,
          present: printers.present,
          lastPrintAt: printers.lastPrintAt,
          deviceId: printers.deviceId,
          deviceSn: devices.sn,
          deviceName: devices.name,
          deviceOnline: isOnline,
          timeZone: devices.timeZone,
          method: printers.method,
          port: printers.port,
          driverSign: printers.driverSign,
          driverDebug: printerDrivers.debugState,
          successCount: printers.successCount,
          failCount: printers.failCount,
          totalCount,
          edition: editionOf(storedPrinter.parts.main),
        }),
      )
      .from(printers)
      .innerJoin(devices, eq(devices.id, printers.deviceId))
      .leftJoin(deviceStates, eq(deviceStates.deviceId, devices.id))
      .leftJoin(printerDrivers, eq(printerDrivers.sign, printers.driverSign)),
}))

export const modifyPrinterHandler = handler(modifyPrinter, async (ctx, body) => {
  const { id } = rowOf(ctx, storedPrinter)
  await edit(ctx, { opened: body.edition }, (tx) =>
    tx.update(printers).set({ alias: body.alias }).where(eq(printers.id, id)),
  )
  return null
})

export const deletePrinterHandler = handler(deletePrinter, async (ctx) => {
  const { id } = rowOf(ctx, storedPrinter)
  // Otherwise the device would report it again immediately.
  const gone = await ctx.db
    .delete(printers)
    .where(and(eq(printers.id, id), eq(printers.present, false)))
    .returning({ id: printers.id })
  if (gone.length === 0) refuse(printerRefusals.printerPresent)
  return null
})
