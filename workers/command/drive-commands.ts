/**
 * State machine of commands: queued → sending (committed) → sent. After a crash it asks the device first if
 * repeating would do harm. Ends overdue commands. Those that are locked are left for the next run: replies are being stored,
 * which lock several; of two transactions that wait for each other PostgreSQL aborts one.
 */

import { ifReadable } from '#infra/secrets'
import { commandBook } from '#infra/task-kinds'
import { command, driveCommands, inquire } from '#schema/command/command'
import { ASK_AFTER_MS, RETURN_GRACE_MS } from '#schema/task/task'
import { brokerGap, noBrokerFor } from '../device/broker-gap.ts'
import { isReady } from '../device/ready.ts'
import { processor, type WorkerContext } from '../kit/processor.ts'
import { publishAll } from '../task/publish-all.ts'
import { commandPayload, type CommandRow as Row } from './command-args.ts'

const deadlines = () =>
  JSON.stringify(
    Object.fromEntries([...commandBook.values()].map(({ name, deadlineS }) => [name, deadlineS])),
  )

/** The argument of each command that delays its start. */
const delays = () =>
  JSON.stringify(
    Object.fromEntries(
      [...commandBook.values()].flatMap(({ name, delayedBy }) => (delayedBy ? [[name, delayedBy]] : [])),
    ),
  )

/**
 * The deadline of a delayed command counts from its start. Rows written before the declared bounds may
 * contain any value.
 */
const askedDelayS = (sql: WorkerContext['sql']) => {
  const by = sql`(${delays()}::text::jsonb->>c.name)`
  return sql`case when jsonb_typeof(c.args->${by}) = 'number' then (c.args->>${by})::float8 else 0 end`
}

/** The time that a command has from its sending on. */
const fullSeconds = (ctx: WorkerContext) =>
  ctx.sql`(coalesce((${deadlines()}::text::jsonb->>c.name)::float8, 60) + ${askedDelayS(ctx.sql)}) * ${ctx.env.TASK_DEADLINE_SCALE}::float8`

/** Moves queued commands of ready devices to `sending`; the deadline counts from here. */
const takeQueued = (ctx: WorkerContext, now: Date) => ctx.sql<Row[]>`
  update commands c set state = 'sending', sent_at = ${now}, from_boot_id = found.boot_id,
    deadline_at = ${now}::timestamptz + make_interval(secs => ${fullSeconds(ctx)})
  from (select c.id, d.sn, d.boot_id from commands c join devices d on d.id = c.device_id join device_states s on s.device_id = d.id
    where c.state = 'queued' and c.ended_at is null and c.deadline_at > ${now} and ${isReady(ctx.sql, now)}
    for no key update of c skip locked) as found
  where found.id = c.id
  returning c.id, found.sn, c.name, c.args, c.deadline_at as "deadlineAt"`

/**
 * Commands left in `sending` by a crash, of online devices; their time is updated, so that a silent device is
 * asked again only later.
 */
const takeCut = (ctx: WorkerContext, now: Date) => ctx.sql<Row[]>`
  update commands c set sent_at = ${now}
  from (select c.id, d.sn from commands c join devices d on d.id = c.device_id join device_states s on s.device_id = d.id
    where c.state = 'sending' and c.ended_at is null and c.deadline_at > ${now} and s.online
      and c.sent_at < ${new Date(now.getTime() - ASK_AFTER_MS * ctx.env.TASK_DEADLINE_SCALE)}
    for no key update of c skip locked) as found
  where found.id = c.id
  returning c.id, found.sn, c.name, c.args, c.deadline_at as "deadlineAt"`

/**
 * A command that was not sent in time is never sent later, whatever the reason. One that was sent may have been carried
 * out: while no broker runs, and until devices have had time to reconnect, their silence does not count. After a gap, or a change of
 * the clock that looks like one, it has its full time again. [decisions/011] [decisions/061]
 */
const endOverdue = (ctx: WorkerContext, now: Date) => ctx.sql`
  update commands set ended_at = ${now}, state = case when state = 'queued' then 'expired' else 'timedOut' end
  where id in (select c.id from commands c
    where c.ended_at is null and c.deadline_at <= ${now}
      and (c.state = 'queued'
        or (not ${brokerGap(ctx.sql, new Date(now.getTime() - RETURN_GRACE_MS * ctx.env.TASK_DEADLINE_SCALE))}
          and not ${noBrokerFor(ctx.sql, now, fullSeconds(ctx))}))
      and not exists (select 1 from inbox b where b.device_id = c.device_id)
    for no key update of c skip locked)`

async function send(ctx: WorkerContext, taken: readonly Row[]): Promise<void> {
  // Those that were encrypted with another key end with their time.
  const rows = taken.flatMap((row) => {
    const payload = ifReadable(() => commandPayload(ctx, row))
    return payload ? [{ id: row.id, sn: row.sn, message: command, payload }] : []
  })
  const published = await publishAll(ctx, rows)
  const sent = rows.filter((_, index) => published.has(index)).map(({ id }) => id)
  if (sent.length > 0)
    await ctx.sql`
      update commands set state = 'sent' where id in (
        select id from commands where id = any(${sent}::uuid[]) and state = 'sending' order by id for no key update)`
}

export const driveCommandsJob = processor(driveCommands, async (ctx) => {
  const now = ctx.now()
  await endOverdue(ctx, now)
  if (!ctx.line.connected()) return { sent: 0, asked: 0 }
  const queued = await takeQueued(ctx, now)
  await send(ctx, queued)
  const cut = await takeCut(ctx, now)
  const repeatSafe = (row: Row) => commandBook.get(row.name)?.repeatSafe ?? false
  await send(ctx, cut.filter(repeatSafe))
  const unsure = cut.filter((row) => !repeatSafe(row))
  await publishAll(
    ctx,
    unsure.map(({ id, sn }) => ({ sn, message: inquire, payload: { id } })),
  )
  return { sent: queued.length, asked: unsure.length }
})
