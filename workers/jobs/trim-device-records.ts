import { dropOldPartitions } from '#infra/partitions'
import { FAILED_BACKUP_DAYS } from '#schema/backup'
import { PROBE_DAYS } from '#schema/probe'
import { RUN_DAYS } from '#schema/schedule'
import { trimDeviceRecords } from '#schema/section'
import { SIM_SWITCH_DAYS } from '#schema/sim-switch'
import { processor } from '../processor.ts'

const DAY_MS = 86_400_000

export const trimDeviceRecordsJob = processor(trimDeviceRecords, async ({ sql, now }) => {
  const ago = (days: number) => new Date(now().getTime() - days * DAY_MS)
  const dropped = await dropOldPartitions(sql, 'probe_samples', PROBE_DAYS, now())
  await sql`delete from sim_switches where at < ${ago(SIM_SWITCH_DAYS)}`
  await sql`delete from schedule_runs where due_at < ${ago(RUN_DAYS)}`
  await sql`delete from device_backups where file_key is null and created_at < ${ago(FAILED_BACKUP_DAYS)}`
  return { dropped }
})
