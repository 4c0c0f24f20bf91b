import { and, count, eq, sql } from 'drizzle-orm'
import { refuse } from '#schema/kit/refusal'
import { sessionRefusals } from '#schema/people/session-refusals'
import {
  addPrinterDriver,
  deletePrinterDriver,
  getPrinterDriverList,
  modifyPrinterDriver,
} from '#schema/printing/printer-driver'
import { printerRefusals } from '#schema/printing/printer-refusals'
import { devices } from '#schema/tables/device'
import { printerDrivers, printers } from '#schema/tables/printer'
import { editables } from '../kit/editables.ts'
import { editionOf, holdEdition } from '../kit/edition.ts'
import { handler } from '../kit/handler.ts'
import { listOf } from '../kit/list-of.ts'
import { visible } from '../kit/scope.ts'
import { violated } from '../kit/unique-violation.ts'

/** Drivers belong to the installation and are everybody's to see; how many printers use one is counted in scope. */
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
        edition: editionOf(editables.printerDriver),
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
  ctx.note({ object: body.sign, after: body })
  return made
})

export const modifyPrinterDriverHandler = handler(modifyPrinterDriver, async (ctx, body) => {
  const { id, edition, ...fields } = body
  const [before] = await ctx.db
    .select()
    .from(printerDrivers)
    .where(and(visible(ctx.actor).printerDrivers, eq(printerDrivers.id, id)))
  if (!before) refuse(sessionRefusals.noPermission)
  try {
    await ctx.db.transaction(async (tx) => {
      await holdEdition(ctx, tx, editables.printerDriver, { id }, edition)
      await tx
        .update(printerDrivers)
        .set({ ...fields, remark: fields.remark || null, updatedAt: ctx.now() })
        .where(eq(printerDrivers.id, id))
    })
  } catch (error) {
    if (violated(error) === 'printer_drivers_sign')
      refuse(printerRefusals.driverSignTaken, { sign: fields.sign }, 'sign')
    throw error
  }
  ctx.note({ object: fields.sign, before, after: fields })
  return null
})

export const deletePrinterDriverHandler = handler(deletePrinterDriver, async (ctx, body) => {
  const [driver] = await ctx.db
    .select({ id: printerDrivers.id, sign: printerDrivers.sign })
    .from(printerDrivers)
    .where(and(visible(ctx.actor).printerDrivers, eq(printerDrivers.id, body.id)))
  if (!driver) refuse(sessionRefusals.noPermission)
  // Everybody's printers count: the driver is the installation's.
  const [used] = await ctx.db
    .select({ count: count() })
    .from(printers)
    .where(and(eq(printers.driverSign, driver.sign), eq(printers.present, true)))
  if (used && used.count > 0) refuse(printerRefusals.driverInUse, { count: used.count })
  await ctx.db.delete(printerDrivers).where(eq(printerDrivers.id, driver.id))
  ctx.note({ object: driver.sign })
  return null
})
