import { getDeviceLogList, logPriorities } from '#schema/log'
import { Empty } from '../kit/empty.tsx'
import { t } from '../kit/i18n.ts'
import type { Column, Filter, Row } from '../kit/list-types.ts'
import { ListView } from '../kit/list-view.tsx'
import { StatusChip, type Tone } from '../kit/status-chip.tsx'
import { When } from '../kit/time.tsx'
import classes from './parts.module.css'

type Line = Row<typeof getDeviceLogList>
const tones: Record<Line['priority'], Tone> = {
  info: 'offline',
  notice: 'pending',
  warning: 'warning',
  error: 'critical',
  fatal: 'critical',
  alert: 'critical',
  emergency: 'critical',
}

const columns: readonly Column<Line>[] = [
  {
    key: 'at',
    title: 'device:event.at',
    width: 180,
    card: 'beside',
    render: ({ at }) => <When at={at} absolute />,
  },
  {
    key: 'priority',
    title: 'device:log.priority',
    width: 110,
    card: 'title',
    render: ({ priority }) => <StatusChip tone={tones[priority]} label={t(`device:log.${priority}`)} />,
  },
  { key: 'tag', title: 'device:log.tag', width: 120 },
  {
    key: 'text',
    title: 'device:log.text',
    render: ({ text }) => <span className={classes['logText']}>{text}</span>,
  },
]
const filters: readonly Filter[] = [
  {
    key: 'priority',
    label: 'device:log.least',
    width: 180,
    useOptions: () =>
      logPriorities.map((value) => ({
        value,
        label: t('device:log.andAbove', { priority: t(`device:log.${value}`) }),
      })),
  },
]

/** What the device says of itself; its text is shown as text, whatever it contains. */
export function DeviceLogs({ deviceId }: { deviceId: number }) {
  return (
    <ListView
      call={getDeviceLogList}
      rowKey={({ at, tag, text }) => `${at} ${tag} ${text}`}
      body={{ deviceId }}
      columns={columns}
      filters={filters}
      refreshS={10}
      prefix="log"
      exportName="log"
      empty={() => <Empty title={t('device:log.none')} text={t('device:log.noneText')} />}
    />
  )
}
