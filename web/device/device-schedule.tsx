import { Text } from '@mantine/core'
import { IconCalendarTime } from '@tabler/icons-react'
import { Suspense, useMemo, useState } from 'react'
import { deviceSchedulePermission } from '#schema/device/commands/schedule'
import { getSchedule, getScheduleRuns } from '#schema/device/schedule'
import { ActionButton } from '../kit/action-button.tsx'
import { Card } from '../kit/card.tsx'
import { lazy } from '../kit/chunk.ts'
import { ReadBar } from '../kit/error-bar.tsx'
import { Facts } from '../kit/facts.tsx'
import { moment, momentIn } from '../kit/format.ts'
import { t, tOr } from '../kit/i18n.ts'
import { nameText } from '../kit/known-name.ts'
import type { Column, Row } from '../kit/list/list-types.ts'
import { ListView } from '../kit/list/list-view.tsx'
import { useCall } from '../kit/query.ts'
import { language } from '../kit/session.ts'
import { StatusChip, type Tone } from '../kit/status-chip.tsx'
import { When } from '../kit/time.tsx'
import parts from './device.module.css'
import type { Device } from './device-actions.tsx'
import type { Schedule } from './device-schedule-form.tsx'

const ScheduleForm = lazy(() =>
  import('./device-schedule-form.tsx').then((module) => ({ default: module.ScheduleForm })),
)

type Run = Row<typeof getScheduleRuns>
const REFRESH_S = 10

const tones: Record<Run['state'], Tone> = {
  sent: 'pending',
  waiting: 'pending',
  done: 'online',
  missed: 'warning',
  failed: 'critical',
}
const columnsIn = (zone: string): readonly Column<Run>[] => [
  {
    key: 'dueAt',
    title: 'detail:run.dueAt',
    width: 200,
    card: 'title',
    render: ({ dueAt }) => <WhenThere at={dueAt} zone={zone} />,
  },
  {
    key: 'state',
    title: 'device:column.state',
    width: 150,
    card: 'beside',
    text: ({ state }) => t(`detail:runState.${state}`),
    render: ({ state }) => <StatusChip tone={tones[state]} label={t(`detail:runState.${state}`)} />,
  },
  {
    key: 'by',
    title: 'detail:run.by',
    width: 150,
    text: ({ by }) => (by ? t(`detail:runBy.${by}`) : null),
    render: ({ by }) => (by ? t(`detail:runBy.${by}`) : null),
  },
  {
    key: 'endedAt',
    title: 'detail:run.endedAt',
    width: 190,
    render: ({ endedAt }) => <When at={endedAt} absolute />,
  },
  {
    key: 'reason',
    title: 'detail:run.reason',
    text: ({ reason }) => (reason ? tOr(`detail:runReason.${reason}`, reason) : null),
    render: ({ reason }) => (reason ? tOr(`detail:runReason.${reason}`, reason) : null),
  },
]

/** "Weekly on Mon, Fri at 03:00 (Asia/Shanghai)". */
function ruleText({ kind, date, time, weekdays, timeZone }: Schedule): string {
  const days = new Intl.ListFormat(language(), { type: 'conjunction' }).format(
    weekdays.map((day) => t(`detail:weekday.${day}` as 'detail:weekday.1')),
  )
  return t(`detail:schedule.${kind}Text`, { date: date ?? '', time, days, timeZone })
}

/** In the viewer's zone, and below it in the rule's zone if that differs. */
function WhenThere({ at, zone }: { at: string | null; zone: string }) {
  const there = at === null ? null : momentIn(at, zone)
  return (
    <>
      <When at={at} absolute zone={zone} />
      {at === null || there === null || there.startsWith(moment(at)) ? null : (
        <Text c="dimmed" fz="xs" className="tabular">
          {there}
        </Text>
      )}
    </>
  )
}

function ScheduleFacts({ schedule }: { schedule: Schedule }) {
  return (
    <Facts
      width={240}
      facts={[
        {
          label: t('device:column.state'),
          value: (
            <StatusChip
              tone={schedule.enabled ? 'online' : 'offline'}
              label={t(schedule.enabled ? 'detail:on' : 'detail:off')}
            />
          ),
        },
        { label: t('detail:schedule.rule'), value: ruleText(schedule) },
        {
          label: t('detail:schedule.next'),
          value: <WhenThere at={schedule.nextRunAt} zone={schedule.timeZone} />,
        },
        {
          label: t('detail:schedule.known'),
          value: (
            <StatusChip
              tone={schedule.known ? 'online' : 'pending'}
              label={t(schedule.known ? 'detail:schedule.knownYes' : 'detail:schedule.knownNo')}
              hint={t('detail:schedule.knownHint')}
            />
          ),
        },
        { label: t('detail:schedule.until'), value: <When at={schedule.knownUntil} absolute /> },
        {
          label: t('detail:schedule.changed'),
          value: (
            <>
              <When at={schedule.updatedAt} /> · {nameText(schedule.updatedBy)}
            </>
          ),
        },
      ]}
    />
  )
}

export function DeviceSchedule({ device }: { device: Device }) {
  const { deviceId } = device
  const [opened, setOpened] = useState<boolean | null>(null)
  const read = useCall(getSchedule, { deviceId }, { refreshS: REFRESH_S })
  const schedule = read.data?.schedule ?? null
  const zone = schedule?.timeZone ?? 'UTC'
  const columns = useMemo(() => columnsIn(zone), [zone])
  return (
    <>
      <Card
        title={t('detail:schedule.title')}
        side={
          <ActionButton
            size="xs"
            icon={IconCalendarTime}
            label={t(schedule ? 'detail:schedule.edit' : 'detail:schedule.create')}
            permission={deviceSchedulePermission}
            reason={
              device.deletedAt ? t('device:reason.deleted') : read.data ? null : t('detail:reason.loading')
            }
            onPress={() => setOpened(true)}
          />
        }
      >
        <ReadBar read={read} />
        {schedule ? (
          <ScheduleFacts schedule={schedule} />
        ) : (
          <Text c="dimmed">{read.data ? t('detail:schedule.none') : ' '}</Text>
        )}
      </Card>
      {schedule ? (
        <div className={parts['stack']}>
          <ListView
            title={t('detail:run.title')}
            call={getScheduleRuns}
            rowKey="id"
            body={{ deviceId }}
            columns={columns}
            refreshS={10}
            prefix="run"
            exportName="scheduled-reboots"
            empty={() => (
              <Text p="md" c="dimmed">
                {t('detail:run.none')}
              </Text>
            )}
          />
        </div>
      ) : null}
      <Suspense>
        {opened === null ? null : (
          <ScheduleForm
            key={schedule?.updatedAt ?? 'new'}
            deviceId={deviceId}
            zone={device.timeZone}
            schedule={schedule}
            edition={read.data?.edition}
            opened={opened}
            onClose={() => setOpened(false)}
          />
        )}
      </Suspense>
    </>
  )
}
