import { Group, Text } from '@mantine/core'
import { IconUnlink } from '@tabler/icons-react'
import { Link } from 'react-router'
import { alarmScreen, getAlarmCount, getAlarmList } from '#schema/alarm/alarm'
import type { Severity } from '#schema/alarm/alarm-kind'
import { getAlarmOutages } from '#schema/alarm/alarm-outage'
import { conditionName } from '#schema/alarm/alarm-text'
import { ago, number } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { SummaryCard, SummaryRow } from '../kit/page/summary.tsx'
import { askAhead, useCall } from '../kit/query.ts'
import { useNow } from '../kit/time.tsx'
import { outageTitle, pathOf, seenText } from './alarm-chips.tsx'
import { AlarmMark } from './alarm-mark.tsx'
import { severityLooks } from './severity-look.ts'

/** As often as the bell asks: both show the same count. */
const REFRESH_S = 20
const NEWEST_SHOWN = 3
const STEP_MS = 10_000
const LIST = alarmScreen.path

function Shape({ severity }: { severity: Severity }) {
  const { tone, Shape: Drawn } = severityLooks[severity]
  return <Drawn size={18} stroke={1.5} color={`var(--${tone})`} aria-label={t(`severity:${severity}`)} />
}

const newestQuestion = { limit: NEWEST_SHOWN, fold: 'outages' } as const

export function askAlarmSummary() {
  askAhead(getAlarmOutages, {})
  askAhead(getAlarmList, newestQuestion)
}

/** Active alarms for the home page: how many of each severity, the largest outage, the newest. */
export function AlarmSummary() {
  const now = useNow(STEP_MS)
  const count = useCall(getAlarmCount, {}, { refreshS: REFRESH_S })
  const outages = useCall(getAlarmOutages, {}, { refreshS: REFRESH_S })
  const newest = useCall(getAlarmList, newestQuestion, { refreshS: REFRESH_S })
  const [largest] = outages.data?.list ?? []
  const rows = newest.data?.list.slice(0, largest ? NEWEST_SHOWN - 1 : NEWEST_SHOWN) ?? []
  const { active = 0, open = 0, severities = [] } = count.data ?? {}
  return (
    <SummaryCard
      title={t('dashboard:alarms.title')}
      side={
        active > 0 ? (
          <Link to={LIST}>
            {t('dashboard:alarms.side', { count: active, shown: number(active), open: number(open) })}
          </Link>
        ) : null
      }
      queries={[count, outages, newest]}
    >
      {active === 0 ? <Text c="dimmed">{t('dashboard:alarms.none')}</Text> : null}
      {severities.length > 0 ? (
        <Group gap={8} mb={4} mih={32}>
          {severities.map(({ severity, active: of }) => (
            <AlarmMark key={severity} severity={severity} count={of} to={`${LIST}?severity=${severity}`} />
          ))}
        </Group>
      ) : null}
      {largest ? (
        <SummaryRow
          to={`${LIST}?incidentId=${largest.incidentId}`}
          mark={<IconUnlink size={18} stroke={1.5} color="var(--critical)" aria-hidden />}
          label={outageTitle(largest)}
          note={t('alarm:outages.away', { count: largest.away })}
          value={ago(largest.startedAt, now)}
        />
      ) : null}
      {rows.map((row) => (
        <SummaryRow
          key={row.id}
          to={pathOf(row)}
          mark={<Shape severity={row.severity} />}
          label={row.deviceName}
          note={[conditionName(row, t), seenText(row)].filter(Boolean).join(' · ')}
          value={ago(row.lastAt, now)}
        />
      ))}
    </SummaryCard>
  )
}
