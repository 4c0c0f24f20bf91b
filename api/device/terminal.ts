import { and, eq, ne, type SQL, sql } from 'drizzle-orm'
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
import { isModbus, type SlaveState } from '#schema/monitor/fields'
import { absent } from '#schema/people/session-refusals'
import { printerRefusals } from '#schema/printing/printer-refusals'
import { terminalStates } from '#schema/tables/collection'
import { collectionTemplates } from '#schema/tables/collection-template'
import { deviceStates, devices } from '#schema/tables/device'
import { terminals } from '#schema/tables/terminal'
import { rowOf } from '../kit/about.ts'
import { edit, editionOf } from '../kit/edition.ts'
import { type CallContext, handler } from '../kit/handler.ts'
import { listOf } from '../kit/list-of.ts'
import { ofSerial } from '../kit/of-devices.ts'
import { visible } from '../kit/scope.ts'
import { stored } from '../kit/stored.ts'
import { whenTaken } from '../kit/unique-violation.ts'
import { groupsBelow, projectGroups } from '../monitor/project-figures.ts'
import { isSeen } from '../monitor/source-state.ts'
import { isOnline } from './device-filter.ts'
import { checkTemplate } from './terminal-template.ts'

export const storedTerminal = stored({
  object: terminalObject,
  table: terminals,
  id: terminals.id,
  name: sql`(select d.sn from devices d where d.id = ${terminals.deviceId}) || ' / ' || ${terminals.name}`,
  customerId: sql`(select d.customer_id from devices d where d.id = ${terminals.deviceId})`,
  deviceId: terminals.deviceId,
  seen: (walls) =>
    sql`exists (select 1 from ${devices} where ${devices.id} = ${terminals.deviceId} and ${walls.terminals})`,
  row: () => ({ id: terminals.id, deviceId: terminals.deviceId }),
  parts: {
    main: {
      table: terminals,
      id: terminals.id,
      fields: {
        name: terminals.name,
        deviceId: terminals.deviceId,
        templateId: terminals.templateId,
        protocol: terminals.protocol,
        slaveId: terminals.slaveId,
        slaveAddress: terminals.slaveAddress,
        port: terminals.port,
        serialPort: terminals.serialPort,
        baudRate: terminals.baudRate,
        parity: terminals.parity,
        dataBits: terminals.dataBits,
        stopBits: terminals.stopBits,
        serial: terminals.serial,
        number: terminals.number,
        location: terminals.location,
      },
    },
    visibility: { table: terminals, id: terminals.id, fields: { hidden: terminals.hidden } },
  },
})

const source = sql`from south_terminals l join south_accounts a on a.id = l.account_id
  left join south_states x on x.account_id = a.id where l.terminal_id = ${terminals.id}`
const isLinked = sql`exists (select 1 ${source})`
const isSending = sql`exists (select 1 ${source} and a.enabled and ${isSeen('x.brokers')})`

/** Terminals of devices for which this is true; the list itself starts from the visible ones. */
const behind = (where: SQL) =>
  sql`${terminals.deviceId} in (select ${devices.id} from ${devices} where ${where})`

/** While a device is offline, the state of its slaves is unknown: the last report may no longer be true. */
function inState(state: SlaveState | 'unknown'): SQL {
  const known = (
    more: SQL,
  ) => sql`(not ${isLinked} and exists (select 1 from ${terminalStates} join ${deviceStates}
    on ${deviceStates.deviceId} = ${terminals.deviceId} and ${deviceStates.online}
    where ${terminalStates.terminalId} = ${terminals.id} and ${more}))`
  if (state === 'unknown') return sql`not ${known(sql`true`)} and not ${isSending}`
  const reported = known(sql`${terminalStates.state} = ${state}`)
  return state === 'answering' ? sql`(${reported} or ${isSending})` : reported
}

export const getTerminalListHandler = listOf(getTerminalList, 'terminals', ({ db }) => ({
  table: terminals,
  known: [devices.sn],
  finds: { deviceSn: (text) => ofSerial(db, terminals.deviceId, text) },
  filters: {
    hidden: (hidden) => eq(terminals.hidden, hidden === 'yes'),
    projectId: (id) => behind(sql`${devices.groupId} in (${projectGroups(id)})`),
    groupId: (id) => behind(sql`${devices.groupId} in (${groupsBelow(id)})`),
    state: inState,
  },
  rows: (pick) =>
    db
      .select(
        pick({
          id: terminals.id,
          name: terminals.name,
          serial: terminals.serial,
          templateId: terminals.templateId,
          template: sql<string>`${collectionTemplates.name}`,
          protocol: terminals.protocol,
          slaveId: terminals.slaveId,
          slaveAddress: terminals.slaveAddress,
          port: terminals.port,
          serialPort: terminals.serialPort,
          baudRate: terminals.baudRate,
          parity: terminals.parity,
          dataBits: terminals.dataBits,
          stopBits: terminals.stopBits,
          deviceId: terminals.deviceId,
          deviceSn: devices.sn,
          deviceName: devices.name,
          deviceOnline: isOnline,
          timeZone: devices.timeZone,
          state: terminalStates.state,
          stateSince: terminalStates.since,
          source: sql<{ name: string; connected: boolean } | null>`(select json_build_object('name', a.name,
          'connected', a.enabled and ${isSeen('x.brokers')}) ${source})`,
          reportAt:
            sql<Date | null>`(select to_timestamp(max(at.ms) / 1000.0) from terminal_latest l, unnest(l.at) at(ms) where l.terminal_id = ${terminals.id})`.mapWith(
              terminals.createdAt,
            ),
          missed: sql<number>`coalesce(${terminalStates.missed}, 0)`,
          dropped: sql<number>`coalesce((select sum(g.reports) from variable_gaps g where g.terminal_id = ${terminals.id}), 0)::int`,
          hidden: terminals.hidden,
          number: terminals.number,
          location: terminals.location,
          accessTime: terminals.createdAt,
          edition: editionOf(storedTerminal.parts.main),
        }),
      )
      .from(terminals)
      .innerJoin(devices, eq(devices.id, terminals.deviceId))
      // Every terminal has one; the planner leaves out only left joins.
      .leftJoin(collectionTemplates, eq(collectionTemplates.id, terminals.templateId))
      .leftJoin(terminalStates, eq(terminalStates.terminalId, terminals.id))
      .leftJoin(deviceStates, eq(deviceStates.deviceId, devices.id)),
}))

type Fields = ParsedBodyOf<typeof addTerminal>

/**
 * An empty field is stored as unknown, not as an empty text; omitted fields are cleared, and so are those that this
 * kind of connection does not have.
 */
const columns = (fields: Fields) => {
  const isSerial = fields.protocol === 'modbusRtu'
  const hasSlave = isModbus(fields.protocol)
  return {
    ...fields,
    slaveId: hasSlave ? (fields.slaveId ?? null) : null,
    slaveAddress: hasSlave ? (fields.slaveAddress ?? null) : null,
    serial: fields.serial || null,
    number: fields.number || null,
    location: fields.location || null,
    port: hasSlave && !isSerial ? (fields.port ?? null) : null,
    serialPort: isSerial ? (fields.serialPort ?? null) : null,
    ...(isSerial ? lineOf(fields) : { baudRate: null, parity: null, dataBits: null, stopBits: null }),
  }
}
const lineOf = ({ baudRate, parity, dataBits, stopBits }: Fields) => ({
  baudRate: baudRate ?? 9_600,
  parity: parity ?? ('none' as const),
  dataBits: dataBits ?? 8,
  stopBits: stopBits ?? 1,
})

type Tx = Parameters<Parameters<CallContext['db']['transaction']>[0]>[0]

/**
 * Changes of the terminals of a device wait for each other, because each may change all on its bus. Until the end it
 * cannot be given to another customer. @throws as `checkTemplate`, and Refusal 5 unless the actor may see the device
 */
async function lockDevice(tx: Tx, { actor }: CallContext, of: { deviceId: number; templateId: number }) {
  const found = await tx
    .select({ id: devices.id })
    .from(devices)
    .where(and(visible(actor).devices, eq(devices.id, of.deviceId)))
    .for('no key update')
  if (found.length === 0) refuse(absent)
  await checkTemplate({ db: tx, actor }, of)
}

/** A bus has one speed: the serial settings of one terminal apply to all on the same bus. */
const settleBus = async (tx: Tx, id: number, fields: Fields): Promise<void> => {
  if (fields.protocol !== 'modbusRtu' || fields.slaveAddress === undefined) return
  await tx
    .update(terminals)
    .set(lineOf(fields))
    .where(
      and(
        ne(terminals.id, id),
        eq(terminals.deviceId, fields.deviceId),
        eq(terminals.protocol, 'modbusRtu'),
        eq(terminals.slaveAddress, fields.slaveAddress),
        sql`${terminals.serialPort} is not distinct from ${fields.serialPort ?? null}::int`,
      ),
    )
}

/** Which of the two unique indexes was violated. */
const taken = (name: string) =>
  whenTaken({
    terminals_name: () => refuse(printerRefusals.terminalNameTaken, { name }, 'name'),
    terminals_slave: () => refuse(printerRefusals.slaveTaken, {}, 'slaveId'),
  })

export const addTerminalHandler = handler(addTerminal, async (ctx, body) => {
  return ctx.db
    .transaction(async (tx) => {
      await lockDevice(tx, ctx, body)
      const [made] = await tx.insert(terminals).values(columns(body)).returning({ id: terminals.id })
      if (!made) throw new Error('insert returned nothing')
      await settleBus(tx, made.id, body)
      return made
    })
    .catch(taken(body.name))
})

export const modifyTerminalHandler = handler(modifyTerminal, async (ctx, { id, edition, ...fields }) => {
  const lock = (tx: Tx) => lockDevice(tx, ctx, fields)
  await edit(ctx, { opened: edition, lock }, async (tx) => {
    await tx.update(terminals).set(columns(fields)).where(eq(terminals.id, id))
    await settleBus(tx, id, fields)
    // What the former gateway said last of its slave would be taken for what this one says. Last, after the plans that the
    // change marks: reports of gateways lock in this order.
    if (rowOf(ctx, storedTerminal).deviceId !== fields.deviceId)
      await tx.delete(terminalStates).where(eq(terminalStates.terminalId, id))
  }).catch(taken(fields.name))
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
