/** Which terminals a notice about a variable covers, apart from their template. */
import { sql } from 'drizzle-orm'
import { alarmRules, alarmRuleTerminals } from '#schema/tables/alarm-rule'
import { devices } from '#schema/tables/device'
import { terminals } from '#schema/tables/terminal'

/** Of a query with `alarm_rules`, `terminals` and `devices`. */
export const noticeCovers = sql`(${devices.customerId} = ${alarmRules.customerId} and (${alarmRules.scope} = 'customer'
  or (${alarmRules.scope} = 'devices' and exists (select 1 from ${alarmRuleTerminals}
    where ${alarmRuleTerminals.ruleId} = ${alarmRules.id} and ${alarmRuleTerminals.terminalId} = ${terminals.id}))
  or (${alarmRules.scope} = 'groups' and ${devices.groupId} in (with recursive tree as (
    select x.group_id from alarm_rule_groups x where x.rule_id = ${alarmRules.id}
    union select g.id from groups g join tree on g.parent_id = tree.group_id) select group_id from tree))))`
