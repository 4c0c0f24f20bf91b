/**
 * Devices of a paused task that were sent the command and have not begun to install are called back: `cancel`, which
 * forbids the item, then `query`, whose answer says whether it came in time. Only that answer frees the device for a new
 * item (reports/progress.ts): until then nobody knows whether it installs, and nothing else is sent to it.
 */
import { ASK_AFTER_MS, canCancel, cancel, query, taskSteps, upgradeKind } from '#schema/task/task'
import type { WorkerContext } from '../kit/processor.ts'
import { tellAll } from './tell-all.ts'

const stoppable = taskSteps.filter((step) => canCancel(upgradeKind, step))
const BATCH = 1000

/** Answers how many were called, for the first time or again. */
export async function withdrawPaused(ctx: WorkerContext): Promise<number> {
  const now = ctx.now()
  const cut = new Date(now.getTime() - ASK_AFTER_MS * ctx.env.TASK_DEADLINE_SCALE)
  const rows = await ctx.sql<{ id: string; sn: string; online: boolean }[]>`
    with called as (
      select i.id, d.sn, coalesce(s.online, false) as online
      from task_items i join tasks t on t.id = i.task_id join devices d on d.id = i.device_id
      left join device_states s on s.device_id = i.device_id
      where i.outcome is null and i.step = any(${stoppable}) and (
        -- An intent just committed is still on its way: the call must not come before the offer.
        (t.paused_at is not null and (i.sending in ('sent', 'asking') or (i.sending = 'intent' and i.sending_at < ${cut})))
        or (i.sending = 'withdrawing' and i.sending_at < ${cut} and s.online))
      order by i.id limit ${BATCH} for update of i skip locked)
    update task_items i set sending = 'withdrawing', sending_at = ${now}
    from called where called.id = i.id
    returning i.id, called.sn, called.online`
  // Who is offline is told at his next hello.
  const there = rows.filter(({ online }) => online)
  const say = (message: typeof cancel | typeof query, to: typeof there) =>
    tellAll(
      ctx,
      to.map(({ id, sn }) => ({ sn, message, payload: { item: id } })),
    )
  const taken = await say(cancel, there)
  await say(
    query,
    there.filter((_, index) => taken.has(index)),
  )
  return rows.length
}
