import { expect, it } from 'vitest'
import { apiTest } from '#test/api-client'
import { addConfigFile, configArchive } from '#test/config-archive'
import { meanwhile } from '#test/meanwhile'

const { token, call, tenants, context } = await apiTest()
const { a } = tenants
const { sql, files } = context

it('a backup that is deleted while its file arrives leaves no file behind', async () => {
  const deviceId = a.devices[0]?.id ?? 0
  const content = await configArchive({ 'etc/config/system': 'config system\n' })
  const { fileKey } = await addConfigFile(context, { customerId: a.customerId, name: 'x', content })
  // Its command has ended without a file: it may be deleted, although the device may still be sending.
  const [backup] = await sql<{ id: string }[]>`
    insert into device_backups (id, device_id, customer_id, command_id, link_expires_at)
    values (gen_random_uuid(), ${deviceId}, ${a.customerId}, gen_random_uuid(), now()) returning id`
  const who = await token(a.admin)
  const deleted = await meanwhile(
    sql,
    () => call('backup/deleteBackup', { backupId: backup?.id }, who),
    (tx) => tx`update device_backups set file_key = ${fileKey} where id = ${backup?.id ?? ''}`,
  )
  expect(deleted.code).toBe(0)
  expect(await sql`select 1 from device_backups`).toHaveLength(0)
  expect(await files.size(fileKey)).toBeNull()
})
