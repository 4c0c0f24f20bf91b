import { isPlaceZone } from '#schema/device/schedule-rule'
import { movedSql, moveSql } from '#schema/task/moves'
import { UNMETERED } from '#schema/task/task-rollout'
import type { Transaction } from '../kit/processor.ts'
import type { BatchState, DeviceFacts, LogLine } from './batch-state.ts'

/**
 * A smaller change of a device's clock is not written. It differs by milliseconds with each connect, an index depends on
 * it, and then PostgreSQL writes a new entry into each index of the row [decisions/183].
 */
const SKEW_STEP_MS = 1_000

function identity({ id, hello }: DeviceFacts) {
  const said = hello?.payload
  const receivedAt = hello?.receivedAt.getTime() ?? 0
  return {
    id,
    hello_at: hello?.receivedAt,
    // 0 means that the device has no clock.
    clock_skew_ms: said?.at ? said.at - receivedAt : null,
    time_zone: said?.timeZone && isPlaceZone(said.timeZone) ? said.timeZone : null,
    boot_id: said?.bootId,
    model: said?.model,
    firmware: said?.firmware,
    hardware_type: said?.hardwareType,
    hardware_version: said?.hardwareVersion,
    manufacturer: said?.manufacturer,
    kernel: said?.kernel,
    mac: said?.mac,
    imei: said?.imei,
    imsi: said?.imsi,
    iccid: said?.iccid,
    operator: said?.operator,
    config_hash: said?.configHash,
    packages: said?.packages ?? null,
    features: said?.features ?? null,
  }
}

async function writeDevices(tx: Transaction, state: BatchState): Promise<void> {
  const greeted = [...state.devices.values()].filter((device) => device.hello)
  if (greeted.length === 0) return
  await tx`
    update devices d set hello_at = v.hello_at, time_zone = v.time_zone,
      clock_skew_ms = case when abs(v.clock_skew_ms - d.clock_skew_ms) < ${SKEW_STEP_MS} then d.clock_skew_ms else v.clock_skew_ms end,
      boot_id = v.boot_id, model = v.model,
      firmware = v.firmware, hardware_type = v.hardware_type, hardware_version = v.hardware_version,
      manufacturer = v.manufacturer, kernel = v.kernel, mac = v.mac, imei = v.imei, imsi = v.imsi, iccid = v.iccid,
      operator = v.operator, config_hash = v.config_hash, packages = v.packages, features = v.features
    from jsonb_to_recordset(${tx.json(greeted.map(identity))}) as v(
      id integer, hello_at timestamptz, clock_skew_ms bigint, time_zone text, boot_id text, model text, firmware text,
      hardware_type text, hardware_version text, manufacturer text, kernel text, mac text, imei text, imsi text,
      iccid text, operator text, config_hash text, packages jsonb, features jsonb)
    where d.id = v.id`
}

async function writeItems(tx: Transaction, state: BatchState): Promise<void> {
  const changed = [...state.items.values()].filter((item) => item.changed)
  if (changed.length === 0) return
  await tx`
    update task_items i set ${tx.unsafe(movedSql('v'))}, percent = v.percent, failure = v.failure,
      failure_detail = v."failureDetail", held_up_by = v."heldUpBy", from_boot_id = v."fromBootId", step_at = v."stepAt",
      deadline_at = v."deadlineAt", result = v.result, soak_since = v."soakSince", soak_until = v."soakUntil",
      sending_at = case when i.sending = v.sending then i.sending_at else ${state.now} end
    from jsonb_to_recordset(${tx.json(changed)}) as v(
      id uuid, step text, percent real, outcome text, failure text, "failureDetail" text, "heldUpBy" text, "fromBootId" text,
      "stepAt" timestamptz, "deadlineAt" timestamptz, sending text, result jsonb, "soakSince" timestamptz, "soakUntil" timestamptz)
    where i.id = v.id and i.outcome is null`
}

async function writeCommands(tx: Transaction, state: BatchState): Promise<void> {
  const changed = [...state.commands.values()].filter((command) => command.changed)
  if (changed.length === 0) return
  await tx`
    update commands c set state = v.state, result = v.result, error = v.error, ended_at = v."endedAt"
    from jsonb_to_recordset(${tx.json(changed)}) as v(id uuid, state text, result jsonb, error text, "endedAt" timestamptz)
    where c.id = v.id and c.ended_at is null`
}

/**
 * The old items end as cancelled and are no longer counted; new ones wait in their place, with the waiting
 * time of a new task.
 */
async function writeWithdrawn(tx: Transaction, { withdrawn, now, deadlineScale }: BatchState): Promise<void> {
  if (withdrawn.length === 0) return
  const withdraw = moveSql('withdraw')
  await tx`
    with old as (
      update task_items i set ${tx.unsafe(withdraw.set)}, superseded = true, step_at = ${now},
        failure_detail = case when t.paused_at is not null then 'paused'
          when t.unmetered and (t."window" is null or (i.step <> 'downloaded' and exists (select 1 from device_states s
            where s.device_id = i.device_id and upper(s.network_mode) <> all(${[...UNMETERED]})))) then 'mobileData'
          when t."window" is not null then 'hours' else 'paused' end
      from tasks t
      where i.id = any(${withdrawn.map(({ id }) => id)}::uuid[]) and t.id = i.task_id and ${tx.unsafe(withdraw.where)}
      returning i.id, i.failure_detail, task_id, device_id, i.customer_id, attempt, i.wave, from_version, i.args, target_hash),
    made as (
      insert into task_items (id, task_id, device_id, customer_id, attempt, wave, args, target_hash, deadline_at, step_at, from_version)
      select gen_random_uuid(), old.task_id, old.device_id, old.customer_id, old.attempt, old.wave, old.args, old.target_hash,
        ${now}::timestamptz + make_interval(secs => t.wait_offline_minutes * 60 * ${deadlineScale}::float8), ${now}, old.from_version
      from old join tasks t on t.id = old.task_id
      returning id, device_id)
    insert into task_events (item_id, device_id, at, what, detail)
    select id, device_id, ${now}::timestamptz, 'cancelled', failure_detail from old
    union all select id, device_id, ${now}::timestamptz, 'created', null from made`
}

/**
 * Lines of a device without a clock are identified by boot and number only: the first one of a batch is
 * stored.
 */
function withoutRepeats(lines: readonly LogLine[]): LogLine[] {
  const seen = new Set<string>()
  return lines.filter(({ deviceId, bootId, seq, atIsOurs }) => {
    const key = `${deviceId} ${seq} ${bootId}`
    const first = !atIsOurs || !seen.has(key)
    seen.add(key)
    return first
  })
}

/**
 * Writes everything that changed; returns the tasks of which an item ended, and those of which one failed.
 */
export async function writeBatch(
  tx: Transaction,
  state: BatchState,
): Promise<{ ended: number[]; failed: number[] }> {
  await writeDevices(tx, state)
  await writeItems(tx, state)
  await writeWithdrawn(tx, state)
  await writeCommands(tx, state)
  if (state.events.length > 0)
    await tx`
      insert into task_events (item_id, device_id, at, what, detail)
      select "itemId", "deviceId", at, what, detail from jsonb_to_recordset(${tx.json(state.events)})
        as v("itemId" uuid, "deviceId" integer, at timestamptz, what text, detail text)`
  if (state.notes.length > 0)
    await tx`
      insert into device_warnings (device_id, at, what, detail)
      select "deviceId", at, what, detail from jsonb_to_recordset(${tx.json(state.notes)})
        as v("deviceId" integer, at timestamptz, what text, detail text)`
  if (state.logs.length > 0)
    await tx`
      insert into device_logs (device_id, at, boot_id, seq, priority, tag, text)
      select "deviceId", at, "bootId", seq, priority, tag, text from jsonb_to_recordset(${tx.json(withoutRepeats(state.logs))})
        as v("deviceId" integer, at timestamptz, "atIsOurs" boolean, "bootId" text, seq bigint, priority integer, tag text, text text)
      where not (v."atIsOurs" and exists (select 1 from device_logs l
        where l.device_id = v."deviceId" and l.boot_id = v."bootId" and l.seq = v.seq))
      on conflict do nothing`
  for (const { rows, write } of state.kept.values()) if (rows.length > 0) await write(tx, rows, state.key)
  const ended = [...state.items.values()].filter((item) => item.changed && item.outcome !== null)
  const tasksOf = (items: typeof ended) => [...new Set(items.map((item) => item.taskId))]
  return { ended: tasksOf(ended), failed: tasksOf(ended.filter((item) => item.outcome === 'failed')) }
}
