/** Commands to one device. */

import { sql } from 'drizzle-orm'
import { commandBook } from '#infra/task-kinds'
import { getCommandList, sendCommand } from '#schema/command/command'
import type { ReplyOf } from '#schema/kit/call'
import { refuse } from '#schema/kit/refusal'
import { sessionRefusals } from '#schema/people/session-refusals'
import { users } from '#schema/tables/user'
import { type Actor, holds } from '../kit/actor.ts'
import { handler } from '../kit/handler.ts'
import { pastStart, reachHistory } from '../kit/history.ts'
import { knownName } from '../kit/known-name.ts'
import { contains, page } from '../kit/paging.ts'
import { refuseChoice } from '../kit/refuse-choice.ts'
import { parseArgs } from './command-args.ts'
import { orderDevice } from './order-command.ts'
import { sealedArgs, withoutEncrypted } from './sealed-args.ts'

const sendable = [...commandBook.values()].filter((one) => !one.platformOnly).map(({ name }) => name)

export const sendCommandHandler = handler(sendCommand, async (ctx, body) => {
  const command = commandBook.get(body.name)
  if (!command || command.platformOnly) refuseChoice(ctx, 'name', sendable)
  if (!holds(ctx.actor, command.permission)) refuse(sessionRefusals.noPermission)
  const args = parseArgs(command, body.args, ctx.language)
  const { commandId } = await orderDevice(ctx, command, sealedArgs(command, args, ctx.env.JWT_SECRET))
  return { commandId }
})

type Row = Omit<
  ReplyOf<typeof getCommandList>['list'][number],
  'createdAt' | 'sentAt' | 'deadlineAt' | 'endedAt'
> & {
  createdAt: string
  sentAt: string | null
  deadlineAt: string
  endedAt: string | null
}
const moment = (text: string | null) => (text === null ? null : new Date(text))

/** The state of a task's item, in terms of single commands. */
const itemState = sql`case
  when i.outcome = 'done' then 'done' when i.outcome = 'cancelled' then 'cancelled'
  when i.outcome = 'failed' then case when i.offers = 0 then 'expired' when i.failure = 'upgradeFailed' then 'failed' else 'timedOut' end
  when i.step = 'upgrading' then 'accepted' when i.sending = 'none' then 'queued' when i.sending = 'intent' then 'sending' else 'sent' end`

/** Whether its arguments and result are hidden from the actor. */
function isForOthers(actor: Actor, name: string): boolean {
  const command = commandBook.get(name)
  return command?.personal === true && !holds(actor, command.permission)
}

/** Commands that a user sent to this device, and those that tasks sent to many. */
export const getCommandListHandler = handler(getCommandList, async (ctx, body) => {
  const device = await reachHistory(ctx, body.deviceId)
  const since = sql`${pastStart(device.since, body.days, ctx.now()).toISOString()}::timestamptz`
  const all = sql`
    select c.id::text as "commandId", c.name, ${withoutEncrypted(sql`c.args`)} as args, c.state, c.created_at, c.sent_at, c.deadline_at, c.ended_at, c.result, c.error,
      c.created_by, null::int as "taskId"
    from commands c where c.device_id = ${device.id} and c.created_at >= ${since}
    union all
    select i.id::text, t.command, ${withoutEncrypted(sql`coalesce(i.args, t.args, '{}')`)}, ${itemState}, t.created_at, i.offered_at, i.deadline_at,
      case when i.outcome is not null then i.step_at end, i.result, i.failure_detail, t.created_by, t.id
    from task_items i join tasks t on t.id = i.task_id
    where i.device_id = ${device.id} and t.command is not null and t.created_at >= ${since}`
  const where = body.search ? sql`where listed.name ilike ${contains(body.search)}` : sql``
  const rows = await ctx.db.execute<Row>(sql`
    select listed."commandId", listed.name, listed.args, listed.state, listed.created_at as "createdAt", listed.sent_at as "sentAt",
      listed.deadline_at as "deadlineAt", listed.ended_at as "endedAt", listed.result, listed.error,
      ${knownName(ctx.actor, users, sql`listed.created_by`)} as "createdBy", listed."taskId"
    from (${all}) listed left join ${users} on ${users.id} = listed.created_by ${where}
    order by listed.created_at ${body.order === 'asc' ? sql`asc` : sql`desc`}, listed."commandId"
    limit ${body.limit} offset ${page(body)}`)
  const [counted] = await ctx.db.execute<{ total: string | number }>(
    sql`select count(*) as total from (${all}) listed ${where}`,
  )
  return {
    list: rows.map((row) => ({
      ...row,
      ...(isForOthers(ctx.actor, row.name) ? { args: {}, result: null } : {}),
      createdAt: new Date(row.createdAt),
      sentAt: moment(row.sentAt),
      deadlineAt: new Date(row.deadlineAt),
      endedAt: moment(row.endedAt),
    })),
    total: Number(counted?.total ?? 0),
  }
})
