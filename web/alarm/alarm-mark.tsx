/** Severities differ in colour and in shape: neither is enough for everybody. */
import {
  type Icon,
  IconAlertCircle,
  IconAlertOctagonFilled,
  IconAlertTriangleFilled,
  IconInfoSquareRounded,
  IconSquareRotatedFilled,
} from '@tabler/icons-react'
import { Link } from 'react-router'
import { alarmListPermission, alarmScreen } from '#schema/alarm/alarm'
import type { Severity } from '#schema/alarm/alarm-kind'
import { number } from '../kit/format.ts'
import { Hint } from '../kit/hint.tsx'
import { t } from '../kit/i18n.ts'
import { can } from '../kit/session.ts'
import { StatusChip, type Tone } from '../kit/status-chip.tsx'
import classes from './alarm-mark.module.css'

export const severityLooks: Record<Severity, { tone: Tone; Shape: Icon }> = {
  critical: { tone: 'critical', Shape: IconAlertOctagonFilled },
  major: { tone: 'major', Shape: IconAlertTriangleFilled },
  minor: { tone: 'warning', Shape: IconSquareRotatedFilled },
  warning: { tone: 'pending', Shape: IconAlertCircle },
  info: { tone: 'offline', Shape: IconInfoSquareRounded },
}

export const SeverityChip = ({ severity }: { severity: Severity }) => (
  <StatusChip {...severityLooks[severity]} label={t(`severity:${severity}`)} />
)

/** The active alarms of one device; null for users who may not list alarms. */
export const alarmsOf = ({ deviceId }: { deviceId: number }): string | null =>
  can(alarmListPermission) ? `${alarmScreen.path}?deviceId=${deviceId}` : null

type Props = {
  severity: Severity | null
  count: number
  /** Where a click leads; without it the mark is not a link. */
  to?: string | null
}

/** The highest severity and the number of active alarms; nothing if there are none. */
export function AlarmMark({ severity, count, to }: Props) {
  if (severity === null || count === 0) return null
  const { tone, Shape } = severityLooks[severity]
  const text = t('severity:active', { severity: t(`severity:${severity}`), count })
  const style = { color: `var(--${tone})`, background: `var(--${tone}-soft)` }
  const drawn = (
    <>
      <Shape size={14} stroke={2} aria-hidden />
      {number(count)}
    </>
  )
  return (
    <Hint label={text}>
      {to ? (
        <Link to={to} className={classes['mark']} style={style} aria-label={text} data-severity={severity}>
          {drawn}
        </Link>
      ) : (
        <span className={classes['mark']} style={style} role="img" aria-label={text} data-severity={severity}>
          {drawn}
        </span>
      )}
    </Hint>
  )
}
