/** What ends when a device is deleted, replaced, or moved to another customer. */

import { sql } from 'drizzle-orm'
import type { Context } from '#infra/context'
import type { CutReason } from '#schema/device/presence'
import type { cancelReasons } from '#schema/task/end-reason'
import { moveSql } from '#schema/task/moves'

/** Why its work was cancelled. */
type Farewell = Extract<(typeof cancelReasons)[number], `device${string}`>
export type Transaction = Parameters<Parameters<Context['db']['transaction']>[0]>[0]

const among = (ids: readonly number[]) => sql`any(${`{${ids.join(',')}}`}::int[])`

/**
 * Cancels the running task items and open commands of the devices, with a named reason, and ends their remote
 * sessions and the approvals for them. `sending` is unchanged: where an offer may have been sent, the sweeper informs
 * the device when it is back. Nothing is sent to a flashing device.
 */
export async function endOpenWork(
  tx: Transaction,
  ids: readonly number[],
  why: Farewell,
  now: Date,
): Promise<void> {
  const at = sql`${now.toISOString()}::timestamptz`
  const dismiss = moveSql('dismiss')
  await tx.execute(sql`
    with ended as (
      update task_items i set ${sql.raw(dismiss.set)}, failure_detail = ${why}, step_at = ${at}
      where i.device_id = ${among(ids)} and ${sql.raw(dismiss.where)} returning i.id, i.device_id)
    insert into task_events (item_id, device_id, at, what, detail) select id, device_id, ${at}, 'cancelled', ${why} from ended`)
  await tx.execute(sql`
    update commands set ended_at = ${at}, error = ${why}, state = case when state = 'queued' then 'expired' else 'failed' end
    where device_id = ${among(ids)} and ended_at is null`)
  // Who was let in, was let in by its owner of until now. The process that holds a tunnel notices it within a second.
  await tx.execute(sql`
    update remote_sessions set state = 'ended', ended_at = ${at}, end_reason = 'accessEnded'
    where device_id = ${among(ids)} and ended_at is null`)
  await tx.execute(sql`
    update remote_accesses set until = ${at}, state = case state when 'waiting' then 'expired' else 'ended' end
    where device_id = ${among(ids)} and state in ('waiting', 'approved')`)
}

/** A notification may have 8,000 bytes. */
const IDS_PER_NOTICE = 500

/** Brokers listen: the commit of this transaction disconnects the devices; `why` is recorded as the reason. */
export async function cutOff(tx: Transaction, ids: readonly number[], why: CutReason): Promise<void> {
  for (let start = 0; start < ids.length; start += IDS_PER_NOTICE) {
    const some = ids.slice(start, start + IDS_PER_NOTICE).join(',')
    await tx.execute(sql`select pg_notify('device_credentials', ${`${why} ${some}`})`)
  }
}
