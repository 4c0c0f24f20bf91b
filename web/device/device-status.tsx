import { AlarmMark, alarmsOf } from '../alarm/alarm-mark.tsx'
import { duration, momentIn, UNKNOWN } from '../kit/format.ts'
import { t, tOr } from '../kit/i18n.ts'
import kit from '../kit/kit.module.css'
import { StatusChip } from '../kit/status-chip.tsx'
import { useNow, When } from '../kit/time.tsx'
import classes from './device.module.css'
import type { DeviceRow } from './device-options.ts'
import { DeviceState, stateSince } from './device-state.tsx'

/** "Keepalive ran out": why an offline device went offline. */
const reasonText = ({ state, offlineReason }: Pick<DeviceRow, 'state' | 'offlineReason'>) =>
  state === 'offline' && offlineReason
    ? tOr(`device:offlineReason.${offlineReason}`, offlineReason)
    : undefined

type AlarmedRow = Pick<DeviceRow, 'deviceId' | 'alarmSeverity' | 'alarmCount'>
type Shown = Pick<DeviceRow, 'state' | 'stateAt' | 'statePercent' | 'offlineReason'>
/** Its state, and what is wrong with it: one column, so that neither is cut. */
export const stateAndAlarm = (device: Shown & AlarmedRow) => (
  <div className={kit['side']}>
    {deviceChip(device)}
    <AlarmMark severity={device.alarmSeverity} count={device.alarmCount} to={alarmsOf(device)} />
  </div>
)
export const deviceChip = (device: Shown) => <DeviceState device={device} more={reasonText(device)} />

/** Smaller differences are transmission delay. */
const CLOCK_RIGHT_MS = 3_000

/** '' if the clock is right, or its time was never reported. */
export function clockText({ clockSkewMs: skew }: { clockSkewMs: number | null }): string {
  if (skew === null || Math.abs(skew) < CLOCK_RIGHT_MS) return ''
  return t(skew < 0 ? 'device:fact.clockBehind' : 'device:fact.clockAhead', {
    by: duration(Math.abs(skew) / 1000),
  })
}

/** The current local time at the device. */
export function LocalTime({ zone }: { zone: string | null }) {
  const now = useNow()
  return zone === null ? UNKNOWN : (momentIn(new Date(now), zone) ?? UNKNOWN)
}

/** A wrong clock makes all times reported by the device doubtful. */
export function ClockChip({ device }: { device: { clockSkewMs: number | null } }) {
  const text = clockText(device)
  return text === '' ? null : (
    <StatusChip tone="warning" label={t('kit:labelled', { label: t('device:fact.clockSkew'), text })} />
  )
}

/** An offline device shows its last known values and their age instead of blanks. */
export function OfflineBanner({ device }: { device: Shown & { statusAt: string | null } }) {
  const now = useNow()
  return (
    <div className={classes['banner']} data-tone="offline" role="status">
      <strong>{[stateSince(device, now), reasonText(device)].filter(Boolean).join(' · ')}</strong>
      {device.statusAt ? (
        <span>
          {t('device:lastKnown')} <When at={device.statusAt} />
        </span>
      ) : null}
    </div>
  )
}
