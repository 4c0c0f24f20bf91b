import { and, eq, getTableColumns, sql } from 'drizzle-orm'
import { alarmRefusals } from '#schema/alarm/alarm-refusals'
import { refuse } from '#schema/kit/refusal'
import { type terminalScopes, variableNoticeObject } from '#schema/monitor/variable-notice'
import { alarmRules } from '#schema/tables/alarm-rule'
import { linked } from '../alarm/alarm-rule-object.ts'
import { changeableRule } from '../alarm/alarm-scope.ts'
import { rowOf } from '../kit/about.ts'
import type { CallContext } from '../kit/handler.ts'
import { type RowOf, stored } from '../kit/stored.ts'

/** A field of the watched variable. */
const watched = (column: string) =>
  sql.raw(`(select c.${column} from alarm_conditions c where c.rule_id = alarm_rules.id)`)

/** The tables of alarm rules are shared, and call the terminals of a notice its devices. */
export const shownScope = sql<(typeof terminalScopes)[number]>`
  case alarm_rules.scope when 'customer' then 'all' when 'devices' then 'terminals' else 'groups' end`

export const aboutVariables = eq(alarmRules.kind, 'variable')

export const storedVariableNotice = stored({
  object: variableNoticeObject,
  table: alarmRules,
  id: alarmRules.id,
  name: alarmRules.name,
  customerId: alarmRules.customerId,
  seen: (walls) => and(walls.alarmRules, aboutVariables),
  row: (actor) => ({ ...getTableColumns(alarmRules), own: changeableRule(actor) }),
  parts: {
    main: {
      table: alarmRules,
      id: alarmRules.id,
      fields: {
        name: alarmRules.name,
        variableId: watched('variable_id'),
        terminalScope: shownScope,
        groupIds: linked('alarm_rule_groups', 'group_id'),
        terminalIds: linked('alarm_rule_terminals', 'terminal_id'),
        operator: watched('operator'),
        low: watched('low'),
        high: watched('high'),
        recoverAt: watched('recover_at'),
        hysteresis: watched('hysteresis'),
        bit: watched('bit'),
        withinS: watched('within_s'),
        minutes: watched('minutes'),
        formula: watched('formula'),
        forS: alarmRules.forSeconds,
        severity: alarmRules.severity,
        enabled: alarmRules.enabled,
        contactIds: linked('alarm_rule_contacts', 'contact_id'),
        channelIds: linked('alarm_rule_channels', 'channel_id'),
        byEmail: alarmRules.byEmail,
        toUsers: alarmRules.toUsers,
        mode: alarmRules.mode,
        intervalMinutes: alarmRules.intervalMinutes,
        quietFrom: alarmRules.quietFrom,
        quietTo: alarmRules.quietTo,
        timeZone: alarmRules.timeZone,
        alertText: alarmRules.alertText,
        recoveryText: alarmRules.recoveryText,
      },
    },
  },
  missing: alarmRefusals.alarmRuleGone,
})

/** @throws Refusal 240 if the notice reaches beyond the groups of the actor, as for one that does not exist. */
export function ownNotice(ctx: CallContext): RowOf<typeof storedVariableNotice> {
  const rule = rowOf(ctx, storedVariableNotice)
  return rule.own ? rule : refuse(alarmRefusals.alarmRuleGone)
}
