import { ActionIcon, Indicator, Tooltip } from '@mantine/core'
import { IconBell } from '@tabler/icons-react'
import { useNavigate } from 'react-router'
import { alarmListPermission, alarmScreen, getAlarmCount } from '#schema/alarm/alarm'
import { severityLooks } from '../alarm/severity-look.ts'
import { number } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { useCall } from '../kit/query.ts'
import { can } from '../kit/session.ts'

const REFRESH_S = 20
const SHOWN_MAX = 99

/** Number of active alarms that are not acknowledged; polling pauses while the window is hidden. */
export function AlarmBell() {
  const navigate = useNavigate()
  const allowed = can(alarmListPermission)
  const query = useCall(getAlarmCount, {}, { refreshS: REFRESH_S, enabled: allowed })
  if (!allowed) return null
  const open = query.data?.open ?? 0
  const { Shape, tone } = severityLooks[query.data?.worst ?? 'critical']
  const label = query.data === undefined ? t('shell:bell.unknown') : t('shell:bell.open', { count: open })
  return (
    <Tooltip label={label}>
      <Indicator
        disabled={open === 0}
        label={
          <>
            <Shape size={10} stroke={2.5} aria-hidden />
            {open > SHOWN_MAX ? `${number(SHOWN_MAX)}+` : number(open)}
          </>
        }
        size={16}
        offset={5}
        color={`var(--${tone})`}
        styles={{ indicator: { color: 'var(--page)', fontWeight: 600 } }}
      >
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={label}
          onClick={() => navigate(alarmScreen.path)}
        >
          <IconBell size={18} stroke={1.5} />
        </ActionIcon>
      </Indicator>
    </Tooltip>
  )
}
