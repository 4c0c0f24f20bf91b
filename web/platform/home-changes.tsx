import { Text } from '@mantine/core'
import {
  IconBell,
  IconBellOff,
  IconChecks,
  IconPlugConnected,
  IconPlugConnectedX,
  IconSparkles,
  IconUser,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { alarmHistoryPermission, alarmHistoryScreen, alarmScreen } from '#schema/alarm/alarm'
import { deviceListScreen } from '#schema/device/device-pages'
import type { ReplyOf } from '#schema/kit/call'
import { getHomeChanges, type presenceChanges } from '#schema/platform/home-changes'
import { logPeriods, operationLogScreen } from '#schema/platform/operation'
import { taskListScreen } from '#schema/task/task-pages'
import { number, shortMoment } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { SummaryCard, SummaryRow } from '../kit/page/summary.tsx'
import { useCall } from '../kit/query.ts'
import { serverNow } from '../kit/server/server-clock.ts'
import { can } from '../kit/session.ts'
import { useNow } from '../kit/time.tsx'
import { callName } from './call-name.ts'
import classes from './home-changes.module.css'
import { whoText } from './operation-row.tsx'

const REFRESH_S = 60
const MINUTE_MS = 60_000
type Changes = ReplyOf<typeof getHomeChanges>
type Presence = (typeof presenceChanges)[number]

const presenceIcons = {
  offline: IconPlugConnectedX,
  back: IconPlugConnected,
  first: IconSparkles,
} satisfies Record<Presence, unknown>
const icon = (Shape: typeof IconBell, tone: string) => (
  <Shape size={18} stroke={1.5} color={`var(--${tone})`} aria-hidden />
)
const joined = (texts: readonly string[]) => texts.join(t('kit:comma'))

/** What changed, the most urgent first; "no changes" is a row of its own. */
function rowsOf({ alarms, devices, tasks, operations, since }: Changes): ReactNode[] {
  const hours = (serverNow() - Date.parse(since)) / 3_600_000
  const period = logPeriods.find((one) => Number(one) >= hours) ?? logPeriods.at(-1)
  const history = can(alarmHistoryPermission)
    ? `${alarmHistoryScreen.path}?days=${hours > 24 ? 7 : 1}`
    : alarmScreen.path
  const rows: ReactNode[] = []
  if (alarms && alarms.started > 0)
    rows.push(
      <SummaryRow
        key="started"
        to={history}
        mark={icon(IconBell, 'critical')}
        label={t('dashboard:changes.alarms')}
        value={number(alarms.started)}
      />,
    )
  for (const { change, count, first } of devices ?? [])
    if (count > 0)
      rows.push(
        <SummaryRow
          key={change}
          to={`${deviceListScreen.path}?online=${change === 'offline' ? 'offline' : 'online'}&sort=lastSeenAt&order=desc`}
          mark={icon(presenceIcons[change], change === 'offline' ? 'offline' : 'online')}
          label={t(`dashboard:changes.${change}`)}
          note={joined(first.map(({ deviceName }) => deviceName))}
          value={number(count)}
        />,
      )
  if (tasks && tasks.count > 0)
    rows.push(
      <SummaryRow
        key="tasks"
        to={`${taskListScreen.path}?status=completed`}
        mark={icon(IconChecks, tasks.first.some(({ failed }) => failed > 0) ? 'warning' : 'online')}
        label={t('dashboard:changes.tasks')}
        note={joined(
          tasks.first.map(({ name, failed }) =>
            failed > 0 ? t('dashboard:changes.taskFailed', { name, count: failed }) : name,
          ),
        )}
        value={number(tasks.count)}
      />,
    )
  if (alarms && alarms.ended > 0)
    rows.push(
      <SummaryRow
        key="ended"
        to={history}
        mark={icon(IconBellOff, 'online')}
        label={t('dashboard:changes.ended')}
        value={number(alarms.ended)}
      />,
    )
  if (operations && operations.count > 0)
    rows.push(
      <SummaryRow
        key="operations"
        to={`${operationLogScreen.path}?period=${period}`}
        mark={icon(IconUser, 'pending')}
        label={t('dashboard:changes.operations')}
        note={joined([
          // Somebody who logs in three times is named once.
          ...new Set(
            operations.first.map((row) =>
              t('kit:labelled', { label: whoText(row), text: callName(row.call) }),
            ),
          ),
        ])}
        value={number(operations.count)}
      />,
    )
  return rows
}

/** What changed since the user last looked at the home page. */
export function HomeChanges() {
  const now = useNow(MINUTE_MS)
  const query = useCall(getHomeChanges, {}, { refreshS: REFRESH_S })
  const { data } = query
  const rows = data ? rowsOf(data) : []
  return (
    <SummaryCard
      title={
        data && !data.first
          ? t('dashboard:changes.since', { at: shortMoment(data.since, now) })
          : t('dashboard:changes.lastDay')
      }
      queries={[query]}
    >
      {rows.length === 0 ? <Text c="dimmed">{t('dashboard:changes.none')}</Text> : null}
      <div className={classes['columns']}>{rows}</div>
    </SummaryCard>
  )
}
