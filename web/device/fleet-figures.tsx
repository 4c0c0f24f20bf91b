import { Progress, Text } from '@mantine/core'
import { useMemo } from 'react'
import { Link } from 'react-router'
import { deviceListPermission, deviceListScreen } from '#schema/device/device-pages'
import type { DeviceState } from '#schema/device/device-state'
import type { getFleetSummary } from '#schema/device/fleet'
import type { ReplyOf } from '#schema/kit/call'
import { Tile } from '../kit/card.tsx'
import { Chart, NoChart, seriesOption } from '../kit/chart/chart.tsx'
import { versionColours } from '../kit/chart/version-colours.ts'
import { number, percent } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { can } from '../kit/session.ts'
import classes from './device.module.css'
import { StateChip } from './device-state.tsx'

type Summary = ReplyOf<typeof getFleetSummary>
const FIRMWARES_SHOWN = 7
export const SHARE_HEIGHT = 260
const NOTE_PX = 20

/** One for each state that occurs. Never-seen devices count in no share: a stored one is not offline [decisions/043]. */
export function FleetTiles({ fleet }: { fleet: Summary }) {
  const seen = fleet.online + fleet.offline
  const notes: Partial<Record<DeviceState, string>> = {
    ...(seen > 0 ? { online: percent((fleet.online / seen) * 100, 1) } : {}),
    neverSeen: t('dashboard:neverSeenNote'),
  }
  const counts = new Map<DeviceState, number>([
    ['online', 0],
    ['offline', 0],
    ...fleet.states.map(({ state, count }) => [state, count] as const),
  ])
  return (
    <div className={classes['tiles']}>
      {[...counts].map(([state, count]) => {
        const tile = { label: <StateChip state={state} />, value: number(count), note: notes[state] }
        return can(deviceListPermission) ? (
          <Link key={state} to={`${deviceListScreen.path}?state=${state}`} className={classes['tileLink']}>
            <Tile {...tile} />
          </Link>
        ) : (
          <Tile key={state} {...tile} />
        )
      })}
    </div>
  )
}

export function OnlineShare({ share }: { share: Summary['onlineShare'] }) {
  const option = useMemo(
    () =>
      seriesOption({
        label: t('dashboard:onlineShare'),
        at: share.at,
        instants: true,
        series: [{ name: t('dashboard:onlineShare'), values: share.percent, kind: 'area', tone: 'online' }],
        format: (value) => percent(value, 1),
        min: 0,
        max: 100,
        step: 25,
      }),
    [share],
  )
  const known = share.percent.filter((value) => value !== null)
  const [first] = known
  if (first === undefined) return <NoChart height={SHARE_HEIGHT} />
  // One sample makes no line: without a word the frame would look empty.
  const note = known.length === 1 ? t('dashboard:oneSample', { percent: percent(first, 1) }) : null
  return (
    <>
      <Chart
        option={option}
        label={t('dashboard:onlineShare')}
        height={note ? SHARE_HEIGHT - NOTE_PX : SHARE_HEIGHT}
      />
      {note ? (
        <Text size="xs" c="dimmed" lh={`${NOTE_PX}px`}>
          {note}
        </Text>
      ) : null}
    </>
  )
}

export function Firmwares({ firmwares, total }: { firmwares: Summary['firmwares']; total: number }) {
  if (firmwares.length === 0) return <Text c="dimmed">{t('dashboard:noFirmware')}</Text>
  const shown = firmwares.slice(0, FIRMWARES_SHOWN)
  const colours = versionColours(
    firmwares.map(({ value }) => value),
    shown.map(({ value }) => value),
  )
  return shown.map(({ value, count }) => {
    const content = (
      <>
        <span className={classes['firmwareName']}>{value}</span>
        <span className="tabular">{number(count)}</span>
        <Progress
          value={(count / Math.max(1, total)) * 100}
          color={`var(${colours.get(value)})`}
          aria-label={value}
          size={6}
        />
      </>
    )
    return can(deviceListPermission) ? (
      <Link
        key={value}
        to={`${deviceListScreen.path}?firmware=${encodeURIComponent(value)}`}
        className={classes['firmware']}
        title={t('dashboard:showDevices')}
      >
        {content}
      </Link>
    ) : (
      <div key={value} className={classes['firmware']}>
        {content}
      </div>
    )
  })
}
