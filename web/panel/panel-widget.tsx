/** One widget: its title, and what its kind shows. */
import { Text } from '@mantine/core'
import { type ReactNode, Suspense } from 'react'
import type { WidgetKind } from '#schema/monitor/panel-layout'
import { lazy } from '../kit/chunk.ts'
import classes from './panel.module.css'
import { PanelGauge } from './panel-gauge.tsx'
import { PanelPicture } from './panel-picture.tsx'
import { Loading, OfOne, Reading, titleOf, type WidgetProps } from './panel-reading.tsx'
import { PanelSwitch } from './panel-switch.tsx'
import { PanelTable } from './panel-table.tsx'

// Charts and coastlines are large, and a panel of figures needs neither.
const PanelTrend = lazy(() => import('./panel-trend.tsx').then((module) => ({ default: module.PanelTrend })))
const PanelMap = lazy(() => import('./panel-map.tsx').then((module) => ({ default: module.PanelMap })))

const PanelFigure = (props: WidgetProps) => <OfOne {...props}>{(row) => <Reading row={row} />}</OfOne>

const kinds: Readonly<Record<WidgetKind, (props: WidgetProps) => ReactNode>> = {
  figure: PanelFigure,
  gauge: PanelGauge,
  trend: (props) => <PanelTrend {...props} />,
  table: PanelTable,
  map: (props) => <PanelMap {...props} />,
  switch: PanelSwitch,
  picture: PanelPicture,
}

export function PanelWidget(props: WidgetProps) {
  const Shown = kinds[props.widget.kind]
  const title = titleOf(props.widget, props.values)
  return (
    <>
      <Text component="h2" className={classes['title']} title={title}>
        {title}
      </Text>
      <div className={classes['body']}>
        <Suspense fallback={<Loading />}>
          <Shown {...props} />
        </Suspense>
      </div>
    </>
  )
}
