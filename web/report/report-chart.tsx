import { type PointerEvent, useMemo, useRef, useState } from 'react'
import { Chart, seriesOption } from '../kit/chart/chart.tsx'
import type { DrawnChart } from '../kit/chart/use-chart.ts'
import classes from './report.module.css'
import type { ReportChart, ReportView } from './report-types.ts'
import { type Zoom, zoomed } from './report-zoom.ts'

/** A shorter drag is a click. */
const DRAG_MIN_PX = 8

type Props = {
  chart: ReportChart
  view: ReportView
  zoom: Zoom
  onZoom: (zoom: Zoom) => void
  onReady: (chart: DrawnChart | null) => void
}

/** One chart of a report: dragging zooms all charts of the page, a double click resets them. */
export function ReportChartView({ chart, view, zoom, onZoom, onReady }: Props) {
  const drawn = useRef<DrawnChart['chart'] | null>(null)
  const [drag, setDrag] = useState<{ from: number; to: number } | null>(null)
  const { labels } = chart
  const shown = labels ? null : zoom
  const option = useMemo(() => {
    const { title, step, stacked, height: _, key: __, onPick: ___, ...look } = chart
    const series = chart.series.map((one) => ({ ...one, values: zoomed(one.values, shown) }))
    return seriesOption({
      ...look,
      label: title,
      at: labels ?? zoomed(view.at, shown),
      days: view.days,
      series,
      ...(stacked ? { stacked } : {}),
      ...(step ? { step: step(highest(series, stacked ?? false)) } : {}),
    })
  }, [chart, view.at, view.days, shown, labels])
  const pick = useRef(chart.onPick)
  pick.current = chart.onPick
  const ready = (made: DrawnChart | null) => {
    drawn.current = made?.chart ?? null
    made?.chart.on('click', (event) => pick.current?.(event.seriesName ?? '', event.dataIndex))
    onReady(made)
  }

  const place = (event: PointerEvent) => event.clientX - event.currentTarget.getBoundingClientRect().left
  const begin = (event: PointerEvent) => {
    // Touch scrolls the page.
    if (labels || event.pointerType === 'touch' || event.button !== 0) return
    const at = place(event)
    if (drawn.current?.containPixel('grid', [at, event.nativeEvent.offsetY])) setDrag({ from: at, to: at })
  }
  const end = () => {
    setDrag(null)
    if (!drag || !drawn.current || Math.abs(drag.to - drag.from) < DRAG_MIN_PX) return
    const bucket = (x: number) =>
      option.axis.indexAt(Number(drawn.current?.convertFromPixel({ xAxisIndex: 0 }, x)) || 0)
    const [from, to] = [bucket(Math.min(drag.from, drag.to)), bucket(Math.max(drag.from, drag.to))]
    const before = zoom?.[0] ?? 0
    if (to > from) onZoom([before + from, before + to])
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the range fields offer the same by keyboard
    <div
      className={classes['chart']}
      data-dragging={drag !== null || undefined}
      onPointerDown={begin}
      onPointerMove={(event) => drag && setDrag({ ...drag, to: place(event) })}
      onPointerUp={end}
      onPointerLeave={end}
      onDoubleClick={() => onZoom(null)}
    >
      <Chart option={option} label={chart.title} height={chart.height ?? 280} onReady={ready} />
      {drag ? (
        <div
          className={classes['drag']}
          style={{ left: Math.min(drag.from, drag.to), width: Math.abs(drag.to - drag.from) }}
        />
      ) : null}
    </div>
  )
}

/** The maximum of the axis; for stacked bars, of their sums. */
const highest = (
  series: readonly { values: readonly (number | null)[]; muted?: boolean }[],
  stacked: boolean,
) =>
  stacked
    ? (series[0]?.values ?? []).map((_, i) =>
        Math.max(
          series.reduce((sum, { values, muted }) => sum + (muted ? 0 : (values[i] ?? 0)), 0),
          ...series.map(({ values, muted }) => (muted ? (values[i] ?? 0) : 0)),
        ),
      )
    : series.flatMap(({ values }) => [...values])
