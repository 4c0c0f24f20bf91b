/** Sends gateways the plan that they do not run yet. */
import { COLLECTION_FEATURE, plan } from '#schema/monitor/collection'
import type { PlanDocument } from '#schema/monitor/wire'
import { isReady } from '../device/ready.ts'
import type { WorkerContext } from '../kit/processor.ts'
import { publishAll } from '../task/publish-all.ts'

/** A gateway that does not respond is sent its plan again after this time. */
const AGAIN_MS = 30_000
/** Of one run; a plan may have 240 kB. */
const AT_ONCE = 100

type Due = { sn: string; document: PlanDocument }

/** Recorded before it is sent: after a crash it is sent once more, which is harmless. */
const takeDue = (ctx: WorkerContext, now: Date) => ctx.sql<Due[]>`
  update collection_states c set sent_at = ${now}
  from (select c.device_id, d.sn, p.document
    from collection_states c join poll_plans p on p.device_id = c.device_id and p.revision = c.revision
    join devices d on d.id = c.device_id join device_states s on s.device_id = d.id
    where c.revision is distinct from c.running_revision and c.refused_revision is distinct from c.revision
      and (c.sent_at is null or c.sent_at < ${new Date(now.getTime() - AGAIN_MS)})
      and ${isReady(ctx.sql, now)} and (d.features is null or d.features ? ${COLLECTION_FEATURE})
    order by c.sent_at nulls first, c.device_id limit ${AT_ONCE} for update of c skip locked) as due
  where c.device_id = due.device_id
  returning due.sn, due.document`

/** Returns how many were taken by the broker. */
export async function sendPlans(ctx: WorkerContext): Promise<number> {
  if (!ctx.line.connected()) return 0
  const due = await takeDue(ctx, ctx.now())
  const taken = await publishAll(
    ctx,
    due.map(({ sn, document }) => ({ sn, message: plan, payload: document })),
  )
  return taken.size
}
