import { Center, Text, useComputedColorScheme } from '@mantine/core'
import type { EChartsCoreOption, EChartsType } from 'echarts/core'
import { useEffect, useRef } from 'react'
import { inTime } from '../chunk.ts'
import { moment, shortMoment } from '../format.ts'
import { t } from '../i18n.ts'
import { serverNow } from '../server/server-clock.ts'

const palettes = {
  light: ['#0245A1', '#973503', '#0D9E64', '#75305F', '#9786C7', '#BE8C00'],
  dark: ['#AAE0FF', '#F36312', '#018B58', '#BD479B', '#8255F1', '#FFE28C'],
} as const
const ANIMATED_POINTS_MAX = 1000

/** Evaluated when the chart is drawn, so that it uses the current colour scheme. */
export type ChartOption = () => EChartsCoreOption

/**
 * Draws an option into the returned element; follows size and colour scheme, and is disposed with the page (also when
 * hidden). `onReady` gets each chart drawn, and null at its end.
 */
export function useChart(option: ChartOption, onReady?: (chart: EChartsType | null) => void) {
  const told = useRef(onReady)
  told.current = onReady
  const element = useRef<HTMLDivElement>(null)
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false })
  useEffect(() => {
    const target = element.current
    if (!target) return
    let over = false
    let end = () => {}
    void inTime(() => import('./chart-core.ts')).then(({ echarts }) => {
      if (over) return
      const chart = echarts.init(target)
      chart.setOption({ color: [...palettes[scheme]], ...option() })
      const watcher = new ResizeObserver(() => chart.resize())
      watcher.observe(target)
      told.current?.(chart)
      end = () => {
        told.current?.(null)
        watcher.disconnect()
        chart.dispose()
      }
    })
    return () => {
      over = true
      end()
    }
  }, [option, scheme])
  return element
}

export type Series = {
  name: string
  values: readonly (number | null)[]
  kind?: 'line' | 'area' | 'bar'
  /** Drawn dashed in the background: for comparison. */
  muted?: boolean
  /** A colour that means good or bad; absent: the next of the palette. */
  tone?: 'online' | 'pending' | 'warning' | 'critical'
}
export type SeriesChart = {
  /** Description of the chart for screen readers. */
  label: string
  at: readonly string[]
  series: readonly Series[]
  format: (value: number) => string
  /** The ends of the value axis; a function gets the range of the data. */
  min?: number | ((data: { min: number; max: number }) => number)
  max?: number | ((data: { min: number; max: number }) => number)
  /** Distance of the grid lines. Default: chosen by the chart, suitable for decimal units. */
  step?: number
  /** Counts: no grid line between two whole numbers, whose rounded labels would repeat. */
  whole?: boolean
  /** Stacked bars. */
  stacked?: boolean
  /** The timestamps are days, not instants. */
  days?: boolean
  /** Labels instead of timestamps. */
  labels?: readonly string[]
}

/** Grid step for values in powers of 1024, so that labels are 2 MiB instead of 1.91 MiB. About four lines. */
export function binaryStep(values: readonly (number | null)[]): number {
  const most = Math.max(1, ...values.flatMap((value) => value ?? []))
  const unit = 1024 ** Math.floor(Math.log2(most) / 10)
  const wanted = most / unit / 4
  const power = 10 ** Math.floor(Math.log10(wanted))
  return Math.max(1, unit * ([1, 2, 5, 10].find((nice) => nice * power >= wanted) ?? 10) * power)
}

/** A value between two gaps has no line segment; it is drawn as a dot. */
export const alone = (values: readonly (number | null)[], i: number) =>
  values[i] != null && values[i - 1] == null && values[i + 1] == null

/** Above this range every label of the axis includes the date. */
const DATED_MS = 36 * 3_600_000

/**
 * Label of the i-th value. In a range of a week, "06:00" beside "11-21 15:00" could be any morning, above all in a
 * saved picture.
 */
export function axisMoment(at: readonly string[], i: number, nowMs: number): string {
  const [first, last, here] = [at[0], at.at(-1), at[i]]
  if (!first || !last || !here) return ''
  return shortMoment(here, Date.parse(last) - Date.parse(first) > DATED_MS ? 0 : nowMs)
}

/** Up to this range the axis also has labels at noon. */
const NOONS_MS = 4 * 24 * 3_600_000

/**
 * Ranges above a day and a half are labelled by day: at midnights, instead of wherever labels happen to fit. null:
 * the data has no points at midnight; the chart chooses.
 */
export function dayMarks(at: readonly string[]): ReadonlyMap<number, string> | null {
  const [first, last] = [at[0], at.at(-1)]
  if (!first || !last) return null
  const span = Date.parse(last) - Date.parse(first)
  if (span <= DATED_MS) return null
  const hours = span <= NOONS_MS ? 12 : 24
  const marks = new Map<number, string>()
  for (const [i, moment] of at.entries()) {
    const local = new Date(moment)
    if (local.getMinutes() !== 0 || local.getHours() % hours !== 0) continue
    const text = shortMoment(local, 0)
    marks.set(i, hours === 24 ? (text.split(' ')[0] ?? text) : text)
  }
  return marks.size < 2 ? null : marks
}

const css = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim()

/** Lines or bars over time: gaps stay gaps, 2 px, no symbols, dashed grid. */
export const seriesOption =
  (chart: SeriesChart): ChartOption =>
  () =>
    drawn(chart)

function drawn(chart: SeriesChart): EChartsCoreOption {
  const now = serverNow()
  const label = { color: css('--text-3'), fontSize: 12, fontFamily: css('--font-sans') }
  const { step } = chart
  // With our own step the axis starts and ends on a grid line.
  const max =
    chart.max ??
    (step === undefined ? undefined : (data: { max: number }) => Math.ceil(data.max / step) * step)
  const line = { lineStyle: { color: css('--border') } }
  const marks = chart.days || chart.labels ? null : dayMarks(chart.at)
  return {
    aria: { enabled: true, label: { description: chart.label } },
    animation: chart.at.length * chart.series.length <= ANIMATED_POINTS_MAX,
    animationDuration: 250,
    grid: { left: 8, right: 12, top: chart.series.length > 1 ? 36 : 12, bottom: 4, containLabel: true },
    // The legend scrolls if it does not fit: a second line would cover the chart.
    legend: {
      type: 'scroll',
      show: chart.series.length > 1,
      top: 0,
      right: 0,
      icon: 'roundRect',
      textStyle: label,
      pageTextStyle: label,
      pageIconColor: label.color,
      pageIconInactiveColor: css('--border'),
    },
    tooltip: {
      trigger: 'axis',
      confine: true,
      backgroundColor: css('--raised'),
      borderColor: css('--border'),
      textStyle: { color: css('--text-1'), fontSize: 12 },
      valueFormatter: (value: unknown) =>
        typeof value === 'number' ? chart.format(value) : t('kit:chart.gap'),
    },
    xAxis: {
      type: 'category',
      data: chart.labels
        ? [...chart.labels]
        : chart.at.map((at) => (chart.days ? at.slice(5, 10) : moment(at))),
      boundaryGap: chart.series.some(({ kind }) => kind === 'bar'),
      axisLine: line,
      axisTick: { show: false },
      axisLabel: {
        ...label,
        hideOverlap: true,
        ...(chart.days || chart.labels
          ? {}
          : { formatter: (_: string, i: number) => marks?.get(i) ?? axisMoment(chart.at, i, now) }),
        ...(marks ? { interval: (i: number) => marks.has(i) } : {}),
      },
    },
    yAxis: {
      type: 'value',
      ...(chart.min === undefined ? { scale: true } : { min: chart.min }),
      ...(max === undefined ? {} : { max }),
      ...(chart.step === undefined ? { splitNumber: 4 } : { interval: chart.step }),
      ...(chart.whole ? { minInterval: 1 } : {}),
      splitLine: { lineStyle: { type: 'dashed', color: css('--border') } },
      axisLabel: { ...label, formatter: (value: number) => chart.format(value) },
    },
    series: chart.series.map(({ name, values, kind = 'line', muted, tone }) => ({
      name,
      type: kind === 'bar' ? 'bar' : 'line',
      data: values.map((value, i) =>
        alone(values, i) ? { value, symbol: 'circle', symbolSize: 5 } : { value, symbol: 'none' },
      ),
      connectNulls: false,
      showSymbol: true,
      showAllSymbol: true,
      ...(kind === 'bar'
        ? { barMaxWidth: 24, itemStyle: { borderRadius: 2 }, ...(chart.stacked ? { stack: 'all' } : {}) }
        : { lineStyle: { width: 2, ...(muted ? { type: 'dashed' } : {}) }, sampling: 'lttb' }),
      ...(muted ? { color: css('--text-3'), z: 1 } : tone ? { color: css(`--${tone}`) } : {}),
      ...(kind === 'area' ? { areaStyle: { opacity: 0.12 } } : {}),
    })),
  }
}

/** `option` must be memoized by the caller (useMemo): a new one redraws the chart. */
export function Chart({
  option,
  label,
  height = 220,
}: {
  option: ChartOption
  label: string
  height?: number
}) {
  const element = useChart(option)
  return <div ref={element} role="img" aria-label={label} style={{ height, width: '100%' }} />
}

/** Placeholder of a chart without data; it keeps the height. */
export function NoChart({ height = 220 }: { height?: number }) {
  return (
    <Center h={height}>
      <Text c="dimmed">{t('kit:chart.nothing')}</Text>
    </Center>
  )
}
