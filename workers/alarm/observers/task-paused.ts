/**
 * Tasks that paused themselves: alarms about a task. Rules that cover one of its devices set the severity
 * and the receivers; without a rule it is still shown in the console. [decisions/058]
 */

import type { Transaction } from '#workers/kit/processor'
import { covers, observesTasks } from '../observer.ts'

/**
 * A rule of a customer covers only tasks of that customer; tasks over several customers must not be
 * disclosed.
 */
const stopped = (tx: Transaction) => tx`
  select t.id as task_id, t.customer_id, t.name, t.paused_at, t.pause_reason, t.paused_failed, t.paused_tried, r.id as rule_id, r.name as rule_name, r.severity
  from tasks t left join alarm_rules r on r.enabled and r.kind = 'taskPaused' and r.customer_id = t.customer_id
    and (r.scope = 'customer' or exists (select 1 from task_items i join devices d on d.id = i.device_id and ${covers(tx)}
      where i.task_id = t.id and not i.superseded))
  where t.status = 'ongoing' and t.paused_at is not null and t.pause_reason in ('failures', 'wave', 'sender')`

/**
 * Opens and ends the alarms; returns how many were opened. Needs `rule_trees`. Each pause is a separate
 * alarm.
 */
async function judgeTasks(tx: Transaction, at: Date): Promise<number> {
  // The first rule that covers the task takes over an alarm that was opened without a rule.
  await tx`
    update alarms a set rule_id = s.rule_id, rule_name = s.rule_name, severity = s.severity, notified = 'nothing'
    from (select distinct on (task_id) * from (${stopped(tx)}) s where rule_id is not null order by task_id, rule_id) s
    where a.task_id = s.task_id and a.started_at = s.paused_at and a.ended_at is null and a.rule_id is null
      and not exists (select 1 from alarms o where o.task_id = a.task_id and o.rule_id = s.rule_id and o.ended_at is null)`
  await tx`
    with gone as (
      select a.id, exists (select 1 from (${stopped(tx)}) s where s.task_id = a.task_id and s.paused_at = a.started_at) as still
      from alarms a where a.kind = 'taskPaused' and a.ended_at is null and not exists (select 1 from (${stopped(tx)}) s
        where s.task_id = a.task_id and s.paused_at = a.started_at and s.rule_id is not distinct from a.rule_id))
    update alarms a set ended_at = ${at}, end_reason = case when still then 'ruleOff' else 'recovered' end,
      notified = case when still or a.rule_id is null then 'all' else a.notified end, held = a.held and not still
    from gone where gone.id = a.id`
  const opened = await tx`
    insert into alarms (customer_id, rule_id, rule_name, kind, severity, task_id, sn, device_name, group_name, detail, started_at, last_at, notified)
    select customer_id, rule_id, coalesce(rule_name, ''), 'taskPaused', coalesce(severity, 'major'), task_id, '', name, '',
      case when pause_reason = 'sender' then pause_reason else coalesce(paused_failed, 0) || '/' || coalesce(paused_tried, 0) end, paused_at, ${at}, case when rule_id is null then 'all' else 'nothing' end
    from (${stopped(tx)}) s where not exists (select 1 from alarms a
      where a.task_id = s.task_id and a.rule_id is not distinct from s.rule_id and a.ended_at is null)`
  return opened.count
}

export const taskPausedObserver = observesTasks('taskPaused', judgeTasks)
