import { eq, getTableColumns, sql } from 'drizzle-orm'
import {
  addTerminal,
  deleteTerminal,
  getTerminalList,
  hideTerminal,
  modifyTerminal,
  terminalObject,
} from '#schema/device/terminal'
import type { ParsedBodyOf } from '#schema/kit/call'
import { refuse } from '#schema/kit/refusal'
import { printerRefusals } from '#schema/printing/printer-refusals'
import { deviceStates, devices } from '#schema/tables/device'
import { terminals } from '#schema/tables/terminal'
import { rowOf } from '../kit/about.ts'
import { edit, editionOf } from '../kit/edition.ts'
import { handler } from '../kit/handler.ts'
import { listOfDevices } from '../kit/list-of-devices.ts'
import { stored } from '../kit/stored.ts'
import { uniqueViolation } from '../kit/unique-violation.ts'
import { reachDevice } from '../kit/visible-ids.ts'
import { isOnline } from './device-filter.ts'

export const storedTerminal = stored({
  object: terminalObject,
  table: terminals,
  id: terminals.id,
  name: sql`(select d.sn from devices d where d.id = ${terminals.deviceId}) || ' / ' || ${terminals.name}`,
  customerId: sql`(select d.customer_id from devices d where d.id = ${terminals.deviceId})`,
  deviceId: terminals.deviceId,
  seen: (walls) =>
    sql`exists (select 1 from ${devices} where ${devices.id} = ${terminals.deviceId} and ${walls.terminals})`,
  row: () => ({ id: terminals.id }),
  parts: {
    main: {
      table: terminals,
      id: terminals.id,
      fields: {
        name: terminals.name,
        deviceId: terminals.deviceId,
        template: terminals.template,
        protocol: terminals.protocol,
        slaveId: terminals.slaveId,
        slaveAddress: terminals.slaveAddress,
        port: terminals.port,
        serialPort: terminals.serialPort,
        serial: terminals.serial,
        number: terminals.number,
        location: terminals.location,
      },
    },
    visibility: { table: terminals, id: terminals.id, fields: { hidden: terminals.hidden } },
  },
})

export const getTerminalListHandler = listOfDevices(getTerminalList, 'terminals', ({ db }) => ({
  by: { ...getTableColumns(terminals), accessTime: terminals.createdAt },
  filters: { hidden: (hidden) => eq(terminals.hidden, hidden === 'yes') },
  rows: (found) =>
    db
      .select({
        total: found.total,
        id: terminals.id,
        name: terminals.name,
        serial: terminals.serial,
        template: terminals.template,
        protocol: terminals.protocol,
        slaveId: terminals.slaveId,
        slaveAddress: terminals.slaveAddress,
        port: terminals.port,
        serialPort: terminals.serialPort,
        deviceId: devices.id,
        deviceSn: devices.sn,
        deviceName: devices.name,
        deviceOnline: isOnline,
        timeZone: devices.timeZone,
        hidden: terminals.hidden,
        number: terminals.number,
        location: terminals.location,
        accessTime: terminals.createdAt,
        edition: editionOf(storedTerminal.parts.main),
      })
      .from(found)
      .innerJoin(terminals, eq(terminals.id, found.id))
      .innerJoin(devices, eq(devices.id, terminals.deviceId))
      .leftJoin(deviceStates, eq(deviceStates.deviceId, devices.id)),
}))

type Fields = ParsedBodyOf<typeof addTerminal>

/** An empty field is unknown, not an empty text; an omitted field is cleared. */
const columns = (fields: Fields) => ({
  ...fields,
  serial: fields.serial || null,
  number: fields.number || null,
  location: fields.location || null,
  port: fields.port ?? null,
  serialPort: fields.serialPort ?? null,
})

/** Which of the two unique indexes was uniqueViolation. */
async function unique<T>(name: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    const index = uniqueViolation(error)
    if (index === 'terminals_name') refuse(printerRefusals.terminalNameTaken, { name }, 'name')
    if (index === 'terminals_slave') refuse(printerRefusals.slaveTaken, {}, 'slaveId')
    throw error
  }
}

export const addTerminalHandler = handler(addTerminal, async (ctx, body) => {
  const [made] = await unique(body.name, () =>
    ctx.db.insert(terminals).values(columns(body)).returning({ id: terminals.id }),
  )
  if (!made) throw new Error('insert returned nothing')
  return made
})

export const modifyTerminalHandler = handler(modifyTerminal, async (ctx, { id, edition, ...fields }) => {
  await reachDevice(ctx, fields.deviceId)
  await unique(fields.name, () =>
    edit(ctx, { opened: edition }, (tx) =>
      tx.update(terminals).set(columns(fields)).where(eq(terminals.id, id)),
    ),
  )
  return null
})

export const hideTerminalHandler = handler(hideTerminal, async (ctx, { id, hidden }) => {
  await edit(ctx, {}, (tx) => tx.update(terminals).set({ hidden }).where(eq(terminals.id, id)))
  return null
})

export const deleteTerminalHandler = handler(deleteTerminal, async (ctx) => {
  await ctx.db.delete(terminals).where(eq(terminals.id, rowOf(ctx, storedTerminal).id))
  return null
})
