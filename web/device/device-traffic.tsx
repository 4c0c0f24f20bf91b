import { SimpleGrid, Text } from '@mantine/core'
import { useMemo } from 'react'
import { Card } from '../kit/card.tsx'
import { binaryStep, Chart, NoChart, seriesOption } from '../kit/chart/chart.tsx'
import { bytes } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import type { Device } from './device-actions.tsx'

/** Unknown days are left out of the sum; if all are unknown the sum is unknown, not zero. */
export function weekTotal(days: Device['traffic']['days']): number | null {
  const known = days.flatMap(({ rxBytes, txBytes }) =>
    rxBytes === null && txBytes === null ? [] : (rxBytes ?? 0) + (txBytes ?? 0),
  )
  return known.length === 0 ? null : known.reduce((sum, one) => sum + one, 0)
}

/** [§2] Today, month, last 7 days, total. */
export function DeviceTraffic({ traffic }: { traffic: Device['traffic'] }) {
  const { days } = traffic
  const week = weekTotal(days)
  const option = useMemo(
    () =>
      seriesOption({
        label: t('device:traffic.title'),
        at: days.map(({ day }) => day),
        days: true,
        stacked: true,
        min: 0,
        step: binaryStep(days.map(({ rxBytes, txBytes }) => (rxBytes ?? 0) + (txBytes ?? 0))),
        series: [
          { name: t('device:traffic.received'), values: days.map(({ rxBytes }) => rxBytes), kind: 'bar' },
          { name: t('device:traffic.sent'), values: days.map(({ txBytes }) => txBytes), kind: 'bar' },
        ],
        format: bytes,
      }),
    [days],
  )
  const sums = [
    ['today', traffic.todayBytes],
    ['week', week],
    ['month', traffic.monthBytes],
    ['total', traffic.totalBytes],
  ] as const
  return (
    <Card title={t('device:traffic.title')}>
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
      {week === null ? (
        <NoChart height={172} />
      ) : (
        <Chart option={option} label={t('device:traffic.title')} height={172} />
      )}
    </Card>
  )
}
