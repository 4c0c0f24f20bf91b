import { and, count, eq, sql } from 'drizzle-orm'
import { refuse } from '#schema/kit/refusal'
import {
  addPrinterDriver,
  deletePrinterDriver,
  getPrinterDriverList,
  modifyPrinterDriver,
  printerDriverObject,
} from '#schema/printing/printer-driver'
import { printerRefusals } from '#schema/printing/printer-refusals'
import { devices } from '#schema/tables/device'
import { printerDrivers, printers } from '#schema/tables/printer'
import { rowOf } from '../kit/about.ts'
import { edit, editionOf } from '../kit/edition.ts'
import { handler } from '../kit/handler.ts'
import { listOf } from '../kit/list-of.ts'
import { visible } from '../kit/scope.ts'
import { stored } from '../kit/stored.ts'
import { whenTaken } from '../kit/unique-violation.ts'

export const storedPrinterDriver = stored({
  object: printerDriverObject,
  table: printerDrivers,
  id: printerDrivers.id,
  name: printerDrivers.sign,
  seen: (walls) => walls.printerDrivers,
  row: () => ({ id: printerDrivers.id, sign: printerDrivers.sign }),
  parts: {
    main: {
      table: printerDrivers,
      id: printerDrivers.id,
      fields: {
        sign: printerDrivers.sign,
        type: printerDrivers.type,
        address: printerDrivers.address,
        debugState: printerDrivers.debugState,
        remark: printerDrivers.remark,
      },
    },
  },
})

/** Drivers belong to the installation and are visible to all; only printers visible to the actor are counted. */
export const getPrinterDriverListHandler = listOf(getPrinterDriverList, 'printerDrivers', ({ db, actor }) => {
  const uses = db
    .select({ sign: printers.driverSign, uses: count().as('uses') })
    .from(printers)
    .innerJoin(devices, eq(devices.id, printers.deviceId))
    .where(visible(actor).printers)
    .groupBy(printers.driverSign)
    .as('uses')
  return {
    table: printerDrivers,
    rows: db
      .select({
        id: printerDrivers.id,
        address: printerDrivers.address,
        type: printerDrivers.type,
        sign: printerDrivers.sign,
        debugState: printerDrivers.debugState,
        remark: printerDrivers.remark,
        printerCount: sql<number>`coalesce(${uses.uses}, 0)`.mapWith(Number),
        updatedAt: printerDrivers.updatedAt,
        edition: editionOf(storedPrinterDriver.parts.main),
      })
      .from(printerDrivers)
      .leftJoin(uses, eq(uses.sign, printerDrivers.sign)),
  }
})

export const addPrinterDriverHandler = handler(addPrinterDriver, async (ctx, body) => {
  const [made] = await ctx.db
    .insert(printerDrivers)
    .values({ ...body, remark: body.remark || null, updatedAt: ctx.now() })
    .onConflictDoNothing()
    .returning({ id: printerDrivers.id })
  if (!made) refuse(printerRefusals.driverSignTaken, { sign: body.sign }, 'sign')
  return made
})

export const modifyPrinterDriverHandler = handler(modifyPrinterDriver, async (ctx, body) => {
  const { id, edition, ...fields } = body
  await edit(ctx, { opened: edition }, (tx) =>
    tx
      .update(printerDrivers)
      .set({ ...fields, remark: fields.remark || null, updatedAt: ctx.now() })
      .where(eq(printerDrivers.id, id)),
  ).catch(
    whenTaken({
      printer_drivers_sign: () => refuse(printerRefusals.driverSignTaken, { sign: fields.sign }, 'sign'),
    }),
  )
  return null
})

export const deletePrinterDriverHandler = handler(deletePrinterDriver, async (ctx) => {
  const driver = rowOf(ctx, storedPrinterDriver)
  // Printers of all customers count, because the driver belongs to the installation.
  const [used] = await ctx.db
    .select({ count: count() })
    .from(printers)
    .where(and(eq(printers.driverSign, driver.sign), eq(printers.present, true)))
  if (used && used.count > 0) refuse(printerRefusals.driverInUse, { count: used.count })
  await ctx.db.delete(printerDrivers).where(eq(printerDrivers.id, driver.id))
  return null
})
