import { and, eq, ilike, or, sql } from 'drizzle-orm'
import { alarmRefusals } from '#schema/alarm/alarm-refusals'
import { refuse } from '#schema/kit/refusal'
import {
  createVariableNotice,
  deleteVariableNotice,
  enableVariableNotice,
  getVariableNotice,
  getVariableNoticeList,
  updateVariableNotice,
} from '#schema/monitor/variable-notice'
import { alarmConditions, alarmRules, alarmRuleTerminals } from '#schema/tables/alarm-rule'
import { collectionTemplates, variables } from '#schema/tables/collection-template'
import { customers } from '#schema/tables/customer'
import { devices } from '#schema/tables/device'
import { terminals } from '#schema/tables/terminal'
import { changeableRule } from '../alarm/alarm-scope.ts'
import {
  activeOf,
  deleteRule,
  groupsOf,
  receiverNames,
  receiversOf,
  ruleNameTaken,
  severityOrder,
  switchRule,
  toldColumns,
} from '../alarm/any-rule.ts'
import { editionOf } from '../kit/edition.ts'
import { handler } from '../kit/handler.ts'
import { listOf } from '../kit/list-of.ts'
import { ownerOf } from '../kit/owner.ts'
import { contains } from '../kit/paging.ts'
import { visible } from '../kit/scope.ts'
import { noticeCovers } from './notice-cover.ts'
import { storeVariableNotice } from './store-notice.ts'
import { aboutVariables, ownNotice, shownScope, storedVariableNotice } from './variable-notice-object.ts'

const columns = {
  id: alarmRules.id,
  customerId: alarmRules.customerId,
  customerName: customers.name,
  name: alarmRules.name,
  severity: alarmRules.severity,
  enabled: alarmRules.enabled,
  variableId: alarmConditions.variableId,
  variableName: sql<string>`coalesce(${variables.name}, ${alarmConditions.variableName})`,
  // As alarms show it: the copy is only for a variable that was deleted. "-" means no unit.
  unit: sql<string>`case when ${variables.id} is null then ${alarmConditions.unit} when ${variables.unit} = '-' then ''
    else ${variables.unit} end`,
  templateName: collectionTemplates.name,
  terminalScope: shownScope,
  operator: alarmConditions.operator,
  low: alarmConditions.low,
  high: alarmConditions.high,
  recoverAt: alarmConditions.recoverAt,
  hysteresis: alarmConditions.hysteresis,
  bit: alarmConditions.bit,
  withinS: alarmConditions.withinS,
  minutes: alarmConditions.minutes,
  formula: alarmConditions.formula,
  forS: alarmRules.forSeconds,
  mode: alarmRules.mode,
  intervalMinutes: alarmRules.intervalMinutes,
  byEmail: alarmRules.byEmail,
  updatedAt: alarmRules.updatedAt,
}

/** Of the terminals that the actor may see. */
const chosenTerminals = sql`from ${alarmRuleTerminals} join ${terminals} on ${terminals.id} = ${alarmRuleTerminals.terminalId}
  join ${devices} on ${devices.id} = ${terminals.deviceId} where ${alarmRuleTerminals.ruleId} = ${alarmRules.id}`

export const getVariableNoticeListHandler = listOf(
  getVariableNoticeList,
  'alarmRules',
  ({ db, actor }, body) => {
    const seen = visible(actor)
    return {
      table: alarmRules,
      rows: db
        .select({
          ...columns,
          terminals: sql<
            string[]
          >`array(select ${terminals.name} ${chosenTerminals} and ${seen.terminals} order by 1)`,
          terminalCount: sql<number>`(select count(*)::int from ${terminals} join ${devices} on ${devices.id} = ${terminals.deviceId}
            where ${terminals.templateId} = ${variables.templateId} and not ${terminals.hidden} and ${seen.terminals}
              and ${noticeCovers})`,
          activeCount: activeOf(actor),
          changeable: changeableRule(actor),
          receivers: receiverNames,
        })
        .from(alarmRules)
        .innerJoin(customers, eq(customers.id, alarmRules.customerId))
        .innerJoin(alarmConditions, eq(alarmConditions.ruleId, alarmRules.id))
        .leftJoin(variables, eq(variables.id, alarmConditions.variableId))
        .leftJoin(collectionTemplates, eq(collectionTemplates.id, variables.templateId)),
      where: and(
        aboutVariables,
        body.search
          ? or(
              ilike(alarmRules.name, contains(body.search)),
              sql`exists (select 1 from alarm_conditions c left join variables v on v.id = c.variable_id
                where c.rule_id = ${alarmRules.id} and coalesce(v.name, c.variable_name) ilike ${contains(body.search)})`,
            )
          : undefined,
        body.severity && eq(alarmRules.severity, body.severity),
        body.state && eq(alarmRules.enabled, body.state === 'enabled'),
        body.customerId === undefined ? undefined : eq(alarmRules.customerId, body.customerId),
      ),
      // Counted without the joins: see `where`.
      condition: undefined,
      by: { severity: severityOrder },
    }
  },
)

/** [§8] "alarm rule fetch failed" */
export const getVariableNoticeHandler = handler(getVariableNotice, async (ctx, { ruleId }) => {
  const { db, actor } = ctx
  const seen = visible(actor)
  const [rule] = await db
    .select({
      ...columns,
      ...toldColumns,
      edition: editionOf(storedVariableNotice.parts.main),
    })
    .from(alarmRules)
    .innerJoin(customers, eq(customers.id, alarmRules.customerId))
    .innerJoin(alarmConditions, eq(alarmConditions.ruleId, alarmRules.id))
    .leftJoin(variables, eq(variables.id, alarmConditions.variableId))
    .leftJoin(collectionTemplates, eq(collectionTemplates.id, variables.templateId))
    .where(and(seen.alarmRules, aboutVariables, eq(alarmRules.id, ruleId)))
  if (!rule) refuse(alarmRefusals.alarmRuleGone)
  const [inGroups, ofTerminals, receivers] = await Promise.all([
    groupsOf(ctx, ruleId),
    db
      .select({ id: terminals.id, name: terminals.name })
      .from(alarmRuleTerminals)
      .innerJoin(terminals, eq(terminals.id, alarmRuleTerminals.terminalId))
      .innerJoin(devices, eq(devices.id, terminals.deviceId))
      .where(and(eq(alarmRuleTerminals.ruleId, ruleId), seen.terminals)),
    receiversOf(ctx, ruleId),
  ])
  return { ...rule, groups: inGroups, terminals: ofTerminals, ...receivers }
})

export const createVariableNoticeHandler = handler(createVariableNotice, async (ctx, body) => ({
  id: await storeVariableNotice(ctx, ownerOf(ctx), null, body).catch(ruleNameTaken(body.name)),
}))

export const updateVariableNoticeHandler = handler(updateVariableNotice, async (ctx, body) => {
  const before = ownNotice(ctx)
  await storeVariableNotice(ctx, before.customerId, before, body).catch(ruleNameTaken(body.name))
  return null
})

export const enableVariableNoticeHandler = handler(enableVariableNotice, async (ctx, { enabled }) => {
  await switchRule(ctx, ownNotice(ctx).id, enabled)
  return null
})

export const deleteVariableNoticeHandler = handler(deleteVariableNotice, async (ctx) => {
  await deleteRule(ctx, ownNotice(ctx).id)
  return null
})
