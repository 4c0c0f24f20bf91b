import { duration, momentIn, shortMoment, UNKNOWN } from '../kit/format.ts'
import { t, tOr } from '../kit/i18n.ts'
import { StatusChip } from '../kit/status-chip.tsx'
import { useNow, When } from '../kit/time.tsx'
import classes from './device.module.css'
import type { DeviceRow } from './device-options.ts'

type Presence = Pick<DeviceRow, 'online' | 'onlineChangedAt' | 'offlineReason'>
const MINUTE_MS = 60_000

/** "Offline since 14:02 (3 h): keepalive ran out". */
export function sinceText(device: Presence, now: number): string {
  if (!device.onlineChangedAt) return t('device:neverSeen')
  const since = t(device.online ? 'device:onlineSince' : 'device:offlineSince', {
    at: shortMoment(device.onlineChangedAt, now),
    for: duration((now - new Date(device.onlineChangedAt).getTime()) / 1000),
  })
  const reason =
    !device.online && device.offlineReason
      ? tOr(`device:offlineReason.${device.offlineReason}`, device.offlineReason)
      : null
  return reason ? `${since} · ${reason}` : since
}

export function DeviceChip({ device }: { device: Presence }) {
  const now = useNow(MINUTE_MS)
  if (!device.onlineChangedAt)
    return <StatusChip tone="pending" label={t('device:neverSeenShort')} hint={t('device:neverSeen')} />
  return <StatusChip tone={device.online ? 'online' : 'offline'} hint={sinceText(device, now)} />
}
export const deviceChip = (device: Presence) => <DeviceChip device={device} />

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
  return text === '' ? null : <StatusChip tone="warning" label={`${t('device:fact.clockSkew')}: ${text}`} />
}

/** An offline device shows its last known values and their age instead of blanks. */
export function OfflineBanner({ device }: { device: Presence & { statusAt: string | null } }) {
  const now = useNow()
  return (
    <div className={classes['banner']} data-tone="offline" role="status">
      <strong>{sinceText(device, now)}</strong>
      {device.statusAt ? (
        <span>
          {t('device:lastKnown')} <When at={device.statusAt} />
        </span>
      ) : null}
    </div>
  )
}
