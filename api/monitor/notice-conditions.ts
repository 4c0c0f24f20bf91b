/** Whether the conditions of notices still suit a variable, checked within the transaction that changes it. */
import { and, eq } from 'drizzle-orm'
import { refuse } from '#schema/kit/refusal'
import { unsuited } from '#schema/monitor/notice/condition-fit'
import { variableNoticeRefusals } from '#schema/monitor/variable-notice'
import { alarmConditions, alarmRules } from '#schema/tables/alarm-rule'
import { variables } from '#schema/tables/collection-template'
import type { CallContext } from '../kit/handler.ts'

type Tx = Parameters<Parameters<CallContext['db']['transaction']>[0]>[0]

/**
 * @throws Refusal naming a notice whose condition no longer suits its variable: it would be false for ever, or true at
 * each sample. @param name of the changed variable; undefined: several of the template
 */
export async function checkConditionsOf(tx: Tx, templateId: number, name: string | undefined): Promise<void> {
  const found = await tx
    .select({
      notice: alarmRules.name,
      operator: alarmConditions.operator,
      bit: alarmConditions.bit,
      minutes: alarmConditions.minutes,
      ioController: variables.ioController,
      dataType: variables.dataType,
      length: variables.length,
      reportType: variables.reportType,
      cycleS: variables.cycleS,
    })
    .from(alarmConditions)
    .innerJoin(alarmRules, eq(alarmRules.id, alarmConditions.ruleId))
    .innerJoin(variables, eq(variables.id, alarmConditions.variableId))
    .where(
      and(eq(variables.templateId, templateId), name === undefined ? undefined : eq(variables.name, name)),
    )
    .orderBy(alarmRules.id)
  for (const row of found) {
    const { notice } = row
    const fault = unsuited(row, row)
    const field = (of: string) => (name === undefined ? 'variables' : of)
    if (fault?.reason === 'number')
      refuse(variableNoticeRefusals.noticeNotANumber, { notice }, field('dataType'))
    if (fault?.reason === 'bit')
      refuse(variableNoticeRefusals.noticeBit, { notice, bit: row.bit ?? 0 }, field('dataType'))
    if (fault?.reason === 'silence')
      refuse(
        variableNoticeRefusals.noticeTooRare,
        { notice, minutes: row.minutes ?? 0, n: fault.n },
        field('cycleS'),
      )
  }
}
