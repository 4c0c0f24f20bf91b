/** Commands to many devices leave at the pace that their declaration allows. */

import type { CommandRow } from '../command/command-args.ts'
import { commandBook } from '../command/command-book.ts'
import { isReady } from '../device/ready.ts'
import type { WorkerContext } from '../kit/processor.ts'

/** The pace is held over so long; the job looks as often. */
const WINDOW_S = 2

const paces = () =>
  JSON.stringify(
    Object.fromEntries(
      [...commandBook.values()].flatMap(({ name, bulk, deadlineS }) =>
        bulk ? [[name, { ...bulk, deadlineS }]] : [],
      ),
    ),
  )

/** Which argument of a command says how much later it begins. */
const delays = () =>
  JSON.stringify(
    Object.fromEntries(
      [...commandBook.values()].flatMap(({ name, delayedBy }) => (delayedBy ? [[name, delayedBy]] : [])),
    ),
  )

/** A command that is to begin later has its time from then on. Rows older than a command's bounds may hold anything. */
export const askedDelayS = (sql: WorkerContext['sql']) => {
  const by = sql`(${delays()}::text::jsonb->>c.name)`
  return sql`case when jsonb_typeof(c.args->${by}) = 'number' then (c.args->>${by})::float8 else 0 end`
}

/**
 * Takes those whose turn it is into their sending window. Of a group only a part may be away at the same time, of each
 * batch and of all together; of a batch only so many; and no more than so many per second. In a group the batch with
 * the fewest away has the next turn: a small one does not wait for the end of a big one. A device that is flashing
 * waits, and so does a batch that was stopped. Rows alone say what is away, so a crash changes nothing.
 */
export const takeBatched = (ctx: WorkerContext, now: Date) => ctx.sql<CommandRow[]>`
  with pace as (
    select name, (v->>'atOnce')::int as at_once, (v->>'perSecond')::int * ${WINDOW_S}::int as in_window,
      (v->>'shareOfGroup')::float8 as share, (v->>'deadlineS')::float8 as deadline_s
    from jsonb_each(${paces()}::text::jsonb) as p(name, v)),
  waiting as (
    select distinct c.batch_id from commands c join command_batches b on b.id = c.batch_id and b.stopped_at is null
    where c.ended_at is null and c.state = 'queued' and c.deadline_at > ${now}),
  sizes as (
    select c.batch_id, d.group_id, count(*) as size from commands c join devices d on d.id = c.device_id
    where c.batch_id in (select batch_id from waiting) group by 1, 2),
  size_of_group as (
    select d.group_id, count(distinct c.device_id) as size from commands c join devices d on d.id = c.device_id
    where c.batch_id in (select batch_id from waiting) group by 1),
  away as (
    select c.batch_id, d.group_id, count(*) as n from commands c join devices d on d.id = c.device_id
    where c.ended_at is null and c.state <> 'queued' and c.batch_id is not null group by 1, 2),
  away_of_group as (select group_id, sum(n) as n from away group by 1),
  away_of_batch as (select batch_id, sum(n) as n from away group by 1),
  lately as (
    select batch_id, count(*) as sent from commands
    where batch_id in (select batch_id from waiting) and sent_at > ${new Date(now.getTime() - WINDOW_S * 1000)} group by 1),
  ready as (
    select c.id, c.batch_id, c.name, d.group_id, c.created_at,
      row_number() over (partition by c.batch_id, d.group_id order by c.created_at, c.id) as nth
    from commands c join waiting w on w.batch_id = c.batch_id join devices d on d.id = c.device_id join device_states s on s.device_id = d.id
    where c.state = 'queued' and c.ended_at is null and c.deadline_at > ${now}
      and ${isReady(ctx.sql, now)}
      and not exists (select 1 from task_items i where i.device_id = d.id and i.outcome is null and i.step = 'upgrading')),
  able as (
    select r.id, r.batch_id, r.name, r.group_id,
      row_number() over (partition by r.group_id order by r.nth + coalesce(a.n, 0), r.created_at, r.id) as turn
    from ready r join sizes z on z.batch_id = r.batch_id and z.group_id = r.group_id join pace p on p.name = r.name
      left join away a on a.batch_id = r.batch_id and a.group_id = r.group_id
    where r.nth <= greatest(1, floor(z.size * p.share)) - coalesce(a.n, 0)),
  placed as (
    select r.id, r.batch_id, r.name, row_number() over (partition by r.batch_id order by r.turn, r.id) as place
    from able r join size_of_group z on z.group_id = r.group_id join pace p on p.name = r.name
      left join away_of_group a on a.group_id = r.group_id
    where r.turn <= greatest(1, floor(z.size * p.share)) - coalesce(a.n, 0)),
  taken as (
    select r.id, p.deadline_s from placed r join pace p on p.name = r.name left join lately l on l.batch_id = r.batch_id
      left join away_of_batch a on a.batch_id = r.batch_id
    where r.place <= least(p.in_window - coalesce(l.sent, 0), p.at_once - coalesce(a.n, 0)))
  update commands c set state = 'sending', sent_at = ${now}, from_boot_id = d.boot_id,
    deadline_at = ${now}::timestamptz + make_interval(secs => (t.deadline_s + ${askedDelayS(ctx.sql)}) * ${ctx.env.TASK_DEADLINE_SCALE}::float8)
  from taken t, devices d
  where c.id = t.id and d.id = c.device_id and c.state = 'queued' and c.ended_at is null
  returning c.id, d.sn, c.name, c.args, c.deadline_at as "deadlineAt"`
