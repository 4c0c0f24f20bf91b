/** Batches that must not go on by themselves stand still until somebody lets them go on. [decisions/060] */

import { isPlatformType, type UserType } from '#schema/people/session'
import { type BatchStop, batchTrips, STOPPED_WAIT_S } from '#schema/task/command-batch'
import { commandBook } from '../command/command-book.ts'
import type { Transaction, WorkerContext } from '../kit/processor.ts'

type Open = {
  id: string
  name: string
  customerId: number | null
  failed: number
  tried: number
  /** Whose it is: the sender's, or his who let it go on. All null when he is gone. */
  userId: number | null
  type: UserType | null
  status: number | null
  userCustomerId: number | null
  functionIds: number[] | null
}

/** Those that have something left to send. Who was sent to and is still away counts as tried. */
const openBatches = (tx: Transaction) => tx<Open[]>`
  select b.id, b.name, b.customer_id as "customerId", n.failed, n.tried, u.id as "userId", u.type, u.status,
    u.customer_id as "userCustomerId", r.function_ids as "functionIds"
  from command_batches b
    left join users u on u.id = case when b.resumed_at is null then b.created_by else b.resumed_by end
    left join roles r on r.id = u.role_id
    cross join lateral (
      select count(*) filter (where c.state in ('failed', 'timedOut'))::int as failed, count(*)::int as tried
      from commands c where c.batch_id = b.id and c.sent_at is not null and (b.resumed_at is null or c.sent_at >= b.resumed_at)) n
  where b.stopped_at is null and b.id in (
    select batch_id from commands where ended_at is null and state = 'queued' and batch_id is not null)
  for no key update of b`

/** Whether he could send it now, as one who logs in could. */
function mayStill(batch: Open): boolean {
  const needed = commandBook.get(batch.name)?.permission.id
  if (batch.status !== 1 || batch.type === null || needed === undefined) return false
  if (batch.userCustomerId !== batch.customerId && !isPlatformType(batch.type)) return false
  return batch.type === 'superAdmin' || (batch.functionIds?.includes(needed) ?? false)
}

/** What waits of a normal user's batch and is in none of his groups any more gets nothing. */
const cancelOutside = (tx: Transaction, { id, userId }: Open, now: Date) => tx`
  with recursive tree as (
    select g.id from user_groups ug join users u on u.id = ug.user_id
      join groups g on g.id = ug.group_id and g.customer_id = u.customer_id where ug.user_id = ${userId}
    union select g.id from groups g join tree t on g.parent_id = t.id)
  update commands c set state = 'cancelled', ended_at = ${now} from devices d
  where c.batch_id = ${id} and c.state = 'queued' and c.ended_at is null and d.id = c.device_id
    and d.group_id not in (select id from tree)`

async function stop(tx: Transaction, { id, failed, tried }: Open, reason: BatchStop, now: Date) {
  const until = new Date(now.getTime() + STOPPED_WAIT_S * 1000)
  await tx`
    update command_batches set stopped_at = ${now}, stop_reason = ${reason}, stopped_failed = ${failed}, stopped_tried = ${tried},
      expires_at = greatest(expires_at, ${until}) where id = ${id}`
  await tx`
    update commands set deadline_at = greatest(deadline_at, ${until})
    where batch_id = ${id} and state = 'queued' and ended_at is null`
}

/** Looks at all of them before anything is taken to be sent. Answers how many it stopped. */
export async function stopBatches(ctx: WorkerContext, now: Date): Promise<number> {
  const [waiting] = await ctx.sql`
    select 1 from commands where ended_at is null and state = 'queued' and batch_id is not null limit 1`
  if (!waiting) return 0
  return ctx.sql.begin(async (tx) => {
    let stopped = 0
    for (const batch of await openBatches(tx)) {
      const reason = mayStill(batch) ? (batchTrips(batch) ? 'failures' : null) : 'sender'
      if (reason !== null) {
        await stop(tx, batch, reason, now)
        stopped++
        ctx.log.warn(
          { batch: batch.id, reason, failed: batch.failed, tried: batch.tried },
          'a batch of commands stopped itself',
        )
      } else if (batch.type === 'normal') await cancelOutside(tx, batch, now)
    }
    return stopped
  })
}
