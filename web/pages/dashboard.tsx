import { Progress, SimpleGrid, Skeleton, Text } from '@mantine/core'
import { Suspense, useMemo } from 'react'
import { Link } from 'react-router'
import { deviceListPermission } from '#schema/device/device-pages'
import { getFleetSummary } from '#schema/device/fleet'
import type { ReplyOf } from '#schema/kit/call'
import type { Word } from '#schema/kit/words.gen'
import classes from '../device/device.module.css'
import { DeviceDialogs } from '../device/device-dialogs.tsx'
import { FirstSteps } from '../device/first-steps.tsx'
import { WarningList } from '../device/warning-list.tsx'
import { Card, Tile } from '../kit/card.tsx'
import { Chart, NoChart, seriesOption } from '../kit/chart/chart.tsx'
import { lazy } from '../kit/chunk.ts'
import { ErrorBar } from '../kit/error-bar.tsx'
import { clock, number, percent } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { PageHeader } from '../kit/page-header.tsx'
import { useCall } from '../kit/query.ts'
import { can } from '../kit/session.ts'
import { useSlow } from '../kit/slow.ts'
import { StatusChip } from '../kit/status-chip.tsx'

export const words: readonly Word[] = ['dashboard', 'device', 'device-map', 'unusual']

// Includes Leaflet, in a separate chunk.
const DeviceMap = lazy(() => import('../map/device-map.tsx').then((m) => ({ default: m.DeviceMap })))

/** [§9] Map and home page refresh. */
const REFRESH_S = 60
const DEVICE_LIST = '/device/devicelist'
type Summary = ReplyOf<typeof getFleetSummary>

function Tiles({ fleet }: { fleet: Summary }) {
  const total = fleet.online + fleet.offline + fleet.neverSeen
  const part = (count: number) => (total === 0 ? null : percent((count / total) * 100, 1))
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm">
      <Link to={`${DEVICE_LIST}?online=online`} className={classes['tileLink']}>
        <Tile label={<StatusChip tone="online" />} value={number(fleet.online)} note={part(fleet.online)} />
      </Link>
      <Link to={`${DEVICE_LIST}?online=offline`} className={classes['tileLink']}>
        <Tile
          label={<StatusChip tone="offline" />}
          value={number(fleet.offline)}
          note={
            fleet.neverSeen > 0 ? t('dashboard:neverSeen', { count: fleet.neverSeen }) : part(fleet.offline)
          }
        />
      </Link>
      <Link to="/task/upgrade?status=ongoing" className={classes['tileLink']}>
        <Tile
          label={
            <StatusChip
              tone={fleet.tasks.paused > 0 ? 'critical' : 'pending'}
              label={t('dashboard:tasksOngoing')}
            />
          }
          value={number(fleet.tasks.ongoing)}
          note={
            fleet.tasks.paused > 0
              ? t('dashboard:tasksPaused', { count: fleet.tasks.paused })
              : t('dashboard:tasksNote')
          }
        />
      </Link>
      <Link to="/task/upgrade" className={classes['tileLink']}>
        <Tile
          label={
            <StatusChip
              tone={fleet.tasks.failedItems24h > 0 ? 'critical' : 'offline'}
              label={t('dashboard:failed24h')}
            />
          }
          value={number(fleet.tasks.failedItems24h)}
          note={t('dashboard:failedNote')}
        />
      </Link>
    </SimpleGrid>
  )
}

function OnlineShare({ share }: { share: Summary['onlineShare'] }) {
  const option = useMemo(
    () =>
      seriesOption({
        label: t('dashboard:onlineShare'),
        at: share.at,
        series: [{ name: t('dashboard:onlineShare'), values: share.percent, kind: 'area' }],
        format: (value) => percent(value, 1),
        min: 0,
        max: 100,
        step: 25,
      }),
    [share],
  )
  return share.percent.some((value) => value !== null) ? (
    <Chart option={option} label={t('dashboard:onlineShare')} height={300} />
  ) : (
    <NoChart height={300} />
  )
}

function Firmwares({ firmwares, total }: { firmwares: Summary['firmwares']; total: number }) {
  if (firmwares.length === 0) return <Text c="dimmed">{t('dashboard:noFirmware')}</Text>
  return firmwares.slice(0, 7).map(({ value, count }) => (
    <Link
      key={value}
      to={`${DEVICE_LIST}?firmware=${encodeURIComponent(value)}`}
      className={classes['firmware']}
      title={t('dashboard:showDevices')}
    >
      <span className={classes['firmwareName']}>{value}</span>
      <span className="tabular">{number(count)}</span>
      <Progress value={(count / Math.max(1, total)) * 100} aria-label={value} size={6} />
    </Link>
  ))
}

export function Page() {
  const fleet = useCall(getFleetSummary, {}, { refreshS: REFRESH_S })
  const slow = useSlow(fleet.isPending)
  const data = fleet.data
  const total = data ? data.online + data.offline + data.neverSeen : 0
  return (
    <>
      <PageHeader
        title={t('dashboard:title')}
        line={
          fleet.dataUpdatedAt > 0
            ? t('dashboard:asOf', { at: clock(new Date(fleet.dataUpdatedAt)), count: total })
            : ' '
        }
      />
      {fleet.error ? <ErrorBar error={fleet.error} onRetry={() => void fleet.refetch()} /> : null}
      {!data ? <div className={classes['waiting']}>{slow ? <Skeleton h={420} /> : null}</div> : null}
      {data && total === 0 ? <FirstSteps onDone={() => void fleet.refetch()} /> : null}
      {data && total > 0 ? (
        <div className={classes['stack']}>
          <Tiles fleet={data} />
          {can(deviceListPermission) ? (
            <Suspense fallback={<div className={classes['waiting']} />}>
              <DeviceMap />
            </Suspense>
          ) : null}
          <div className={classes['twoThirds']}>
            <Card
              title={t('dashboard:onlineShare')}
              side={
                <Text c="dimmed" fz="xs" fw={400}>
                  {t('dashboard:last24h')}
                </Text>
              }
            >
              <OnlineShare share={data.onlineShare} />
            </Card>
            <Card title={t('dashboard:firmwares')}>
              <Firmwares firmwares={data.firmwares} total={total} />
            </Card>
          </div>
          <Card title={t('dashboard:warnings')}>
            <WarningList warnings={data.warnings} />
          </Card>
        </div>
      ) : null}
      <DeviceDialogs />
    </>
  )
}
