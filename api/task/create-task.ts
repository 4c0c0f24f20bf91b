/** Writes a task of any kind with its items: its data is copied, and does not change with parameters or packages. */
import { and, eq, sql } from 'drizzle-orm'
import type { Command } from '#schema/kit/command'
import { refuse } from '#schema/kit/refusal'
import type { TaskKind } from '#schema/kit/task-kind'
import { absent } from '#schema/people/session-refusals'
import { devices } from '#schema/tables/device'
import { taskItems, tasks } from '#schema/tables/task'
import type { LeftOut } from '#schema/task/task-target'
import type { Transaction } from '../device/end-device-work.ts'
import { amongIds } from '../kit/among-ids.ts'
import type { CallContext } from '../kit/handler.ts'
import { visible } from '../kit/scope.ts'
import { noteDecision } from './task-decision.ts'

const HOUR_MS = 3_600_000

type Row = typeof tasks.$inferInsert

/** The data common to all tasks, and that of the kind. */
export type NewTask = Pick<Row, 'name' | 'description' | 'startAt' | 'waitOfflineMinutes'> &
  Partial<Omit<Row, 'id' | 'kind' | 'createdBy' | 'responsibleId'>> & {
    /** From `deadlinesFor`, called before the transaction: it may need its own connection. */
    deadlines: Row['deadlines']
    customerId: number | null
    matching: number
    leftOut: LeftOut[]
    /** Until when a second person must have approved it; null: no approval is needed. */
    approvalUntil: Date | null
  }

/** Data of one device: its own arguments, and the hash of its target configuration. */
export type OfDevice = {
  deviceId: number
  wave?: number
  args?: Record<string, unknown>
  targetHash?: string
}

/** @throws Refusal 5 if the actor no longer sees one of the devices */
export async function createTask(
  tx: Transaction,
  ctx: CallContext,
  { kind, command }: { kind: TaskKind; command: Command | null },
  wanted: NewTask,
  deviceIds: readonly number[],
  ofDevices: readonly OfDevice[] = [],
): Promise<number> {
  const [task] = await tx
    .insert(tasks)
    .values({
      ...wanted,
      kind: kind.name,
      command: command?.name ?? null,
      language: ctx.language,
      createdBy: ctx.actor.userId,
      responsibleId: ctx.actor.userId,
      createdAt: ctx.now(),
      // Paused, so that everything that respects a pause respects the missing approval.
      ...(wanted.approvalUntil ? { approval: 'waiting', pausedAt: ctx.now(), pauseReason: 'approval' } : {}),
    })
    .returning({ id: tasks.id })
  const id = task?.id ?? 0
  const waitMs = wanted.waitOfflineMinutes * 60_000 * ctx.env.TASK_DEADLINE_SCALE
  const deadlineAt = new Date(wanted.startAt.getTime() + waitMs).toISOString()
  const [counted] = await tx.execute<{ made: number }>(sql`
    with own as (
      select * from jsonb_to_recordset(${JSON.stringify(ofDevices)}::jsonb) as v("deviceId" integer, wave integer, args jsonb, "targetHash" text)),
    made as (
      insert into task_items (id, task_id, device_id, customer_id, deadline_at, step_at, from_version, wave, args, target_hash)
      select gen_random_uuid(), ${id}::int, devices.id, devices.customer_id, ${deadlineAt}::timestamptz, ${ctx.now().toISOString()}::timestamptz,
        case when ${wanted.type ?? null}::text = 'upgrade' then devices.firmware else devices.packages->>${wanted.packageName ?? null}::text end,
        coalesce(own.wave, 0), own.args, own."targetHash"
      from devices left join own on own."deviceId" = devices.id
      where ${amongIds(devices.id, deviceIds)} and ${visible(ctx.actor).devices}
      order by devices.id for key share of devices
      returning id, device_id),
    logged as (
      insert into task_events (item_id, device_id, at, what)
      select id, device_id, ${ctx.now().toISOString()}::timestamptz, 'created' from made)
    select count(*)::int as made from made`)
  // One has been deleted or given away since they were chosen: what is created now would still reach it.
  if (counted?.made !== deviceIds.length) refuse(absent)
  await noteDecision(tx, ctx, id, 'created', { devices: deviceIds.length })
  if (wanted.approvalUntil) await noteDecision(tx, ctx, id, 'approvalAsked')
  return id
}

/** When an approval that is asked for now expires; null: none is needed. */
export async function approvalUntil(
  ctx: CallContext,
  kind: TaskKind,
  asked: boolean | undefined,
  customerId: number | null,
): Promise<Date | null> {
  if (!asked && !kind.secondPerson) return null
  const hours = await ctx.parameters.get('approvalWaitHours', customerId)
  return new Date(ctx.now().getTime() + hours * HOUR_MS)
}

/** The common customer of these devices; null: several, then only platform users see the task. */
export function ownerOf(ctx: CallContext, eligible: readonly { customerId: number }[]): number | null {
  const first = eligible[0]?.customerId ?? null
  return ctx.actor.customerId ?? (eligible.every(({ customerId }) => customerId === first) ? first : null)
}

/** The task created earlier by the same request of this actor; null: none. A request that is sent twice at once waits. */
export async function findByRequestId(
  tx: Pick<Transaction, 'select' | 'execute' | '$count'>,
  ctx: CallContext,
  requestId: string | undefined,
) {
  if (requestId === undefined) return null
  const lock = `tasks ${ctx.actor.userId} ${requestId}`
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`)
  const [found] = await tx
    .select({ taskId: tasks.id, leftOut: tasks.leftOut })
    .from(tasks)
    .where(and(eq(tasks.createdBy, ctx.actor.userId), eq(tasks.requestId, requestId)))
  if (!found) return null
  const items = and(eq(taskItems.taskId, found.taskId), eq(taskItems.attempt, 1))
  return { ...found, devices: await tx.$count(taskItems, items) }
}
