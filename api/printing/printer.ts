import { and, eq, ilike, or, sql } from 'drizzle-orm'
import { refuse } from '#schema/kit/refusal'
import { sessionRefusals } from '#schema/people/session-refusals'
import { deletePrinter, getPrinterList, modifyPrinter } from '#schema/printing/printer'
import { printerRefusals } from '#schema/printing/printer-refusals'
import { deviceStates, devices } from '#schema/tables/device'
import { printerDrivers, printers } from '#schema/tables/printer'
import { isOnline } from '../device/device-filter.ts'
import { editables } from '../kit/editables.ts'
import { editionOf, holdEdition } from '../kit/edition.ts'
import { type CallContext, handler } from '../kit/handler.ts'
import { ofDevices, ofSerial } from '../kit/of-devices.ts'
import { pageOfDevices } from '../kit/of-devices-page.ts'
import { contains } from '../kit/paging.ts'
import { visible } from '../kit/scope.ts'

/** What nobody named goes by its type, or by the device's own name for it. */
const alias = sql<string>`coalesce(${printers.alias}, ${printers.type}, ${printers.localId})`
const totalCount = sql<number>`${printers.successCount} + ${printers.failCount}`.mapWith(Number)

const sortColumns = {
  alias,
  vendor: printers.vendor,
  status: printers.status,
  lastPrintAt: printers.lastPrintAt,
  totalCount,
  failCount: printers.failCount,
  deviceSn: devices.sn,
} as const

export const getPrinterListHandler = handler(getPrinterList, async ({ db, actor }, body) => {
  const pattern = body.search ? contains(body.search) : undefined
  const where = and(
    ofDevices(db, printers.deviceId, visible(actor).printers),
    body.deviceId ? eq(printers.deviceId, body.deviceId) : undefined,
    body.status ? eq(printers.status, body.status) : undefined,
    body.method ? eq(printers.method, body.method) : undefined,
    pattern
      ? or(
          ilike(alias, pattern),
          ilike(printers.vendor, pattern),
          ofSerial(db, printers.deviceId, body.search ?? ''),
        )
      : undefined,
  )
  const column = sortColumns[body.sort ?? 'alias']
  const { found, order, told } = pageOfDevices(db, printers, body, column, where)
  const rows = await db
    .select({
      total: found.total,
      id: printers.id,
      alias,
      vendor: printers.vendor,
      type: printers.type,
      status: printers.status,
      statusAt: printers.statusAt,
      present: printers.present,
      lastPrintAt: printers.lastPrintAt,
      deviceId: devices.id,
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
      edition: editionOf(editables.printer),
    })
    .from(found)
    .innerJoin(printers, eq(printers.id, found.id))
    .innerJoin(devices, eq(devices.id, printers.deviceId))
    .leftJoin(deviceStates, eq(deviceStates.deviceId, devices.id))
    .leftJoin(printerDrivers, eq(printerDrivers.sign, printers.driverSign))
    .orderBy(...order)
  return told(rows)
})

/** @throws Refusal 5 unless the actor may see the printer. */
async function reachPrinter({ db, actor }: CallContext, id: number) {
  const [found] = await db
    .select({ id: printers.id, alias, present: printers.present, sn: devices.sn })
    .from(printers)
    .innerJoin(devices, eq(devices.id, printers.deviceId))
    .where(and(visible(actor).printers, eq(printers.id, id)))
  return found ?? refuse(sessionRefusals.noPermission)
}

export const modifyPrinterHandler = handler(modifyPrinter, async (ctx, body) => {
  const printer = await reachPrinter(ctx, body.id)
  await ctx.db.transaction(async (tx) => {
    await holdEdition(ctx, tx, editables.printer, { id: printer.id }, body.edition)
    await tx.update(printers).set({ alias: body.alias }).where(eq(printers.id, printer.id))
  })
  ctx.note({
    object: `${printer.sn} / ${printer.alias}`,
    before: { alias: printer.alias },
    after: { alias: body.alias },
  })
  return null
})

export const deletePrinterHandler = handler(deletePrinter, async (ctx, body) => {
  const printer = await reachPrinter(ctx, body.id)
  // The device would name it again in a moment.
  const gone = await ctx.db
    .delete(printers)
    .where(and(eq(printers.id, printer.id), eq(printers.present, false)))
    .returning({ id: printers.id })
  if (gone.length === 0) refuse(printerRefusals.printerPresent)
  ctx.note({ object: `${printer.sn} / ${printer.alias}` })
  return null
})
