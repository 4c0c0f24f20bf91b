/** Checking and storing what a notice watches. */
import { and, eq, inArray } from 'drizzle-orm'
import { alarmRefusals } from '#schema/alarm/alarm-refusals'
import { textsOf } from '#schema/alarm/alarm-text'
import type { ParsedBodyOf } from '#schema/kit/call'
import { refuse } from '#schema/kit/refusal'
import { unsuited, type Watched } from '#schema/monitor/notice/condition-fit'
import { hasPart, optionalParts, partsOf } from '#schema/monitor/notice/variable-condition'
import { type createVariableNotice, variableNoticeRefusals } from '#schema/monitor/variable-notice'
import { absent } from '#schema/people/session-refusals'
import { alarmConditions, type alarmRules, alarmRuleTerminals } from '#schema/tables/alarm-rule'
import { collectionTemplates, variables } from '#schema/tables/collection-template'
import { devices } from '#schema/tables/device'
import { terminals } from '#schema/tables/terminal'
import { reachScope } from '../alarm/alarm-scope.ts'
import { putGroups, storeNotice } from '../alarm/store-rule.ts'
import type { CallContext } from '../kit/handler.ts'
import { visible } from '../kit/scope.ts'
import { checkNoticeFormula } from './notice-formulas.ts'

type Body = Omit<ParsedBodyOf<typeof createVariableNotice>, 'customerId'> & { edition?: string | undefined }
const PARTS = ['low', 'high', 'recoverAt', 'hysteresis', 'bit', 'withinS', 'minutes'] as const

/** @throws Refusal 5 for a variable of another customer's template. */
async function reachVariable(ctx: CallContext, customerId: number, variableId: number) {
  const [found] = await variableOf(ctx.db, ctx, customerId, variableId)
  return found ?? refuse(absent, {}, 'variableId')
}

const variableOf = (
  db: Pick<CallContext['db'], 'select'>,
  { actor }: CallContext,
  customerId: number,
  variableId: number,
) =>
  db
    .select({
      id: variables.id,
      name: variables.name,
      unit: variables.unit,
      ioController: variables.ioController,
      dataType: variables.dataType,
      length: variables.length,
      reportType: variables.reportType,
      cycleS: variables.cycleS,
      templateId: variables.templateId,
    })
    .from(variables)
    .innerJoin(collectionTemplates, eq(collectionTemplates.id, variables.templateId))
    .where(
      and(
        visible(actor).own(collectionTemplates.customerId),
        eq(collectionTemplates.customerId, customerId),
        eq(variables.id, variableId),
      ),
    )
type Variable = Awaited<ReturnType<typeof reachVariable>>

function checkSuits(condition: Parameters<typeof unsuited>[0], of: Watched): void {
  const fault = unsuited(condition, of)
  if (fault?.reason === 'number') refuse(variableNoticeRefusals.notANumber, {}, 'operator')
  if (fault?.reason === 'silence') refuse(variableNoticeRefusals.silenceTooShort, { n: fault.n }, 'minutes')
  if (fault?.reason === 'bit' && fault.n < 0) refuse(variableNoticeRefusals.noBits, {}, 'operator')
  if (fault?.reason === 'bit') refuse(variableNoticeRefusals.bitBeyond, { n: fault.n }, 'bit')
}

/** The numbers that belong to the operator; others are dropped. */
export function checkOperator(body: Body, of: Watched) {
  const { operator } = body
  if (hasPart(operator, 'formula') && !body.formula)
    refuse(variableNoticeRefusals.noticeFormulaMissing, {}, 'formula')
  for (const part of partsOf(operator))
    if (!optionalParts.includes(part) && body[part] === undefined)
      refuse(variableNoticeRefusals.limitMissing, {}, part)
  const kept = Object.fromEntries(
    PARTS.map((part) => [part, hasPart(operator, part) ? (body[part] ?? null) : null]),
  ) as Record<(typeof PARTS)[number], number | null>
  checkSuits({ operator, bit: kept.bit, minutes: kept.minutes }, of)
  const { low, high, recoverAt, hysteresis } = kept
  // Each sample would be such a change.
  if (operator === 'change' && (low ?? 0) <= 0) refuse(variableNoticeRefusals.changeNotPositive, {}, 'low')
  if (low !== null && high !== null && low >= high) refuse(variableNoticeRefusals.limitsBackwards, {}, 'high')
  // Otherwise an alarm would start and end with the same value.
  if (low !== null && recoverAt !== null) {
    const above = operator === 'gt' || operator === 'ge'
    if (above ? recoverAt > low : recoverAt < low) refuse(alarmRefusals.recoverySide, {}, 'recoverAt')
  }
  if (operator === 'outside' && (hysteresis ?? 0) * 2 > (high ?? 0) - (low ?? 0))
    refuse(variableNoticeRefusals.hysteresisTooWide, {}, 'hysteresis')
  return { ...kept, forS: hasPart(operator, 'forS') ? body.forS : 0 }
}

/** Chosen terminals must be visible and have the variable's template. */
async function reachTerminals(ctx: CallContext, body: Body, { templateId }: Variable): Promise<number[]> {
  const ids = [...new Set(body.terminalIds)]
  if (ids.length === 0) refuse(alarmRefusals.scopeEmpty, {}, 'terminalIds')
  const found = await ctx.db
    .select({ id: terminals.id, templateId: terminals.templateId })
    .from(terminals)
    .innerJoin(devices, eq(devices.id, terminals.deviceId))
    .where(and(visible(ctx.actor).terminals, inArray(terminals.id, ids)))
  if (found.length < ids.length) refuse(absent, {}, 'terminalIds')
  if (found.some((one) => one.templateId !== templateId))
    refuse(variableNoticeRefusals.terminalOfOther, {}, 'terminalIds')
  return ids
}

const scopes = { all: 'customer', groups: 'groups', terminals: 'devices' } as const

/** Stores a new notice (`before` null) or a changed one; returns its id. */
export async function storeVariableNotice(
  ctx: CallContext,
  customerId: number,
  before: Pick<typeof alarmRules.$inferSelect, 'id' | 'language'> | null,
  body: Body,
): Promise<number> {
  const variable = await reachVariable(ctx, customerId, body.variableId)
  const { forS, ...condition } = checkOperator(body, variable)
  const formula = hasPart(body.operator, 'formula') ? (body.formula ?? '') : null
  const chosen = body.terminalScope === 'terminals'
  const terminalIds = chosen ? await reachTerminals(ctx, body, variable) : []
  const scope = scopes[body.terminalScope]
  if (!chosen) await reachScope(ctx, customerId, { scope, groupIds: body.groupIds, deviceIds: [] })
  return storeNotice(ctx, customerId, before, body, {
    watch: { kind: 'variable', scope, forSeconds: forS },
    textsIn: (say) => textsOf('variable', say),
    link: async (tx, ruleId) => {
      if (formula !== null) await checkNoticeFormula(tx, variable.templateId, formula)
      // It may have been changed since, and is locked now, so that a further change finds this notice.
      const [same] = await variableOf(tx, ctx, customerId, variable.id).for('share', { of: variables })
      checkOperator(body, same ?? refuse(absent, {}, 'variableId'))
      await putGroups(tx, ruleId, scope === 'groups' ? body.groupIds : [])
      await tx.delete(alarmRuleTerminals).where(eq(alarmRuleTerminals.ruleId, ruleId))
      if (terminalIds.length > 0)
        await tx.insert(alarmRuleTerminals).values(terminalIds.map((terminalId) => ({ ruleId, terminalId })))
      const { id: variableId, name: variableName } = variable
      // "-" means no unit.
      const unit = variable.unit === '-' ? '' : variable.unit
      const row = { variableId, variableName, unit, operator: body.operator, ...condition, formula }
      await tx
        .insert(alarmConditions)
        .values({ ruleId, ...row })
        .onConflictDoUpdate({ target: alarmConditions.ruleId, set: row })
    },
  })
}
