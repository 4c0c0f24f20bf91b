import { randomUUID } from 'node:crypto'
import { configArchive } from '../config-archive.ts'
import { furnish } from '../furnish.ts'

/** What the detail page of a device shows: sections, probes, the switch-card record, backups, a schedule with a run. */
export const furnishDetail = furnish(async ({ sql, files }, tenant) => {
  const deviceId = tenant.devices[0]?.id ?? 0
  const { name, customerId } = tenant
  await sql`
    insert into device_sections (device_id, name, at, value)
    values (${deviceId}, 'wifi', now(), ${sql.json([{ ssid: `${name} wifi`, up: true }])})`
  await sql`
    insert into probe_samples (device_id, at, target, sent, received, avg_ms)
    values (${deviceId}, now(), ${`${name}.example.com`}, 5, 5, 20)`
  await sql`
    insert into sim_switches (device_id, at, from_slot, to_slot, reason, detail)
    values (${deviceId}, now(), 1, 2, 'signal', ${`${name} switch`})`
  const archive = await configArchive({ 'etc/config/system': `config system '${name}'\n` })
  const file = files.create()
  await new Promise<void>((done) => file.stream.end(archive, () => done()))
  await file.keep()
  const backupId = randomUUID()
  await sql`
    insert into device_backups (id, device_id, customer_id, command_id, remark, link_expires_at, file_key, size_bytes, sha256)
    values (${backupId}, ${deviceId}, ${customerId}, ${randomUUID()}, ${`${name} backup`}, now(), ${file.key}, ${archive.length}, 'ab')`
  await sql`
    insert into schedules (device_id, customer_id, enabled, kind, time, weekdays, time_zone)
    values (${deviceId}, ${customerId}, false, 'daily', '03:00', '{}', 'Asia/Shanghai')`
  await sql`
    insert into schedule_runs (device_id, due_at, state, by, reason)
    values (${deviceId}, now() - interval '1 day', 'failed', 'platform', ${`${name} run`})`
  return {
    own: Object.fromEntries(
      [
        'backup/modifyBackup',
        'backup/deleteBackup',
        'backup/downloadBackup',
        'backup/getBackupFiles',
        'configTask/restoreBackup',
      ].map((call) => [call, { backupId }]),
    ),
  }
})
