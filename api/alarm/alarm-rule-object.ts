import { and, getTableColumns, sql } from 'drizzle-orm'
import { alarmRefusals } from '#schema/alarm/alarm-refusals'
import { alarmRuleObject } from '#schema/alarm/alarm-rule'
import { refuse } from '#schema/kit/refusal'
import { alarmRules } from '#schema/tables/alarm-rule'
import { rowOf } from '../kit/about.ts'
import type { CallContext } from '../kit/handler.ts'
import { type RowOf, stored } from '../kit/stored.ts'
import { aboutDevices, changeableRule } from './alarm-scope.ts'

/** Related rows in a fixed order, so that equal lists are equal. */
export const linked = (table: string, column: string) =>
  sql.raw(`array(select l.${column} from ${table} l where l.rule_id = alarm_rules.id order by l.${column})`)

export const storedAlarmRule = stored({
  object: alarmRuleObject,
  table: alarmRules,
  id: alarmRules.id,
  name: alarmRules.name,
  customerId: alarmRules.customerId,
  seen: (walls) => and(walls.alarmRules, aboutDevices),
  row: (actor) => ({
    ...getTableColumns(alarmRules),
    own: changeableRule(actor),
  }),
  parts: {
    main: {
      table: alarmRules,
      id: alarmRules.id,
      fields: {
        name: alarmRules.name,
        threshold: alarmRules.threshold,
        recoverAt: alarmRules.recoverAt,
        forMinutes: alarmRules.forMinutes,
        windowMinutes: alarmRules.windowMinutes,
        severity: alarmRules.severity,
        enabled: alarmRules.enabled,
        scope: alarmRules.scope,
        groupIds: linked('alarm_rule_groups', 'group_id'),
        deviceIds: linked('alarm_rule_devices', 'device_id'),
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
  facts: { kind: alarmRules.kind },
  missing: alarmRefusals.alarmRuleGone,
})

export type KnownRule = RowOf<typeof storedAlarmRule>

/**
 * The rule to change: users confined to groups can change only rules that do not reach beyond them. @throws Refusal
 * 240 otherwise, as for a rule that does not exist.
 */
export function ownRule(ctx: CallContext): KnownRule {
  const rule = rowOf(ctx, storedAlarmRule)
  return rule.own ? rule : refuse(alarmRefusals.alarmRuleGone)
}
