import type { TaskFailure } from '#schema/kit/task-kind'
import { moveSql } from '#schema/task/moves'
import type { Transaction } from '../kit/processor.ts'

export type Silent = { id: string; failure: TaskFailure; detail: string }

/** Ends items that timed out, each with the name of its failure. */
export function endSilent(tx: Transaction, ends: readonly Silent[], now: Date) {
  const silence = moveSql('silence')
  return tx`
    with ended as (
      update task_items i set ${tx.unsafe(silence.set)}, failure = v.failure, failure_detail = v.detail, step_at = ${now}
      from jsonb_to_recordset(${tx.json([...ends])}) as v(id uuid, failure text, detail text)
      where i.id = v.id and ${tx.unsafe(silence.where)}
      returning i.id, i.device_id, i.failure, i.failure_detail)
    insert into task_events (item_id, device_id, at, what, detail)
    select id, device_id, ${now}, 'failed', failure || ': ' || failure_detail from ended`
}
