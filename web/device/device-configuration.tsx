import { Skeleton } from '@mantine/core'
import { Suspense } from 'react'
import { configReadPermission } from '#schema/config/commands/config'
import { deviceBackupPermission } from '#schema/device/commands/backup'
import { CommandCards } from '../command/command-button.tsx'
import { DeviceBackups } from '../history/device-backups.tsx'
import { lazy } from '../kit/chunk.ts'
import { can } from '../kit/session.ts'
import parts from './device.module.css'
import type { Device } from './device-actions.tsx'
import { DeviceSchedule } from './device-schedule.tsx'

const ConfigTab = lazy(() => import('../config/config-tab.tsx'))

/** Configuration pages, and below them what is done with the configuration as a whole. */
export function DeviceConfiguration({ device }: { device: Device }) {
  return (
    <div className={parts['stack']}>
      {can(configReadPermission) ? (
        <Suspense fallback={<Skeleton h={420} />}>
          <ConfigTab device={device} />
        </Suspense>
      ) : null}
      <DeviceSchedule device={device} />
      {can(deviceBackupPermission) ? <DeviceBackups device={device} /> : null}
      <CommandCards device={device} place="configuration" />
    </div>
  )
}
