import { SimpleGrid, Text } from '@mantine/core'
import { useMemo } from 'react'
import { figures } from '#schema/device/figures.gen'
import { getStatusChart } from '#schema/device/status'
import type { ReplyOf } from '#schema/kit/call'
import classes from '../device/device.module.css'
import type { Device } from '../device/device-actions.tsx'
import { Card } from '../kit/card.tsx'
import { binaryStep, Chart, NoChart, seriesOption } from '../kit/chart/chart.tsx'
import { ChartGroupProvider } from '../kit/chart/chart-group.tsx'
import { Empty } from '../kit/empty.tsx'
import { ReadBar } from '../kit/error-bar.tsx'
import { bytes, number, quantity } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { useCall } from '../kit/query.ts'
import { DeviceRangePicker, useDeviceRange } from './device-range.tsx'

/** The axis is rounded to tens of dBm, so that a line that stays within 1 dB looks flat. */
const TEN = 10
const REFRESH_S = 60
const SIGNAL_HEIGHT = 234
const TRAFFIC_HEIGHT = 180

function SignalChart({ data: { at, signalDbm } }: { data: ReplyOf<typeof getStatusChart> }) {
  const option = useMemo(() => {
    const { unit, digits, bands } = figures.signalDbm
    return seriesOption({
      label: t('device:signalChart'),
      at,
      series: [{ name: t('device:figure.signalDbm'), values: signalDbm }],
      format: (value) => quantity(number(value, digits), unit),
      bands,
      min: ({ min }) => (Math.floor(min / TEN) - 1) * TEN,
      max: ({ max }) => Math.min(0, (Math.floor(max / TEN) + 1) * TEN),
      step: TEN,
    })
  }, [at, signalDbm])
  return signalDbm.some((value) => value !== null) ? (
    <Chart option={option} label={t('device:signalChart')} height={SIGNAL_HEIGHT} />
  ) : (
    <NoChart height={SIGNAL_HEIGHT} />
  )
}

/** Unknown days are left out of the sum; if all are unknown the sum is unknown, not zero. */
function weekTotal(days: Device['traffic']['days']): number | null {
  const known = days.flatMap(({ rxBytes, txBytes }) =>
    rxBytes === null && txBytes === null ? [] : (rxBytes ?? 0) + (txBytes ?? 0),
  )
  return known.length === 0 ? null : known.reduce((sum, one) => sum + one, 0)
}

/** [§2] Today, month, last 7 days, total. */
function TrafficSums({ traffic }: { traffic: Device['traffic'] }) {
  const sums = [
    ['today', traffic.todayBytes],
    ['week', weekTotal(traffic.days)],
    ['month', traffic.monthBytes],
    ['total', traffic.totalBytes],
  ] as const
  return (
    <SimpleGrid cols={{ base: 2, sm: 4 }} spacing="xs">
      {sums.map(([name, value]) => (
        <div key={name}>
          <Text fz="xs" c="dimmed">
            {t(`device:traffic.${name}`)}
          </Text>
          <Text fw={600} fz="lg" className="tabular">
            {bytes(value)}
          </Text>
        </div>
      ))}
    </SimpleGrid>
  )
}

function TrafficChart({ data: { at, rxBytes, txBytes } }: { data: ReplyOf<typeof getStatusChart> }) {
  const option = useMemo(
    () =>
      seriesOption({
        label: t('device:traffic.title'),
        at,
        stacked: true,
        min: 0,
        step: binaryStep(rxBytes.map((rx, i) => (rx ?? 0) + (txBytes[i] ?? 0))),
        series: [
          { name: t('device:traffic.received'), values: rxBytes, kind: 'bar' },
          { name: t('device:traffic.sent'), values: txBytes, kind: 'bar' },
        ],
        format: bytes,
      }),
    [at, rxBytes, txBytes],
  )
  return rxBytes.some((value) => value !== null) ? (
    <Chart option={option} label={t('device:traffic.title')} height={TRAFFIC_HEIGHT} />
  ) : (
    <NoChart height={TRAFFIC_HEIGHT} />
  )
}

/** Signal and traffic over one range. */
export function DeviceCharts({ device }: { device: Device }) {
  const range = useDeviceRange()
  const chart = useCall(
    getStatusChart,
    { deviceId: device.deviceId, ...range.body },
    { refreshS: REFRESH_S, keepPrevious: true, enabled: range.body !== null },
  )
  const { data } = chart
  const wait = (height: number) => <div style={{ height }} />
  return (
    <ChartGroupProvider>
      <DeviceRangePicker range={range} />
      <ReadBar read={chart} />
      {range.body === null ? <Empty kind="noMatch" title={t('report:chooseDays')} /> : null}
      <div className={classes['halves']}>
        <Card title={t('device:signalChart')}>
          {data ? <SignalChart data={data} /> : wait(SIGNAL_HEIGHT)}
        </Card>
        <Card title={t('device:traffic.title')}>
          <TrafficSums traffic={device.traffic} />
          {data ? <TrafficChart data={data} /> : wait(TRAFFIC_HEIGHT)}
        </Card>
      </div>
    </ChartGroupProvider>
  )
}
