import { deviceBackupPermission } from '#schema/device/commands/backup'
import { CommandCards } from '../command/command-button.tsx'
import { DeviceBackups } from '../history/device-backups.tsx'
import { can } from '../kit/session.ts'
import parts from './device.module.css'
import type { Device } from './device-actions.tsx'
import { DeviceSchedule } from './device-schedule.tsx'

/** Configuration backups, the scheduled reboot, and the factory reset. */
export function DeviceConfiguration({ device }: { device: Device }) {
  return (
    <div className={parts['stack']}>
      <DeviceSchedule device={device} />
      {can(deviceBackupPermission) ? <DeviceBackups device={device} /> : null}
      <CommandCards device={device} place="configuration" />
    </div>
  )
}
