/**
 * What a task still has to send to a device that a later task has brought to another version meanwhile: sent now, for
 * instance after a pause, it would set the device back. [decisions/108]
 */
import { moveSql } from '#schema/task/moves'
import type { Transaction } from '../kit/processor.ts'
import { completeTasks } from './complete-tasks.ts'

/**
 * The condition on an item `i` of a task `t`. A user who retries a device afterwards makes a new item, which is not
 * overtaken: they want it.
 */
export const overtaken = `exists (
  select 1 from task_items l join tasks o on o.id = l.task_id
  where l.device_id = i.device_id and l.outcome = 'done' and l.step_at > i.step_at and o.id > t.id
    and o.type = t.type and (o.type = 'upgrade' or o.package_name = t.package_name) and o.version is distinct from t.version)`

/** Before anything is taken to be sent. Paused tasks too: their count shows at once what is left of them. */
export async function dismissOvertaken(tx: Transaction, now: Date): Promise<void> {
  const dismiss = moveSql('dismiss')
  const ended = await tx<{ taskId: number }[]>`
    with late as (
      select i.id from task_items i join tasks t on t.id = i.task_id
      where t.status = 'ongoing' and t.version is not null and i.sending = 'none' and ${tx.unsafe(dismiss.where)} and ${tx.unsafe(overtaken)}
      order by i.id for update of i skip locked),
    ended as (
      update task_items i set ${tx.unsafe(dismiss.set)}, failure_detail = 'overtaken', step_at = ${now}
      from late where late.id = i.id returning i.id, i.device_id, i.task_id),
    noted as (
      insert into task_events (item_id, device_id, at, what, detail) select id, device_id, ${now}, 'cancelled', 'overtaken' from ended)
    select distinct task_id as "taskId" from ended`
  await completeTasks(
    tx,
    ended.map(({ taskId }) => taskId),
    now,
  )
}
