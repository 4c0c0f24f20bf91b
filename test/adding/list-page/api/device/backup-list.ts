import { eq, isNotNull, isNull } from 'drizzle-orm'
import { getFleetBackups } from '#schema/device/backup-list'
import { deviceBackups } from '#schema/tables/backup'
import { devices } from '#schema/tables/device'
import { listOf } from '../kit/list-of.ts'
import { visible } from '../kit/scope.ts'

export const getFleetBackupsHandler = listOf(getFleetBackups, 'devices', ({ db, actor }) => ({
  table: deviceBackups,
  rows: db
    .select({
      id: deviceBackups.id,
      deviceId: devices.id,
      groupId: devices.groupId,
      deviceSn: devices.sn,
      deviceName: devices.name,
      createdAt: deviceBackups.createdAt,
      remark: deviceBackups.remark,
      sizeBytes: deviceBackups.sizeBytes,
      firmware: deviceBackups.firmware,
    })
    .from(deviceBackups)
    .innerJoin(devices, eq(devices.id, deviceBackups.deviceId)),
  // A device may have had another owner when it made them.
  where: visible(actor).deviceBackups,
  filters: {
    hasFile: (asked) => (asked === 'yes' ? isNotNull(deviceBackups.fileKey) : isNull(deviceBackups.fileKey)),
  },
  countJoined: true,
}))
