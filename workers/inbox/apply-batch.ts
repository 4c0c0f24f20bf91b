/**
 * One batch of the inbox: loads the affected rows, applies the reports in arrival order, and writes the rows
 * back as sets.
 */

import { quickCheck } from '#infra/quick-check'
import type { Transaction, WorkerContext } from '../kit/processor.ts'
import type { Report } from '../kit/report.ts'
import { settleTasks } from '../task/settle-tasks.ts'
import type { BatchState, CommandFacts, DeviceFacts, ItemFacts } from './batch-state.ts'
import { writeBatch } from './write-batch.ts'

export type InboxRow = { id: number; deviceId: number; name: string; payload: unknown; receivedAt: Date }

/** An item that ended this recently may still be in progress on the device. */
const ENDED_LATELY_MS = 86_400_000

async function load(ctx: WorkerContext, tx: Transaction, rows: readonly InboxRow[]): Promise<BatchState> {
  const now = ctx.now()
  const deviceIds = [...new Set(rows.map((row) => row.deviceId))]
  const named = (name: string, field: string) =>
    rows
      .filter((row) => row.name === name)
      .map((row) => (row.payload as Record<string, unknown> | null)?.[field])
      .filter((id): id is string => typeof id === 'string' && UUID.test(id))
  const replied = named('reply', 'id')
  const greeting = rows.filter((row) => row.name === 'hello').map((row) => row.deviceId)
  // Before their items and by id, as those do who move or delete many devices and then end their work: of two transactions
  // that wait for each other PostgreSQL aborts one.
  const devices = await tx<Omit<DeviceFacts, 'items' | 'commands' | 'hello' | 'configItem'>[]>`
    select id, sn, boot_id as "bootId", firmware, packages, config_hash as "configHash" from devices where id = any(${deviceIds})
    order by id for no key update`
  // Locked in the same order everywhere, so that the sweeper and this job cannot deadlock.
  const items = await tx<Omit<ItemFacts, 'changed'>[]>`
    select i.id, i.task_id as "taskId", i.device_id as "deviceId", t.kind, t.command, t.type,
      t.package_name as "packageName", t.version, i.target_hash as "targetHash", t.deadlines, i.result,
      i.step, i.percent, i.outcome, i.failure, i.failure_detail as "failureDetail",
      i.held_up_by as "heldUpBy", i.sending, t.soak_minutes as "soakMinutes", i.soak_since as "soakSince", i.soak_until as "soakUntil",
      i.from_boot_id as "fromBootId", i.offers, i.step_at as "stepAt", i.deadline_at as "deadlineAt"
    from task_items i join tasks t on t.id = i.task_id
    where i.id = any(${[...named('progress', 'item'), ...replied]}::uuid[])
      or (i.device_id = any(${deviceIds}) and i.outcome is null and i.sending <> 'none')
      or (i.device_id = any(${greeting}) and i.step_at > ${new Date(now.getTime() - ENDED_LATELY_MS)}
        and i.outcome in ('failed', 'cancelled') and i.offers > 0)
    order by i.id for update of i`
  const commands = await tx<Omit<CommandFacts, 'changed'>[]>`
    select id, device_id as "deviceId", name, state, result, error, from_boot_id as "fromBootId", ended_at as "endedAt"
    from commands
    where ended_at is null and (id = any(${replied}::uuid[]) or device_id = any(${greeting}))
    order by id for update`
  const state: BatchState = {
    now,
    deadlineScale: ctx.env.TASK_DEADLINE_SCALE,
    key: ctx.env.JWT_SECRET,
    devices: new Map(
      devices.map((row) => [row.id, { ...row, items: [], commands: [], hello: null, configItem: null }]),
    ),
    items: new Map(items.map((row) => [row.id, { ...row, changed: false }])),
    commands: new Map(commands.map((row) => [row.id, { ...row, changed: false }])),
    events: [],
    notes: [],
    logs: [],
    kept: new Map(),
    withdrawn: [],
    outgoing: [],
    dispatch: false,
  }
  for (const item of state.items.values()) state.devices.get(item.deviceId)?.items.push(item)
  for (const command of state.commands.values()) state.devices.get(command.deviceId)?.commands.push(command)
  return state
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

function apply(reports: ReadonlyMap<string, Report>, state: BatchState, row: InboxRow): void {
  const device = state.devices.get(row.deviceId)
  if (!device) return
  const report = reports.get(row.name)
  if (report) {
    const { payload: schema } = report.uplink
    const payload = quickCheck(schema)(row.payload)
      ? { success: true, data: row.payload }
      : schema.safeParse(row.payload)
    if (payload.success) {
      report.apply(state, { device, payload: payload.data, receivedAt: row.receivedAt })
      return
    }
  }
  // The broker accepted it by an older declaration: stored for people to see instead of being retried
  // forever.
  state.notes.push({
    deviceId: row.deviceId,
    at: row.receivedAt,
    what: 'unreadableReport',
    detail: row.name.slice(0, 64),
  })
}

/**
 * The messages to send once the batch is committed, the jobs to wake because their work may be possible now, and how
 * many tasks paused themselves.
 */
export type Outcome = Waiting & { outgoing: BatchState['outgoing']; paused: number }

/** Handles `rows` and deletes them in the same transaction. */
export async function handleBatch(
  ctx: WorkerContext,
  tx: Transaction,
  reports: ReadonlyMap<string, Report>,
  rows: readonly InboxRow[],
): Promise<Outcome> {
  const state = await load(ctx, tx, rows)
  for (const row of rows) apply(reports, state, row)
  const paused = await settleTasks(tx, await writeBatch(tx, state), ctx)
  await tx`delete from inbox where id = any(${rows.map((row) => row.id)})`
  return { outgoing: state.outgoing, paused, ...(await waitingWork(tx, state)) }
}

type Waiting = { tasks: boolean; commands: boolean }

/**
 * Whether waiting items or commands may be possible now: those of a device that just said hello, and any items when one
 * has ended, because that frees a slot.
 */
async function waitingWork(tx: Transaction, state: BatchState): Promise<Waiting> {
  const greeted = [...state.devices.values()].filter((device) => device.hello).map((device) => device.id)
  if (greeted.length === 0 && !state.dispatch) return { tasks: false, commands: false }
  const theirs = state.dispatch ? tx`` : tx`and device_id = any(${greeted})`
  const [found] = await tx<Waiting[]>`
    select exists (select 1 from task_items where outcome is null and sending = 'none' ${theirs}) as tasks,
      exists (select 1 from commands where ended_at is null and device_id = any(${greeted})) as commands`
  return found ?? { tasks: false, commands: false }
}
