import { and, asc, eq, getTableColumns, notInArray, type SQL, sql } from 'drizzle-orm'
import { isOnline } from '#api/device/device-filter'
import { rowOf } from '#api/kit/about'
import type { Actor } from '#api/kit/actor'
import { edit, editionOf } from '#api/kit/edition'
import { type CallContext, handler } from '#api/kit/handler'
import { listOf } from '#api/kit/list-of'
import { ownerOf } from '#api/kit/owner'
import { visible } from '#api/kit/scope'
import { isReferenced, whenTaken } from '#api/kit/unique-violation'
import { refuse } from '#schema/kit/refusal'
import {
  addTemplate,
  copyTemplate,
  deleteTemplate,
  getTemplate,
  getTemplateList,
  getTemplateReach,
  modifyTemplate,
} from '#schema/monitor/collection-template'
import { modbusProtocols } from '#schema/monitor/fields'
import { monitorRefusals } from '#schema/monitor/monitor-refusals'
import { collectionTemplates, variables } from '#schema/tables/collection-template'
import { customers } from '#schema/tables/customer'
import { deviceStates, devices } from '#schema/tables/device'
import { terminals } from '#schema/tables/terminal'
import { changeableTemplate, storedTemplate } from './template-object.ts'

const { id, customerId, name } = collectionTemplates
const columns = getTableColumns(collectionTemplates)

const variableCount = sql<number>`(select count(*)::int from ${variables} where ${variables.templateId} = ${id})`
/** Those that the actor may see. */
const terminalCount = (actor: Actor) => sql<number>`(select count(*)::int from ${terminals}
  join ${devices} on ${devices.id} = ${terminals.deviceId}
  where ${terminals.templateId} = ${id} and ${visible(actor).terminals})`

const rowFields = (actor: Actor) => ({
  id,
  customerId,
  customerName: customers.name,
  name,
  type: columns.type,
  vendor: columns.vendor,
  remark: columns.remark,
  libraryKey: columns.libraryKey,
  byteOrder: columns.byteOrder,
  maxGap: columns.maxGap,
  maxRegisters: columns.maxRegisters,
  timeoutMs: columns.timeoutMs,
  pauseMs: columns.pauseMs,
  connectDelayMs: columns.connectDelayMs,
  pollMs: columns.pollMs,
  retries: columns.retries,
  variableCount,
  terminalCount: terminalCount(actor),
  changeable: changeableTemplate(actor),
  updatedAt: columns.updatedAt,
  edition: editionOf(storedTemplate.parts.main),
})

export const getTemplateListHandler = listOf(getTemplateList, 'collectionTemplates', ({ db, actor }) => ({
  table: collectionTemplates,
  by: { ...columns, variableCount, terminalCount: terminalCount(actor) },
  rows: db
    .select(rowFields(actor))
    .from(collectionTemplates)
    .innerJoin(customers, eq(customers.id, customerId)),
}))

export const getTemplateHandler = handler(getTemplate, async ({ db, actor }, body) => {
  const [found] = await db
    .select(rowFields(actor))
    .from(collectionTemplates)
    .innerJoin(customers, eq(customers.id, customerId))
    .where(eq(id, body.id))
  if (!found) throw new Error('the template has gone')
  return found
})

const SAMPLE = 20
export const getTemplateReachHandler = handler(getTemplateReach, async ({ db, actor }, body) => {
  const reached: SQL | undefined = and(visible(actor).terminals, eq(terminals.templateId, body.id))
  const [[counted], sample] = await Promise.all([
    db
      .select({
        terminals: sql<number>`count(*)::int`,
        gateways: sql<number>`count(distinct ${devices.id})::int`,
        online: sql<number>`(count(distinct ${devices.id}) filter (where ${isOnline}))::int`,
        withoutSlave: sql<number>`(count(*) filter (where ${notInArray(terminals.protocol, [...modbusProtocols])}))::int`,
      })
      .from(terminals)
      .innerJoin(devices, eq(devices.id, terminals.deviceId))
      .leftJoin(deviceStates, eq(deviceStates.deviceId, devices.id))
      .where(reached),
    db
      .select({ terminal: terminals.name, deviceSn: devices.sn })
      .from(terminals)
      .innerJoin(devices, eq(devices.id, terminals.deviceId))
      .where(reached)
      .orderBy(asc(terminals.name), asc(terminals.id))
      .limit(SAMPLE),
  ])
  return { ...(counted ?? { terminals: 0, gateways: 0, online: 0, withoutSlave: 0 }), sample }
})

/** The unique index decides [threats 29]. */
export const takenTemplate = (given: string) =>
  whenTaken({
    collection_templates_name: () => refuse(monitorRefusals.templateNameTaken, { name: given }, 'name'),
  })

/** @throws Refusal 456 if terminals beyond the actor's groups use it. */
export function changeable(ctx: CallContext) {
  const found = rowOf(ctx, storedTemplate)
  return found.changeable ? found : refuse(monitorRefusals.templateOfOthers)
}

export const addTemplateHandler = handler(addTemplate, async (ctx, { customerId: _, ...fields }) => {
  const [made] = await ctx.db
    .insert(collectionTemplates)
    .values({ ...fields, customerId: ownerOf(ctx), createdBy: ctx.actor.userId })
    .returning({ id })
    .catch(takenTemplate(fields.name))
  if (!made) throw new Error('insert returned nothing')
  return made
})

export const modifyTemplateHandler = handler(modifyTemplate, async (ctx, { id: _, edition, ...fields }) => {
  const found = changeable(ctx)
  await edit(ctx, { opened: edition }, (tx) =>
    tx
      .update(collectionTemplates)
      .set({
        ...fields,
        vendor: fields.vendor || null,
        remark: fields.remark || null,
        updatedAt: ctx.now(),
      })
      .where(eq(id, found.id)),
  ).catch(takenTemplate(fields.name))
  return null
})

export const copyTemplateHandler = handler(copyTemplate, async (ctx, body) => {
  const source = rowOf(ctx, storedTemplate)
  const copied = ctx.db.transaction(async (tx) => {
    // Of one moment: a variable that is added meanwhile would have a slot that the copy takes for free.
    const [of] = await tx.select().from(collectionTemplates).where(eq(id, source.id)).for('share')
    if (!of) throw new Error('the template has gone')
    const { id: _, createdAt: __, updatedAt: ___, ...fields } = of
    const [made] = await tx
      .insert(collectionTemplates)
      .values({ ...fields, name: body.name, createdBy: ctx.actor.userId })
      .returning({ id })
    if (!made) throw new Error('insert returned nothing')
    const rows = await tx.select().from(variables).where(eq(variables.templateId, source.id))
    if (rows.length > 0)
      await tx.insert(variables).values(
        rows.map(({ id: _id, createdAt: _at, updatedAt: _changed, ...row }) => ({
          ...row,
          templateId: made.id,
        })),
      )
    return made
  })
  return copied.catch(takenTemplate(body.name))
})

/** [§8 Blocked deletes] The foreign key decides; the counts are for the text. No list shows terminals of deleted devices. */
export const deleteTemplateHandler = handler(deleteTemplate, async (ctx) => {
  const found = changeable(ctx)
  const inUse = async () => {
    const [users] = await ctx.db
      .select({
        shown: sql<number>`(count(*) filter (where ${devices.deletedAt} is null))::int`,
        deleted: sql<number>`(count(*) filter (where ${devices.deletedAt} is not null))::int`,
      })
      .from(terminals)
      .innerJoin(devices, eq(devices.id, terminals.deviceId))
      .where(eq(terminals.templateId, found.id))
    const { shown, deleted } = users ?? { shown: 0, deleted: 0 }
    if (shown === 0 && deleted > 0) refuse(monitorRefusals.templateOfDeleted, { count: deleted })
    return refuse(monitorRefusals.templateInUse, { count: shown })
  }
  try {
    await ctx.db.delete(collectionTemplates).where(eq(id, found.id))
  } catch (error) {
    if (isReferenced(error)) await inUse()
    throw error
  }
  return null
})
