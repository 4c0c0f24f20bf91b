/**
 * Deletes purged devices batch by batch, so that a long history never holds a lock for long; the device
 * itself goes last.
 */
import { purgeDevices } from '#schema/device/unusual'
import { processor, type WorkerContext } from '../kit/processor.ts'
import { completeTasks } from '../task/complete-tasks.ts'

const BATCH = 10_000
/** Tables that refer to the device without a cascading foreign key. */
export const histories = [
  'status_samples',
  'status_packs',
  'device_logs',
  'probe_samples',
  'traffic_hours',
  'traffic_days',
  'traffic_totals',
  'traffic_cursors',
  'device_hours',
  'device_days',
  'presence_records',
  'device_warnings',
  'inbox',
  'remote_accesses',
  'remote_sessions',
  'sms_messages',
  'commands',
  'task_items',
] as const

/** By physical row id: it is unique only within a partition, so the table is part of the key. */
async function drain(ctx: WorkerContext, table: (typeof histories)[number], id: number): Promise<number> {
  let removed = 0
  for (;;) {
    const { count } = await ctx.sql`
      delete from ${ctx.sql(table)} where (tableoid, ctid) in (
        select tableoid, ctid from ${ctx.sql(table)} where device_id = ${id} limit ${BATCH})`
    removed += count
    if (count < BATCH) return removed
  }
}

/** Rows first: an unreferenced file only costs space, while a row without its file is wrong. */
async function removeFiled({ sql, files }: WorkerContext, id: number): Promise<void> {
  const gone = await sql<{ fileKey: string | null }[]>`
    with recordings as (delete from terminal_recordings where device_id = ${id} returning file_key),
      backups as (delete from device_backups where device_id = ${id} returning file_key)
    select file_key as "fileKey" from recordings union all select file_key from backups`
  for (const { fileKey } of gone) if (fileKey !== null) await files.remove(fileKey)
}

const removeDevice = (ctx: WorkerContext, id: number) =>
  ctx.sql.begin(async (tx) => {
    await tx`update devices set replaces_id = null where replaces_id = ${id}`
    await tx`delete from devices where id = ${id} and purged_at is not null`
    await completeTasks(tx, null, ctx.now())
  })

/** Deletes every purged device. */
export async function removePurged(ctx: WorkerContext): Promise<{ devices: number; rows: number }> {
  let devices = 0
  let rows = 0
  for (;;) {
    const [next] = await ctx.sql<{ id: number }[]>`
      select id from devices where purged_at is not null order by id limit 1`
    if (!next) return { devices, rows }
    for (const table of histories) rows += await drain(ctx, table, next.id)
    await removeFiled(ctx, next.id)
    await removeDevice(ctx, next.id)
    devices++
  }
}

export const purgeDevicesJob = processor(purgeDevices, removePurged)
