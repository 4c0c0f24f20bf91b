import { SimpleGrid } from '@mantine/core'
import { type FigureName, figureList } from '#schema/device/figure'
import { getStatusChart } from '#schema/device/status'
import { DeviceCharts } from '../history/device-charts.tsx'
import { Card, Tile } from '../kit/card.tsx'
import { SparkLine, sparkPath } from '../kit/chart/spark-line.tsx'
import { Facts } from '../kit/facts.tsx'
import { bytes, duration, number, quantity, UNKNOWN } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { Mono } from '../kit/mono.tsx'
import { useCall } from '../kit/query.ts'
import { StatusChip } from '../kit/status-chip.tsx'
import { When } from '../kit/time.tsx'
import classes from './device.module.css'
import type { Device } from './device-actions.tsx'
import { clockText, LocalTime } from './device-status.tsx'
import { simTones } from './sim-state.ts'

const REFRESH_S = 60

/** Notes next to some figures. */
const notes: Partial<Record<FigureName, (device: Device) => string>> = {
  signalDbm: (device) => device.networkMode ?? UNKNOWN,
  memoryUsedPercent: (device) => `${bytes(device.memoryUsedBytes)} / ${bytes(device.memoryTotalBytes)}`,
}

/** Ten minutes each: where a device reports more rarely than each minute, shorter ones would be gaps without a line. */
const LINES = { hours: 3, buckets: 18 } as const

function StatusTiles({ device }: { device: Device }) {
  const chart = useCall(getStatusChart, { deviceId: device.deviceId, ...LINES }, { refreshS: REFRESH_S })
  // Room for the lines, also while they are on their way; but not where there are none.
  const hasLines =
    !chart.data || figureList.some(({ name }) => sparkPath(chart.data?.[name] ?? [], 1, 1) !== '')
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, lg: 6 }} spacing="sm">
      {figureList.map(({ name, unit, digits }) => (
        <Tile
          key={name}
          label={t(`device:figure.${name}`)}
          value={device[name] === null ? UNKNOWN : quantity(number(device[name], digits), unit)}
          note={notes[name]?.(device)}
        >
          {hasLines ? <SparkLine values={chart.data?.[name] ?? []} /> : null}
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

const credentials = { active: 'online', revoked: 'critical', pending: 'pending' } as const

export function DeviceOverview({ device }: { device: Device }) {
  return (
    <div className={classes['stack']}>
      <StatusTiles device={device} />
      <DeviceCharts device={device} />
      <div className={classes['halves']}>
        <Card title={t('device:system')}>
          <Facts
            width={140}
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
              { label: t('device:column.iccid'), value: <Mono value={device.iccid} />, long: true },
              { label: t('device:network.operator'), value: device.operator },
              {
                label: t('device:column.simState'),
                value: device.simState ? (
                  <StatusChip tone={simTones[device.simState]} label={t(`device:sim.${device.simState}`)} />
                ) : null,
              },
              { label: t('device:column.deviceId'), value: <Mono value={String(device.deviceId)} /> },
              { label: t('device:fact.configHash'), value: <Mono value={device.configHash} />, long: true },
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
