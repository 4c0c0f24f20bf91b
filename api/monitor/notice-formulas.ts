/**
 * Formulas of notices are checked when one is saved, and after each change of the variables of their template, within
 * the transaction: renaming a variable must not silently disable a notice.
 */
import { and, eq, isNotNull, type SQL, sql } from 'drizzle-orm'
import { refuse } from '#schema/kit/refusal'
import type { DataType } from '#schema/monitor/fields'
import { conditionFault } from '#schema/monitor/formula/condition'
import { variableNoticeRefusals } from '#schema/monitor/variable-notice'
import { alarmConditions, alarmRules } from '#schema/tables/alarm-rule'
import { variables } from '#schema/tables/collection-template'
import type { CallContext } from '../kit/handler.ts'

type Tx = Parameters<Parameters<CallContext['db']['transaction']>[0]>[0]

const namesOf = (tx: Tx, templateId: number, lock: SQL) =>
  tx.execute<{ name: string; dataType: DataType }>(sql`
    select name, data_type as "dataType" from variables where template_id = ${templateId} ${lock}`)

/** The variables are locked, so that none is renamed while the notice is stored. */
export async function checkNoticeFormula(tx: Tx, templateId: number, formula: string): Promise<void> {
  const fault = conditionFault(formula, [...(await namesOf(tx, templateId, sql`order by id for share`))])
  if (!fault) return
  const at = fault.at + 1
  if (fault.reason === 'noInputs') refuse(variableNoticeRefusals.noticeFormulaNoInputs, {}, 'formula')
  if (fault.reason === 'unknownName' || fault.reason === 'unknownFunction')
    refuse(variableNoticeRefusals.noticeFormulaUnknownName, { at, text: fault.text ?? '' }, 'formula')
  refuse(variableNoticeRefusals.noticeFormulaUnreadable, { at }, 'formula')
}

/**
 * @param field the field of the request that contains the name which the formulas need; `name`: of one variable, whose
 * data type may be the reason instead
 */
export async function checkNoticesOf(tx: Tx, templateId: number, field: string | undefined): Promise<void> {
  const found = await tx
    .select({ notice: alarmRules.name, formula: alarmConditions.formula })
    .from(alarmConditions)
    .innerJoin(alarmRules, eq(alarmRules.id, alarmConditions.ruleId))
    .innerJoin(variables, eq(variables.id, alarmConditions.variableId))
    .where(and(eq(variables.templateId, templateId), isNotNull(alarmConditions.formula)))
    .orderBy(alarmRules.id)
  if (found.length === 0) return
  const all = [...(await namesOf(tx, templateId, sql``))]
  for (const { notice, formula } of found) {
    const fault = conditionFault(formula ?? '', all)
    if (!fault) continue
    const isNamed = 'text' in fault && all.some(({ name }) => name === fault.text)
    const at = field === 'name' && isNamed ? 'dataType' : field
    refuse(variableNoticeRefusals.noticeFormulaNeeds, { notice }, at)
  }
}
