/** Following commands to many devices. */

import { and, asc, count, desc, eq, ilike, isNotNull, or, sql } from 'drizzle-orm'
import { refuse } from '#schema/kit/refusal'
import { sessionRefusals } from '#schema/people/session-refusals'
import { commandBatches, commands } from '#schema/tables/command'
import { devices } from '#schema/tables/device'
import { users } from '#schema/tables/user'
import { getCommandBatch, getCommandBatchDevices, getCommandBatchList } from '#schema/task/command-batch'
import { handler } from '../kit/handler.ts'
import { searchedName } from '../kit/known-name.ts'
import { contains, page } from '../kit/paging.ts'
import { visible } from '../kit/scope.ts'
import { countCommands, reachBatch, selectBatches, withStop } from './batch-row.ts'

/** Devices say why in their own words: the most frequent are told apart, no more. */
const ERRORS_SHOWN = 10

export const getCommandBatchListHandler = handler(getCommandBatchList, async (ctx, body) => {
  const pattern = body.search ? contains(body.search) : undefined
  const where = and(
    visible(ctx.actor).commandBatches,
    pattern
      ? or(ilike(commandBatches.name, pattern), sql`${searchedName(ctx.actor)} ilike ${pattern}`)
      : undefined,
  )
  const direction = body.order === 'asc' ? asc : desc
  const rows = await selectBatches(ctx, where)
    .orderBy(direction(commandBatches.createdAt), asc(commandBatches.id))
    .limit(body.limit)
    .offset(page(body))
  const [counted] = await ctx.db
    .select({ total: count() })
    .from(commandBatches)
    .leftJoin(users, eq(users.id, commandBatches.createdBy))
    .where(where)
  const counts = await countCommands(
    ctx,
    rows.map(({ batchId }) => batchId),
  )
  return {
    list: rows.map((row) => ({ ...withStop(row), counts: counts(row.batchId) })),
    total: counted?.total ?? 0,
  }
})

export const getCommandBatchHandler = handler(getCommandBatch, async (ctx, body) => {
  const [row] = await selectBatches(
    ctx,
    and(visible(ctx.actor).commandBatches, eq(commandBatches.id, body.batchId)),
  )
  if (!row) refuse(sessionRefusals.noPermission, {}, 'batchId')
  const errors = await ctx.db
    .select({ error: sql<string>`${commands.error}`, count: count() })
    .from(commands)
    .innerJoin(devices, eq(devices.id, commands.deviceId))
    .where(
      and(
        visible(ctx.actor).commands,
        eq(commands.batchId, row.batchId),
        eq(commands.state, 'failed'),
        isNotNull(commands.error),
      ),
    )
    .groupBy(commands.error)
    .orderBy(desc(count()), asc(commands.error))
    .limit(ERRORS_SHOWN)
  return { ...withStop(row), counts: (await countCommands(ctx, [row.batchId]))(row.batchId), errors }
})

const sorts = {
  deviceSn: devices.sn,
  state: commands.state,
  sentAt: commands.sentAt,
  endedAt: commands.endedAt,
} as const
const stillOwned = sql`(${devices.customerId} = ${commands.customerId})`

export const getCommandBatchDevicesHandler = handler(getCommandBatchDevices, async (ctx, body) => {
  const batch = await reachBatch(ctx, body.batchId)
  const pattern = body.search ? contains(body.search) : undefined
  const where = and(
    visible(ctx.actor).commands,
    eq(commands.batchId, batch.id),
    body.state ? eq(commands.state, body.state) : undefined,
    pattern ? or(ilike(devices.sn, pattern), and(stillOwned, ilike(devices.name, pattern))) : undefined,
  )
  const direction = body.order === 'desc' ? desc : asc
  const list = await ctx.db
    .select({
      commandId: commands.id,
      deviceId: commands.deviceId,
      deviceSn: devices.sn,
      // Given to another customer since, what it is called now is his.
      deviceName: sql<string>`case when ${stillOwned} then ${devices.name} else ${devices.sn} end`,
      timeZone: sql<string | null>`case when ${stillOwned} then ${devices.timeZone} end`,
      state: commands.state,
      sentAt: commands.sentAt,
      endedAt: commands.endedAt,
      error: commands.error,
    })
    .from(commands)
    .innerJoin(devices, eq(devices.id, commands.deviceId))
    .where(where)
    .orderBy(direction(sorts[body.sort ?? 'deviceSn']), asc(devices.sn))
    .limit(body.limit)
    .offset(page(body))
  const [counted] = await ctx.db
    .select({ total: count() })
    .from(commands)
    .innerJoin(devices, eq(devices.id, commands.deviceId))
    .where(where)
  return { list, total: counted?.total ?? 0 }
})
