import { Link } from 'react-router'
import { alarmListPermission, alarmScreen } from '#schema/alarm/alarm'
import type { Severity } from '#schema/alarm/alarm-kind'
import { number } from '../kit/format.ts'
import { Hint } from '../kit/hint.tsx'
import { t } from '../kit/i18n.ts'
import { can } from '../kit/session.ts'
import { StatusChip } from '../kit/status-chip.tsx'
import classes from './alarm-mark.module.css'
import { severityLooks } from './severity-look.ts'

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
  /** In a new window: a wizard keeps what was chosen. */
  apart?: boolean
}

/** The highest severity and the number of active alarms; nothing if there are none. */
export function AlarmMark({ severity, count, to, apart = false }: Props) {
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
        <Link
          to={to}
          {...(apart ? { target: '_blank' } : {})}
          className={classes['mark']}
          data-text
          style={style}
          aria-label={text}
          data-severity={severity}
        >
          {drawn}
        </Link>
      ) : (
        <span
          className={classes['mark']}
          data-text
          style={style}
          role="img"
          aria-label={text}
          data-severity={severity}
        >
          {drawn}
        </span>
      )}
    </Hint>
  )
}
