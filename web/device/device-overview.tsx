import { SegmentedControl, SimpleGrid } from '@mantine/core'
import { parseAsStringLiteral, useQueryState } from 'nuqs'
import { useMemo } from 'react'
import { type FigureName, figureList } from '#schema/device/figure'
import { getStatusChart } from '#schema/device/status'
import { Card, Tile } from '../kit/card.tsx'
import { Chart, NoChart, type Series, seriesOption } from '../kit/chart/chart.tsx'
import { SparkLine } from '../kit/chart/spark-line.tsx'
import { ReadBar } from '../kit/error-bar.tsx'
import { Facts } from '../kit/facts.tsx'
import { bytes, duration, number, UNKNOWN } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { Mono } from '../kit/mono.tsx'
import { useCall } from '../kit/query.ts'
import { StatusChip } from '../kit/status-chip.tsx'
import { When } from '../kit/time.tsx'
import classes from './device.module.css'
import type { Device } from './device-actions.tsx'
import { clockText, LocalTime } from './device-status.tsx'
import { DeviceTraffic } from './device-traffic.tsx'
import { simTones } from './sim-state.ts'

const ranges = { '1': '1h', '24': '24h', '168': '7d', '720': '30d' } as const
const rangeHours = ['1', '24', '168', '720'] as const
/** The axis is rounded to tens of dBm, so that a line that stays within 1 dB looks flat. */
const TEN = 10
const REFRESH_S = 60

/** Notes beside some figures. */
const notes: Partial<Record<FigureName, (device: Device) => string>> = {
  signalDbm: (device) => device.networkMode ?? UNKNOWN,
  memoryUsedPercent: (device) => `${bytes(device.memoryUsedBytes)} / ${bytes(device.memoryTotalBytes)}`,
}

function StatusTiles({ device }: { device: Device }) {
  const chart = useCall(
    getStatusChart,
    { deviceId: device.deviceId, hours: 1, buckets: 60 },
    { refreshS: REFRESH_S },
  )
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, lg: 6 }} spacing="sm">
      {figureList.map(({ name, unit, digits }) => (
        <Tile
          key={name}
          label={t(`device:figure.${name}`)}
          value={device[name] === null ? UNKNOWN : `${number(device[name], digits)} ${unit}`.trim()}
          note={notes[name]?.(device)}
        >
          <SparkLine values={chart.data?.[name] ?? []} />
        </Tile>
      ))}
      <Tile
        label={t('device:tile.uptime')}
        value={duration(device.uptimeS, 'narrow')}
        note={device.clients === null ? UNKNOWN : t('device:tile.clients', { count: device.clients })}
      />
    </SimpleGrid>
  )
}

function SignalChart({ deviceId }: { deviceId: number }) {
  const [hours, setHours] = useQueryState('hours', parseAsStringLiteral(rangeHours).withDefault('24'))
  const chart = useCall(
    getStatusChart,
    { deviceId, hours: Number(hours), buckets: 288 },
    { refreshS: REFRESH_S, keepPrevious: true },
  )
  const data = chart.data
  const option = useMemo(() => {
    if (!data) return null
    const series: Series[] = [{ name: t('device:figure.signalDbm'), values: data.signalDbm }]
    return seriesOption({
      label: t('device:signalChart'),
      at: data.at,
      series,
      format: (value) => `${number(value)} dBm`,
      min: ({ min }) => (Math.floor(min / TEN) - 1) * TEN,
      max: ({ max }) => Math.min(0, (Math.floor(max / TEN) + 1) * TEN),
      step: TEN,
    })
  }, [data])
  return (
    <Card
      title={t('device:signalChart')}
      side={
        <SegmentedControl
          size="xs"
          aria-label={t('device:range.label')}
          value={hours}
          onChange={(next) => void setHours(rangeHours.find((known) => known === next) ?? '24')}
          data={rangeHours.map((value) => ({ value, label: t(`device:range.${ranges[value]}`) }))}
        />
      }
    >
      <ReadBar read={chart} />
      {option && data?.signalDbm.some((value) => value !== null) ? (
        <Chart option={option} label={t('device:signalChart')} />
      ) : data || chart.error ? (
        <NoChart />
      ) : (
        <div style={{ height: 220 }} />
      )}
    </Card>
  )
}

/** Smaller differences are caused by network delay, not by the clock. */
const credentials = { active: 'online', revoked: 'critical', pending: 'pending' } as const

export function DeviceOverview({ device }: { device: Device }) {
  return (
    <div className={classes['stack']}>
      <StatusTiles device={device} />
      <div className={classes['halves']}>
        <SignalChart deviceId={device.deviceId} />
        <DeviceTraffic traffic={device.traffic} />
      </div>
      <div className={classes['halves']}>
        <Card title={t('device:system')}>
          <Facts
            facts={[
              { label: t('device:column.model'), value: device.model },
              { label: t('device:column.firmware'), value: device.firmware },
              {
                label: t('device:fact.hardware'),
                value: [device.hardwareType, device.hardwareVersion].filter(Boolean).join(' '),
              },
              { label: t('device:fact.manufacturer'), value: device.manufacturer },
              { label: t('device:fact.kernel'), value: device.kernel },
              { label: t('device:column.mac'), value: <Mono value={device.mac} /> },
              { label: t('device:column.imei'), value: <Mono value={device.imei} /> },
              { label: t('device:column.imsi'), value: <Mono value={device.imsi} /> },
              { label: t('device:column.iccid'), value: <Mono value={device.iccid} /> },
              { label: t('device:network.operator'), value: device.operator },
              {
                label: t('device:column.simState'),
                value: device.simState ? (
                  <StatusChip tone={simTones[device.simState]} label={t(`device:sim.${device.simState}`)} />
                ) : null,
              },
              { label: t('device:column.deviceId'), value: <Mono value={String(device.deviceId)} /> },
              { label: t('device:fact.configHash'), value: <Mono value={device.configHash} /> },
              { label: t('device:column.groupName'), value: device.groupName },
              { label: t('device:column.customerName'), value: device.customerName },
              { label: t('device:column.address'), value: device.address },
              {
                label: t('device:fact.packages'),
                value: Object.entries(device.packages ?? {})
                  .map(([name, version]) => `${name} ${version}`)
                  .join(', '),
              },
            ]}
          />
        </Card>
        <Card title={t('device:presence')}>
          <Facts
            facts={[
              { label: t('device:fact.lastLogin'), value: <When at={device.lastLoginAt} absolute /> },
              { label: t('device:fact.lastLogout'), value: <When at={device.lastLogoutAt} absolute /> },
              { label: t('device:fact.onlineCount'), value: number(device.onlineCount) },
              { label: t('device:fact.offlineCount'), value: number(device.offlineCount) },
              {
                label: t('device:fact.credential'),
                value: (
                  <StatusChip
                    tone={credentials[device.credential]}
                    label={t(`device:credential.${device.credential}`)}
                  />
                ),
              },
              {
                label: t('device:fact.clockSkew'),
                value: device.clockSkewMs === null ? null : clockText(device) || t('device:fact.clockRight'),
              },
              { label: t('device:fact.timeZone'), value: device.timeZone },
              { label: t('device:fact.localTime'), value: <LocalTime zone={device.timeZone} /> },
              { label: t('device:fact.createdAt'), value: <When at={device.createdAt} absolute /> },
              { label: t('device:fact.helloAt'), value: <When at={device.helloAt} absolute /> },
            ]}
          />
        </Card>
      </div>
    </div>
  )
}
