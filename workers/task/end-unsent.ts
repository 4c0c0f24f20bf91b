import { moveSql } from '#schema/task/moves'
import type { Transaction, WorkerContext } from '../kit/processor.ts'
import { settleTasks } from './settle-tasks.ts'

/** An item that was taken but is not sent: it cannot be, or its device has the target already. */
export type Unsent = { id: string; how: 'fail' | 'arrive'; detail: string }

/**
 * Ends them, and pauses or completes their tasks if necessary. A device that has the target already was not sent
 * anything: its item proves nothing of what is sent, neither to a slow start nor among the devices tried so far.
 */
export async function endUnsent(
  tx: Transaction,
  ends: readonly Unsent[],
  ctx: Pick<WorkerContext, 'env' | 'log' | 'now' | 'parameters'>,
): Promise<void> {
  const ended: { taskId: number; how: string }[] = []
  for (const how of ['fail', 'arrive'] as const) {
    const own = ends.filter((one) => one.how === how)
    if (own.length === 0) continue
    const move = moveSql(how)
    const failure = how === 'fail' ? 'upgradeFailed' : null
    ended.push(
      ...(await tx<{ taskId: number; how: string }[]>`
        with ended as (
          update task_items i set ${tx.unsafe(move.set)}, failure = ${failure}, step_at = ${ctx.now()},
            offers = i.offers - ${how === 'arrive' ? 1 : 0},
            failure_detail = case when ${failure}::text is null then null else v.detail end
          from jsonb_to_recordset(${tx.json([...own])}) as v(id uuid, detail text)
          where i.id = v.id and ${tx.unsafe(move.where)}
          returning i.id, i.device_id, i.task_id, v.detail),
        noted as (
          insert into task_events (item_id, device_id, at, what, detail)
          select id, device_id, ${ctx.now()}, ${how === 'fail' ? 'failed' : 'done'}::text,
            case when ${failure}::text is null then detail else ${failure}::text || ': ' || detail end from ended)
        select task_id as "taskId", ${how}::text as how from ended`),
    )
  }
  const failed = [...new Set(ended.filter(({ how }) => how === 'fail').map(({ taskId }) => taskId))]
  await settleTasks(tx, { ended: [...new Set(ended.map(({ taskId }) => taskId))], failed }, ctx)
}
