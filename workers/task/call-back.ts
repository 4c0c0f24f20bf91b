/**
 * Devices of a paused task that were sent the command and have not begun to install are called back, and so are those
 * whose hours are over: a download that lasts longer than the hours must not end in an installation at noon. So are
 * devices that have yet to download and whose status names a mobile network, if their task is for others only. They get
 * `cancel`, which revokes the item, then `query`, whose response says whether it arrived in time. Only that
 * response frees the device for a new item (task/progress.ts): until then it is unknown whether it installs,
 * and nothing else is sent to it.
 */
import { unlocked } from '#infra/task-kinds'
import { moveSql } from '#schema/task/moves'
import { ASK_AFTER_MS } from '#schema/task/task'
import { UNMETERED } from '#schema/task/task-rollout'
import type { WorkerContext } from '../kit/processor.ts'
import { carrierOf, kindsWithoutCallBack } from './carriers.ts'
import { closedHours } from './open-hours.ts'
import { publishAll } from './publish-all.ts'

const BATCH = 1000

/** Returns how many were called back, for the first time or again. */
export async function callBackPaused(ctx: WorkerContext): Promise<number> {
  const now = ctx.now()
  const cut = new Date(now.getTime() - ASK_AFTER_MS * ctx.env.TASK_DEADLINE_SCALE)
  const move = moveSql('callBack', 'i', unlocked)
  const closed = await closedHours(ctx)
  const rows = await ctx.sql<{ id: string; sn: string; kind: string; online: boolean }[]>`
    with called as (
      select i.id, d.sn, t.kind, coalesce(s.online, false) as online
      from task_items i join tasks t on t.id = i.task_id join devices d on d.id = i.device_id
      left join device_states s on s.device_id = i.device_id
      where ${ctx.sql.unsafe(move.where)} and t.kind <> all(${kindsWithoutCallBack}) and (
        -- An intent just committed is still on its way: the call must not come before the offer.
        ((t.paused_at is not null or (t.id, coalesce(d.time_zone, '')) in (
            select * from unnest(${[...closed.taskIds]}::int[], ${[...closed.zones]}::text[]))
            -- What it has downloaded costs nothing more.
            or (t.unmetered and i.step in ('created', 'sent', 'connected', 'downloading')
              and upper(s.network_mode) <> all(${[...UNMETERED]})))
          and (i.sending in ('sent', 'asking') or (i.sending = 'intent' and i.sending_at < ${cut})))
        or (i.sending = 'withdrawing' and i.sending_at < ${cut} and s.online))
      order by i.id limit ${BATCH} for update of i skip locked)
    update task_items i set ${ctx.sql.unsafe(move.set)}, sending_at = ${now}
    from called where called.id = i.id
    returning i.id, called.sn, called.kind, called.online`
  // Offline devices are called back at their next hello.
  const there = rows.filter(({ online }) => online)
  const taken = await publishAll(
    ctx,
    there.flatMap((row) => carrierOf(row.kind).callBack?.(row) ?? []),
  )
  await publishAll(
    ctx,
    there.filter((_, index) => taken.has(index)).map((row) => carrierOf(row.kind).ask(row)),
  )
  return rows.length
}
