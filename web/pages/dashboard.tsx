/** The home page: problems first, then work in progress, recent changes, and the figures of the fleet. */
import { Text } from '@mantine/core'
import { type RefCallback, Suspense, useCallback, useLayoutEffect, useRef } from 'react'
import { alarmListPermission } from '#schema/alarm/alarm'
import { deviceListPermission } from '#schema/device/device-pages'
import { getFleetSummary } from '#schema/device/fleet'
import type { Word } from '#schema/kit/words.gen'
import { operationLogPermission } from '#schema/platform/operation'
import { taskListPermission } from '#schema/task/task-pages'
import { AlarmSummary, askAlarmSummary } from '../alarm/alarm-summary.tsx'
import classes from '../device/device.module.css'
import { DeviceDialogs } from '../device/device-dialogs.tsx'
import { DeviceNeeds } from '../device/device-needs.tsx'
import { FirstSteps } from '../device/first-steps.tsx'
import { Firmwares, FleetTiles, OnlineShare, SHARE_HEIGHT } from '../device/fleet-figures.tsx'
import { Card } from '../kit/card.tsx'
import { lazy } from '../kit/chunk.ts'
import { ReadBar } from '../kit/error-bar.tsx'
import { clock, number } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { usePage } from '../kit/page/page.tsx'
import { PageHeader } from '../kit/page/page-header.tsx'
import { WhenSeen } from '../kit/page/when-seen.tsx'
import { useCall } from '../kit/query.ts'
import { inServerTime } from '../kit/server/server-clock.ts'
import { can } from '../kit/session.ts'
import { HomeChanges } from '../platform/home-changes.tsx'
import { TaskSummary } from '../task/task-summary.tsx'

export const words: readonly Word[] = [
  'dashboard',
  'device',
  'device-map',
  'unusual',
  'alarm',
  'severity',
  'device-state',
  'task',
  'upgrade',
  'operation',
  'command',
  'command-many',
  'rollout',
]

/** The map's part of the address (web/map/device-map.tsx): a link that has one is about the map. */
const ofMap = ['map', 'device', 'region', 'layer']
/** Not when the page is only shown again with the address that it had: the map writes there where it was moved to. */
function useLinkedMap(): RefCallback<HTMLElement> {
  const { search } = usePage()
  const now = useRef(search)
  useLayoutEffect(() => {
    now.current = search
  }, [search])
  const left = useRef<string | null>(null)
  return useCallback((place) => {
    if (location.search !== left.current) {
      const query = new URLSearchParams(location.search)
      if (ofMap.some((name) => query.has(name))) place?.scrollIntoView({ block: 'center' })
    }
    return () => {
      left.current = now.current
    }
  }, [])
}

// Includes Leaflet, in a separate chunk.
const DeviceMap = lazy(() => import('../map/device-map.tsx').then((m) => ({ default: m.DeviceMap })))

/** [§9] Map and home page refresh. */
const REFRESH_S = 60
const MAP_HEIGHT = 480

/** Cards share the width, so that what a role may not see leaves no hole. */
function Urgent() {
  const alarms = can(alarmListPermission)
  const devices = can(deviceListPermission)
  const tasks = can(taskListPermission)
  return (
    <>
      {alarms || devices || tasks ? (
        <div className={classes['cards']}>
          {alarms ? <AlarmSummary /> : null}
          {devices ? <DeviceNeeds /> : null}
          {tasks ? <TaskSummary /> : null}
        </div>
      ) : null}
      {alarms || devices || tasks || can(operationLogPermission) ? <HomeChanges /> : null}
    </>
  )
}

/** What is urgent. Not the fleet: its charts would be in view before the cards above them have their height. */
Page.ahead = () => {
  if (can(alarmListPermission)) askAlarmSummary()
}

export function Page() {
  const fleet = useCall(getFleetSummary, {}, { refreshS: REFRESH_S })
  const data = fleet.data
  const total = data ? data.online + data.offline + data.neverSeen : 0
  const isNew = data !== undefined && total === 0
  const linked = useLinkedMap()
  return (
    <>
      <PageHeader
        title={t('dashboard:title')}
        line={
          fleet.dataUpdatedAt > 0
            ? t('dashboard:asOf', {
                at: clock(inServerTime(fleet.dataUpdatedAt)),
                count: total,
                shown: number(total),
              })
            : ' '
        }
      />
      <ReadBar read={fleet} />
      <div className={classes['stack']}>
        {isNew ? <FirstSteps onDone={() => void fleet.refetch()} /> : <Urgent />}
        {data && total > 0 ? (
          <>
            <FleetTiles fleet={data} />
            <div className={classes['twoThirds']}>
              <Card
                title={t('dashboard:onlineShare')}
                side={
                  <Text c="dimmed" fz="xs" fw={400}>
                    {t('dashboard:last24h')}
                  </Text>
                }
              >
                <WhenSeen height={SHARE_HEIGHT}>
                  <OnlineShare share={data.onlineShare} />
                </WhenSeen>
              </Card>
              <Card title={t('dashboard:firmwares')}>
                <Firmwares firmwares={data.firmwares} total={total} />
              </Card>
            </div>
            {can(deviceListPermission) ? (
              <div ref={linked}>
                <WhenSeen height={MAP_HEIGHT}>
                  <Suspense fallback={<div className={classes['waiting']} />}>
                    <DeviceMap />
                  </Suspense>
                </WhenSeen>
              </div>
            ) : null}
          </>
        ) : null}
      </div>
      <DeviceDialogs />
    </>
  )
}
