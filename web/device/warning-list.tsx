import { Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { Link } from 'react-router'
import type { getFleetSummary } from '#schema/device/fleet'
import type { ReplyOf } from '#schema/kit/call'
import { t, tOr } from '../kit/i18n.ts'
import { When } from '../kit/time.tsx'
import classes from './device.module.css'

type Warnings = ReplyOf<typeof getFleetSummary>['warnings']

export function WarningList({ warnings }: { warnings: Warnings }) {
  if (warnings.length === 0) return <Text c="dimmed">{t('dashboard:noWarnings')}</Text>
  return (
    <ul className={classes['warnings']}>
      {warnings.map(({ deviceId, deviceName, deviceSn, at, what }) => (
        <li key={`${deviceId}-${at}-${what}`}>
          <IconAlertTriangle size={16} stroke={1.5} color="var(--warning)" aria-hidden />
          {/* The group in the path is only for people; the device's id is what counts. */}
          <Link to={`/device/particulars/0/${deviceId}?tab=history`} title={deviceSn}>
            {deviceName}
          </Link>
          <span>{tOr(`device:warning.${what}`, what)}</span>
          <When at={at} />
        </li>
      ))}
    </ul>
  )
}
