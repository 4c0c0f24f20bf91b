import { furnish } from '../furnish.ts'
import { addDevices } from '../tenants.ts'

/** Separate devices for calls that delete them: the others must remain for the other calls. */
export const furnishUnusual = furnish(async ({ sql }, tenant) => {
  const spare = await addDevices(sql, tenant.customerId, tenant.groups.root, `${tenant.name}-U-`, 4)
  const [removed, swapped, restored, purged] = spare.map(({ id }) => id)
  await sql`
    update devices set deleted_at = now(), deleted_by = ${tenant.admin.id}, deleted_reason = ${`${tenant.name} closed`}
    where id in (${restored ?? 0}, ${purged ?? 0})`
  return {
    own: {
      'device/deleteDevices': { dids: [removed] },
      'device/swapDevice': { deviceId: swapped },
      'device/restoreDevices': { dids: [restored] },
      'device/purgeDevices': { dids: [purged] },
    },
  }
})
