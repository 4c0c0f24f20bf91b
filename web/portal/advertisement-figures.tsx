/** How often an advertisement was shown, and on which devices it is. */
import { SimpleGrid, Stack } from '@mantine/core'
import { useMemo } from 'react'
import type { ReplyOf } from '#schema/kit/call'
import { getAdvertisementDays } from '#schema/portal/advertisement'
import { deliveryStates, getAdvertisementDevices } from '#schema/portal/portal-device'
import { detailLink } from '../device/device-options.ts'
import { StateChip } from '../device/device-state.tsx'
import { Card, Tile } from '../kit/card.tsx'
import { Chart, NoChart, seriesOption } from '../kit/chart/chart.tsx'
import { Drawer } from '../kit/dialog.tsx'
import { ReadBar } from '../kit/error-bar.tsx'
import { number, percent } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import type { Column, Filter, Row } from '../kit/list/list-types.ts'
import { ListView } from '../kit/list/list-view.tsx'
import { Mono } from '../kit/mono.tsx'
import { useCall } from '../kit/query.ts'
import { When } from '../kit/time.tsx'
import { DeliveryChip } from './advertisement-chips.tsx'
import type { Advertisement } from './advertisement-editor.tsx'

const REFRESH_S = 20
const DAYS = 30
const CHART_HEIGHT = 220

function DaysChart({ data: { days, shown, clicked } }: { data: ReplyOf<typeof getAdvertisementDays> }) {
  const option = useMemo(
    () =>
      seriesOption({
        label: t('advertisement:figures.byDay'),
        at: days,
        days: true,
        min: 0,
        series: [
          { name: t('advertisement:figures.shown'), values: shown, kind: 'bar' },
          { name: t('advertisement:figures.clicked'), values: clicked, kind: 'bar' },
        ],
        format: number,
      }),
    [days, shown, clicked],
  )
  return shown.some((value) => value !== null) ? (
    <Chart option={option} label={t('advertisement:figures.byDay')} height={CHART_HEIGHT} />
  ) : (
    <NoChart height={CHART_HEIGHT} />
  )
}

type Holder = Row<typeof getAdvertisementDevices>
const todayText = (row: Holder) => t(row.today ? 'advertisement:device.on' : 'advertisement:device.notOn')

const columns: readonly Column<Holder>[] = [
  {
    key: 'deviceSn',
    title: 'advertisement:device.sn',
    width: 150,
    card: 'title',
    render: (row) => <Mono value={row.deviceSn} />,
  },
  { key: 'deviceName', title: 'advertisement:device.name', width: 170 },
  {
    key: 'state',
    title: 'advertisement:device.state',
    width: 178,
    card: 'beside',
    render: (row) => <DeliveryChip state={row.state} hint={row.error} />,
    text: (row) => t(`advertisement:delivery.${row.state}`),
  },
  {
    key: 'deviceState',
    title: 'advertisement:device.deviceState',
    width: 124,
    render: (row) => <StateChip state={row.deviceState} />,
    text: (row) => t(`device-state:${row.deviceState}`),
  },
  {
    key: 'today',
    title: 'advertisement:device.onToday',
    width: 115,
    render: todayText,
    text: todayText,
  },
  {
    key: 'shown',
    title: 'advertisement:device.shown',
    width: 150,
    numeric: true,
    render: (row) => number(row.shown),
  },
  {
    key: 'clicked',
    title: 'advertisement:device.clicked',
    width: 150,
    numeric: true,
    render: (row) => number(row.clicked),
  },
  {
    key: 'reportedAt',
    title: 'advertisement:device.reportedAt',
    width: 165,
    render: (row) => <When at={row.reportedAt} />,
  },
]
const filters: readonly Filter[] = [
  {
    key: 'state',
    label: 'advertisement:device.state',
    width: 150,
    useOptions: () => deliveryStates.map((value) => ({ value, label: t(`advertisement:delivery.${value}`) })),
  },
]

type Props = { row: Advertisement; opened: boolean; onClose: () => void }

export function AdvertisementFigures({ row, opened, onClose }: Props) {
  const days = useCall(
    getAdvertisementDays,
    { id: row.id, days: DAYS },
    { enabled: opened, refreshS: REFRESH_S },
  )
  const rate = row.shownTotal === 0 ? null : (100 * row.clickedTotal) / row.shownTotal
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      title={t('advertisement:figures.title', { name: row.name })}
      size={1080}
    >
      <Stack gap="md">
        <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="sm">
          <Tile
            label={t('advertisement:figures.shown')}
            value={number(row.shownTotal)}
            note={t('advertisement:figures.total')}
          />
          <Tile
            label={t('advertisement:figures.clicked')}
            value={number(row.clickedTotal)}
            note={t('advertisement:figures.total')}
          />
          <Tile
            label={t('advertisement:figures.rate')}
            value={percent(rate, 1)}
            note={t('advertisement:figures.total')}
          />
        </SimpleGrid>
        <Card title={t('advertisement:figures.days', { count: DAYS })}>
          <ReadBar read={days} />
          {days.data ? <DaysChart data={days.data} /> : <div style={{ height: CHART_HEIGHT }} />}
        </Card>
        {opened ? (
          <ListView
            call={getAdvertisementDevices}
            body={{ id: row.id }}
            rowKey="deviceId"
            columns={columns}
            filters={filters}
            searchPlaceholder="advertisement:device.search"
            // What was searched for another advertisement is not meant here.
            prefix={`on${row.id}`}
            exportName="advertisement-devices"
            refreshS={REFRESH_S}
            rowLink={detailLink}
          />
        ) : null}
      </Stack>
    </Drawer>
  )
}
