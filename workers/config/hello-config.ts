/**
 * Stores what a hello reports about the configuration, and confirms a change on trial as soon as the device is back.
 */
import { randomUUID } from 'node:crypto'
import { command } from '#schema/command/command'
import { confirmConfig } from '#schema/config/commands/config'
import { type BatchState, type DeviceFacts, type Hello, isActive } from '../inbox/batch-state.ts'
import type { Transaction } from '../kit/processor.ts'
import { keep } from '../kit/report.ts'

type Row = {
  deviceId: number
  level: number | null
  abilities: readonly string[]
  uplink: string | null
  hash: string | null
  revision: number | null
}

const CONFIRM_WITHIN_MS = 60_000

export const confirmation = (sn: string, revision: number, atMs: number) => ({
  sn,
  message: command,
  payload: {
    id: randomUUID(),
    name: confirmConfig.name,
    args: { revision },
    deadlineAt: atMs + CONFIRM_WITHIN_MS,
  },
})

export function helloConfig(state: BatchState, device: DeviceFacts, hello: Hello, at: Date): void {
  const said = hello.config
  keep<Row>(
    state,
    'helloConfig',
    [
      {
        deviceId: device.id,
        level: said?.level ?? null,
        abilities: said?.abilities ?? [],
        uplink: said?.uplink ?? null,
        hash: hello.configHash ?? null,
        revision: said?.pending?.revision ?? null,
      },
    ],
    write,
  )
  const trial = device.items.find((item) => item.kind === 'config' && isActive(item))
  // Over a connection of the new configuration: it works. Any other trial is judged by driveConfigs.
  if (said?.pending && trial?.targetHash && trial.targetHash === hello.configHash)
    state.outgoing.push(confirmation(device.sn, said.pending.revision, at.getTime()))
}

/**
 * The last of several hellos in a batch counts. Devices that never had a configuration get no row. Written by id, as the
 * others who lock the rows of many devices do: of two transactions that wait for each other PostgreSQL aborts one.
 */
async function write(tx: Transaction, rows: readonly Row[]): Promise<void> {
  const last = [...new Map(rows.map((row) => [row.deviceId, row])).values()].toSorted(
    (one, other) => one.deviceId - other.deviceId,
  )
  await tx`
    with said as (
      select * from jsonb_to_recordset(${tx.json(last)})
        as v("deviceId" integer, level integer, abilities jsonb, uplink text, hash text, revision integer)),
    gone as (
      update device_configs c set level = null, pending_revision = null from said
      where c.device_id = said."deviceId" and said.level is null and c.level is not null)
    insert into device_configs (device_id, level, abilities, uplink, running_hash, pending_revision)
    select "deviceId", level, abilities, uplink, hash, revision from said where level is not null
    on conflict (device_id) do update set level = excluded.level, abilities = excluded.abilities, uplink = excluded.uplink,
      running_hash = excluded.running_hash, pending_revision = excluded.pending_revision,
      -- Another configuration is read at once.
      asked_at = case when device_configs.running_hash = excluded.running_hash then device_configs.asked_at end
    where (device_configs.level, device_configs.abilities, device_configs.uplink, device_configs.running_hash, device_configs.pending_revision)
      is distinct from (excluded.level, excluded.abilities, excluded.uplink, excluded.running_hash, excluded.pending_revision)`
}
