import { SimpleGrid, Text } from '@mantine/core'
import { useMemo } from 'react'
import { getProbeChart } from '#schema/device/probe'
import { DeviceRangePicker, useDeviceRange } from '../history/device-range.tsx'
import { Card } from '../kit/card.tsx'
import { Chart, NoChart, seriesOption } from '../kit/chart/chart.tsx'
import { ReadBar } from '../kit/error-bar.tsx'
import { number, percent, UNKNOWN } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { useCall } from '../kit/query.ts'
import { When } from '../kit/time.tsx'
import classes from './device-detail.module.css'

const REFRESH_S = 30

/** [§2] Network monitoring: latency of each target; missing responses are gaps, and count as loss. */
export function DeviceProbes({ deviceId }: { deviceId: number }) {
  const range = useDeviceRange()
  const chart = useCall(
    getProbeChart,
    { deviceId, ...range.body },
    { refreshS: REFRESH_S, keepPrevious: true, enabled: range.body !== null },
  )
  const data = chart.data
  const option = useMemo(
    () =>
      data && data.targets.length > 0
        ? seriesOption({
            label: t('detail:probe.title'),
            at: data.at,
            min: 0,
            series: data.targets.map(({ target, avgMs }) => ({ name: target, values: avgMs })),
            format: (value) => `${number(value)} ms`,
          })
        : null,
    [data],
  )
  return (
    <Card title={t('detail:probe.title')} side={<DeviceRangePicker range={range} />}>
      <ReadBar read={chart} />
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 4 }} spacing="xs" mb="xs">
        {(data?.targets ?? []).map(({ target, lastMs, lastAt, lastLossPercent }) => (
          <div key={target}>
            <div className={classes['age']}>
              {target} · <When at={lastAt} />
            </div>
            <Text fw={600} fz="lg" className="tabular">
              {lastMs === null ? t('detail:probe.silent') : `${number(lastMs, 1)} ms`}
            </Text>
            <Text fz="xs" c={lastLossPercent > 0 ? 'var(--warning)' : 'dimmed'}>
              {t('detail:probe.loss', {
                percent: lastLossPercent === null ? UNKNOWN : percent(lastLossPercent),
              })}
            </Text>
          </div>
        ))}
      </SimpleGrid>
      {option ? (
        <Chart option={option} label={t('detail:probe.title')} height={200} />
      ) : data || chart.error ? (
        <NoChart height={200} />
      ) : (
        <div style={{ height: 200 }} />
      )}
    </Card>
  )
}
