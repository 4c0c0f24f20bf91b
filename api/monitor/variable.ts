import { and, eq, isNull, sql } from 'drizzle-orm'
import type { ParsedBodyOf } from '#schema/kit/call'
import { refuse } from '#schema/kit/refusal'
import { SLOT_MAX, VARIABLES_MAX } from '#schema/monitor/fields'
import { isBitTable } from '#schema/monitor/modbus/shape'
import { monitorRefusals } from '#schema/monitor/monitor-refusals'
import { interfaceType } from '#schema/monitor/plan/interfaces'
import {
  AS_TEMPLATE,
  addVariable,
  deleteVariable,
  getTemplateVariables,
  hideVariable,
  modifyVariable,
} from '#schema/monitor/variable'
import { sizedTypes } from '#schema/monitor/variable-rules'
import { collectionTemplates, variables } from '#schema/tables/collection-template'
import { devices } from '#schema/tables/device'
import { terminals } from '#schema/tables/terminal'
import { rowOf } from '../kit/about.ts'
import { edit, editionOf } from '../kit/edition.ts'
import { type CallContext, handler } from '../kit/handler.ts'
import { listOf } from '../kit/list-of.ts'
import { whenTaken } from '../kit/unique-violation.ts'
import { checkFormulas } from './formulas.ts'
import { changeable } from './template/collection-template.ts'
import { storedVariable, variableFields } from './variable-object.ts'

export const getTemplateVariablesHandler = listOf(getTemplateVariables, storedVariable, ({ db }) => ({
  table: variables,
  rows: db
    .select({
      id: variables.id,
      templateId: variables.templateId,
      slot: variables.slot,
      ...variableFields,
      hidden: variables.hidden,
      edition: editionOf(storedVariable.parts.main),
    })
    .from(variables),
}))

export type VariableBody = Omit<ParsedBodyOf<typeof addVariable>, 'templateId'>

/** A field that this kind of variable does not have is cleared. */
export const variableColumns = (fields: VariableBody) => {
  const ofModbus = fields.ioController === 'modbus'
  const ofFormula = fields.ioController === 'formula'
  const dataType = ofFormula
    ? ('float64' as const)
    : (interfaceType(fields) ?? fields.dataType ?? ('float64' as const))
  return {
    ...fields,
    registerType: ofModbus ? (fields.registerType ?? null) : null,
    address: ofModbus ? (fields.address ?? null) : null,
    interfaceNumber:
      ofModbus || ofFormula || fields.ioController === 'source' ? null : (fields.interfaceNumber ?? null),
    formula: ofFormula ? (fields.formula ?? null) : null,
    dataType,
    byteOrder: ofModbus && fields.byteOrder && fields.byteOrder !== AS_TEMPLATE ? fields.byteOrder : null,
    bit: dataType === 'bit' || dataType === 'bits' ? (fields.bit ?? null) : null,
    length: sizedTypes.includes(dataType) ? (fields.length ?? null) : null,
    noValue: (ofModbus && fields.noValue) || null,
    powerAddress:
      ofModbus && fields.registerType && !isBitTable(fields.registerType)
        ? (fields.powerAddress ?? null)
        : null,
    min: fields.min ?? null,
    max: fields.max ?? null,
  }
}

/** The unique index decides [threats 29]. */
const taken = (name: string) =>
  whenTaken({ variables_name: () => refuse(monitorRefusals.variableNameTaken, { name }, 'name') })

export type Tx = Parameters<Parameters<CallContext['db']['transaction']>[0]>[0]

/** Slots for new variables: never those of deleted ones, whose samples are stored under them. */
export async function takeSlots(tx: Tx, templateId: number, count: number): Promise<number> {
  const [taken] = await tx
    .update(collectionTemplates)
    .set({ nextSlot: sql`${collectionTemplates.nextSlot} + ${count}::int`, updatedAt: sql`now()` })
    .where(
      and(
        eq(collectionTemplates.id, templateId),
        sql`${collectionTemplates.nextSlot} + ${count}::int <= ${SLOT_MAX}`,
      ),
    )
    .returning({ next: collectionTemplates.nextSlot })
  const held = await tx.$count(variables, eq(variables.templateId, templateId))
  if (held + count > VARIABLES_MAX) refuse(monitorRefusals.tooManyVariables, { max: VARIABLES_MAX })
  if (!taken) refuse(monitorRefusals.slotsUsedUp)
  return taken.next - count
}

export const addVariableHandler = handler(addVariable, async (ctx, { templateId: _, ...fields }) => {
  const template = changeable(ctx)
  const made = ctx.db.transaction(async (tx) => {
    const slot = await takeSlots(tx, template.id, 1)
    const [row] = await tx
      .insert(variables)
      .values({ ...variableColumns(fields), templateId: template.id, slot })
      .returning({ id: variables.id })
    if (!row) throw new Error('insert returned nothing')
    await checkFormulas(tx, template.id, fields)
    return row
  })
  return made.catch(taken(fields.name))
})

/** @throws Refusal 456 if terminals beyond the actor's groups have it. */
function changeableVariable(ctx: CallContext) {
  const found = rowOf(ctx, storedVariable)
  return found.changeable ? found : refuse(monitorRefusals.templateOfOthers)
}

/**
 * Whoever changes variables locks their template first. Otherwise a change of one of them, which locks its row and then the
 * template and the plans of its gateways, and a change of many, which locks them the other way round, would deadlock.
 */
const lockTemplate = (tx: Tx, templateId: number) =>
  tx
    .select({ id: collectionTemplates.id })
    .from(collectionTemplates)
    .where(eq(collectionTemplates.id, templateId))
    .for('no key update')

export async function touchTemplate(tx: Tx, templateId: number): Promise<void> {
  await tx
    .update(collectionTemplates)
    .set({ updatedAt: sql`now()` })
    .where(eq(collectionTemplates.id, templateId))
}

export const modifyVariableHandler = handler(modifyVariable, async (ctx, { id: _, edition, ...fields }) => {
  const found = changeableVariable(ctx)
  await edit(ctx, { opened: edition, lock: (tx) => lockTemplate(tx, found.templateId) }, async (tx) => {
    await tx
      .update(variables)
      .set({ ...variableColumns(fields), updatedAt: ctx.now() })
      .where(eq(variables.id, found.id))
    await touchTemplate(tx, found.templateId)
    await checkFormulas(tx, found.templateId, fields)
  }).catch(taken(fields.name))
  return null
})

export const hideVariableHandler = handler(hideVariable, async (ctx, { hidden }) => {
  const found = changeableVariable(ctx)
  await edit(ctx, { lock: (tx) => lockTemplate(tx, found.templateId) }, (tx) =>
    tx.update(variables).set({ hidden, updatedAt: ctx.now() }).where(eq(variables.id, found.id)),
  )
  return null
})

/** [§8 Blocked deletes] Refused while terminals collect it; hiding it ends the collection. */
export const deleteVariableHandler = handler(deleteVariable, async (ctx) => {
  const { id, templateId } = changeableVariable(ctx)
  await ctx.db.transaction(async (tx) => {
    await lockTemplate(tx, templateId)
    const [variable] = await tx
      .select({ hidden: variables.hidden })
      .from(variables)
      .where(eq(variables.id, id))
      .for('update')
    const users = tx
      .select({ id: terminals.id })
      .from(terminals)
      .innerJoin(devices, eq(devices.id, terminals.deviceId))
      .where(
        and(eq(terminals.templateId, templateId), eq(terminals.hidden, false), isNull(devices.deletedAt)),
      )
    const [running] = variable?.hidden ? [] : await users.limit(1)
    if (running) refuse(monitorRefusals.variableCollected)
    await tx.delete(variables).where(eq(variables.id, id))
    await touchTemplate(tx, templateId)
    await checkFormulas(tx, templateId, null)
  })
  return null
})
