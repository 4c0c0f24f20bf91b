/** Commands to one device. */
import { randomUUID } from 'node:crypto'
import { and, asc, count, desc, eq, gte, ilike, isNull, sql } from 'drizzle-orm'
import { commandFolder, gather } from '#infra/gather'
import { driveCommands, getCommandList, sendCommand } from '#schema/command'
import { isCommand } from '#schema/kit/command'
import { refuse } from '#schema/kit/refusal'
import { refusals } from '#schema/refusals'
import { commands } from '#schema/tables/command'
import { deviceStates, devices } from '#schema/tables/device'
import { users } from '#schema/tables/user'
import { handler } from '../handler.ts'
import { reachHistory } from '../history.ts'
import { contains, page } from '../paging.ts'
import { visible } from '../scope.ts'
import { wake } from '../wake.ts'

const declared = new Map((await gather(commandFolder, isCommand)).map((entry) => [entry.name, entry]))

/** A device that is online takes a command at once; one that left this very moment may come back so long. */
const RETURN_MS = 60_000
const LOCK = 7320

export const sendCommandHandler = handler(sendCommand, async (ctx, body) => {
  const command = declared.get(body.name)
  if (!command) refuse(refusals.invalid, { field: 'name', reason: body.name }, 'name')
  if (!ctx.actor.functionIds.has(command.functionId)) refuse(refusals.noPermission)
  const args = command.args.safeParse(body.args)
  if (!args.success) {
    const issue = args.error.issues[0]
    const field = ['args', ...(issue?.path ?? [])].join('.')
    refuse(refusals.invalid, { field, reason: issue?.message ?? '' }, field)
  }
  const [device] = await ctx.db
    .select({
      id: devices.id,
      customerId: devices.customerId,
      features: devices.features,
      online: deviceStates.online,
    })
    .from(devices)
    .leftJoin(deviceStates, eq(deviceStates.deviceId, devices.id))
    .where(and(visible(ctx.actor).devices, eq(devices.id, body.deviceId)))
  if (!device) refuse(refusals.noPermission)
  if (device.features && !device.features.includes(command.name)) refuse(refusals.deviceUnsupported)
  if (!device.online) refuse(refusals.deviceOffline)
  const id = randomUUID()
  await ctx.db.transaction(async (tx) => {
    // Of many equal requests one succeeds [threats 29].
    await tx.execute(sql`select pg_advisory_xact_lock(${LOCK}, ${device.id})`)
    const open = and(
      eq(commands.deviceId, device.id),
      eq(commands.name, command.name),
      isNull(commands.endedAt),
    )
    const [busy] = await tx.select({ id: commands.id }).from(commands).where(open).limit(1)
    if (busy) refuse(refusals.commandBusy)
    await tx.insert(commands).values({
      id,
      deviceId: device.id,
      customerId: device.customerId,
      name: command.name,
      args: args.data as Record<string, unknown>,
      createdBy: ctx.actor.userId,
      createdAt: ctx.now(),
      deadlineAt: new Date(ctx.now().getTime() + RETURN_MS * ctx.env.TASK_DEADLINE_SCALE),
    })
  })
  await wake(ctx, driveCommands)
  return { commandId: id }
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
      createdBy: users.username,
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
