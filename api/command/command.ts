/** Commands to one device. */

import { and, asc, count, desc, eq, gte, ilike } from 'drizzle-orm'
import { getCommandList, sendCommand } from '#schema/command/command'
import { refuse } from '#schema/kit/refusal'
import { sessionRefusals } from '#schema/people/session-refusals'
import { commands } from '#schema/tables/command'
import { users } from '#schema/tables/user'
import { holds } from '../kit/actor.ts'
import { handler } from '../kit/handler.ts'
import { reachHistory } from '../kit/history.ts'
import { knownName } from '../kit/known-name.ts'
import { contains, page } from '../kit/paging.ts'
import { parseArgs } from './command-args.ts'
import { commandNamed } from './command-target.ts'
import { orderDevice } from './order-command.ts'

export const sendCommandHandler = handler(sendCommand, async (ctx, body) => {
  const command = commandNamed.get(body.name)
  if (!command || command.platformOnly)
    refuse(sessionRefusals.invalid, { field: 'name', reason: body.name }, 'name')
  if (!holds(ctx.actor, command.permission)) refuse(sessionRefusals.noPermission)
  const args = parseArgs(command, body.args, ctx.language)
  const { commandId } = await orderDevice(ctx, command, body.deviceId, args)
  return { commandId }
})

export const getCommandListHandler = handler(getCommandList, async (ctx, body) => {
  const device = await reachHistory(ctx, body.deviceId)
  const where = and(
    eq(commands.deviceId, device.id),
    gte(commands.createdAt, device.since),
    body.search ? ilike(commands.name, contains(body.search)) : undefined,
  )
  const list = await ctx.db
    .select({
      commandId: commands.id,
      name: commands.name,
      args: commands.args,
      state: commands.state,
      createdAt: commands.createdAt,
      sentAt: commands.sentAt,
      deadlineAt: commands.deadlineAt,
      endedAt: commands.endedAt,
      result: commands.result,
      error: commands.error,
      createdBy: knownName(ctx.actor),
      batchId: commands.batchId,
    })
    .from(commands)
    .leftJoin(users, eq(users.id, commands.createdBy))
    .where(where)
    .orderBy(body.order === 'asc' ? asc(commands.createdAt) : desc(commands.createdAt), asc(commands.id))
    .limit(body.limit)
    .offset(page(body))
  const [counted] = await ctx.db.select({ total: count() }).from(commands).where(where)
  return { list, total: counted?.total ?? 0 }
})
