/** Turns due times into runs, in one transaction with the commands for connected devices. */
import { randomUUID } from 'node:crypto'
import { scheduledReboot } from '#schema/device/commands/schedule'
import type { MissReason, RunState } from '#schema/device/schedule'
import { SEND_WITHIN_MS } from '#schema/device/schedule'
import { nextRuns, type ScheduleRule } from '#schema/device/schedule-rule'
import type { Transaction, WorkerContext } from '../kit/processor.ts'
import { isReady } from './ready.ts'

/** In one transaction. */
const BATCH = 500
/** After a long downtime of the platform, limits how many missed runs are recorded. */
const PAST_RUNS_MAX = 40

type Due = ScheduleRule & {
  deviceId: number
  customerId: number
  nextRunAt: Date
  ready: boolean
  flashing: boolean
  /** Deleted: it misses nothing, and has its next time when it is restored. */
  gone: boolean
}
type Run = {
  deviceId: number
  customerId: number
  dueAt: Date
  state: RunState
  reason: MissReason | null
  commandId: string | null
}

/** The runs of one schedule that are due at `nowMs`: only the current one is sent to the device. */
export function runsOf(row: Due, nowMs: number): Run[] {
  const first = row.nextRunAt.getTime()
  const moments = [first, ...nextRuns(row, first, PAST_RUNS_MAX)].filter((at) => at <= nowMs)
  return moments.map((at) => {
    const late = nowMs - at > SEND_WITHIN_MS
    const reason = row.flashing ? 'upgrading' : late ? 'platformDown' : row.ready ? null : 'offline'
    const { deviceId, customerId } = row
    const base = { deviceId, customerId, dueAt: new Date(at), reason } as const
    return reason === null
      ? { ...base, state: 'sent', commandId: randomUUID() }
      : { ...base, state: 'waiting', commandId: null }
  })
}

async function write(tx: Transaction, runs: readonly Run[], now: Date): Promise<void> {
  // The device may have run it already and reported it before: then there is nothing to send.
  const made = await tx<{ commandId: string | null }[]>`
    insert into schedule_runs (device_id, due_at, state, reason, command_id)
    select "deviceId", "dueAt", state, reason, "commandId" from jsonb_to_recordset(${tx.json(runs)})
      as v("deviceId" integer, "dueAt" timestamptz, state text, reason text, "commandId" uuid)
    on conflict do nothing returning command_id as "commandId"`
  const kept = new Set(made.map(({ commandId }) => commandId))
  const orders = runs
    .filter(({ commandId }) => commandId !== null && kept.has(commandId))
    .map(({ commandId: id, deviceId, customerId, dueAt }) => ({
      id,
      deviceId,
      customerId,
      args: { dueAt: dueAt.getTime() },
    }))
  if (orders.length > 0)
    await tx`
      insert into commands (id, device_id, customer_id, name, args, created_at, deadline_at)
      select id, "deviceId", "customerId", ${scheduledReboot.name}, args, ${now}, ${new Date(now.getTime() + SEND_WITHIN_MS)}
      from jsonb_to_recordset(${tx.json(orders)}) as v(id uuid, "deviceId" integer, "customerId" integer, args jsonb)`
}

function beginSome(ctx: WorkerContext): Promise<number> {
  const now = ctx.now()
  return ctx.sql.begin(async (tx) => {
    const due = await tx<Due[]>`
      select p.device_id as "deviceId", p.customer_id as "customerId", p.kind, p.date::text as date, p.time, p.weekdays,
        p.time_zone as "timeZone", p.next_run_at as "nextRunAt", coalesce(${isReady(ctx.sql, now)}, false) as ready,
        exists (select 1 from task_items i where i.device_id = d.id and i.outcome is null and i.step = 'upgrading') as flashing,
        d.deleted_at is not null as gone
      from schedules p join devices d on d.id = p.device_id left join device_states s on s.device_id = d.id
      where p.enabled and p.next_run_at <= ${now}
      order by p.next_run_at limit ${BATCH} for update of p skip locked for key share of d skip locked`
    if (due.length === 0) return 0
    await write(
      tx,
      due.filter(({ gone }) => !gone).flatMap((row) => runsOf(row, now.getTime())),
      now,
    )
    const nexts = due.map((row) => {
      const [next] = nextRuns(row, now.getTime(), 1)
      return { deviceId: row.deviceId, nextRunAt: next === undefined ? null : new Date(next) }
    })
    await tx`
      update schedules p set next_run_at = v."nextRunAt", enabled = v."nextRunAt" is not null
      from jsonb_to_recordset(${tx.json(nexts)}) as v("deviceId" integer, "nextRunAt" timestamptz)
      where p.device_id = v."deviceId"`
    return due.length
  })
}

/**
 * Returns how many schedules were due: all of them, since thousands of devices restart at three, and what is not sent within
 * half a minute counts as missed by the platform.
 */
export async function beginRuns(ctx: WorkerContext): Promise<number> {
  for (let total = 0; ; ) {
    const begun = await beginSome(ctx)
    total += begun
    if (begun < BATCH) return total
  }
}
