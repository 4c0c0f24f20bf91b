import { Center, Text } from '@mantine/core'
import type { EChartsCoreOption } from 'echarts/core'
import { type ReactNode, useState } from 'react'
import { bandNames, type FigureBands } from '#schema/kit/figure'
import { t } from '../i18n.ts'
import classes from './chart.module.css'
import { type AxisSource, type ChartAxis, chartAxis } from './chart-axis.ts'
import { bandTones, type Ink, seriesToken, type Tone } from './ink.ts'
import { bandsWidth, bandText, LEGEND, LETTER_PX, legendLines } from './legend-lines.ts'
import { type ChartOption, type DrawnChart, useChart } from './use-chart.ts'

const ANIMATED_POINTS_MAX = 1000

export type Series = {
  name: string
  values: readonly (number | null)[]
  kind?: 'line' | 'area' | 'bar'
  /** Drawn dashed in the background: for comparison. */
  muted?: boolean
  /** A colour that means good or bad; absent: `colour`, or the next of the palette. */
  tone?: Tone
  /** A token. */
  colour?: string
}
export type SeriesChart = AxisSource & {
  /** Description of the chart for screen readers. */
  label: string
  series: readonly Series[]
  format: (value: number) => string
  /** Decimals that `format` shows, 0 by default: grid lines are never closer, since their labels would repeat. */
  digits?: number
  /** The ends of the value axis; a function gets the range of the data. */
  min?: number | ((data: { min: number; max: number }) => number)
  max?: number | ((data: { min: number; max: number }) => number)
  /** Distance of the grid lines. Default: chosen by the chart, suitable for decimal units. */
  step?: number
  /** Stacked bars. */
  stacked?: boolean
  /** Bands of quality behind the lines. */
  bands?: FigureBands
  /** Times that are marked behind the lines, whichever part of them is in view. */
  spans?: readonly Span[] | undefined
}
/** `toMs` null: it lasts. */
export type Span = { fromMs: number; toMs: number | null; label: string; tone: Tone | 'offline' }

/** Grid step for values in powers of 1024, so that labels are 2 MiB instead of 1.91 MiB. About four lines. */
export function binaryStep(values: readonly (number | null)[]): number {
  const most = Math.max(1, ...values.flatMap((value) => value ?? []))
  const unit = 1024 ** Math.floor(Math.log2(most) / 10)
  const wanted = most / unit / 4
  const power = 10 ** Math.floor(Math.log10(wanted))
  return Math.max(1, unit * ([1, 2, 5, 10].find((nice) => nice * power >= wanted) ?? 10) * power)
}

/** Bars with less room than this stand side by side: gaps of parts of a pixel would only make their colours pale. */
const BAR_GAPS_PX = 6

/** A value between two gaps has no line segment; it is drawn as a dot. */
export const alone = (values: readonly (number | null)[], i: number) =>
  values[i] != null && values[i - 1] == null && values[i + 1] == null

/** Behind the lines, best at the top; the chart cuts them at the ends of its axis. */
function bandAreas(bands: FigureBands, ink: Ink): EChartsCoreOption {
  const limits = [Number.POSITIVE_INFINITY, bands.excellent, bands.good, bands.fair, Number.NEGATIVE_INFINITY]
  return {
    silent: true,
    animation: false,
    // Next to the plot: inside it they would cover the newest values.
    label: { position: 'right', fontSize: LETTER_PX, fontFamily: ink('--font-sans') },
    data: bandNames.map((name, i) => {
      const colour = ink(`--${bandTones[name]}`)
      return [
        {
          name: bandText(name),
          yAxis: limits[i + 1],
          itemStyle: { color: colour, opacity: 0.09 },
          label: { color: colour },
        },
        { yAxis: limits[i] },
      ]
    }),
  }
}

/** With this many their names would cover the lines; the page lists them. */
const SPANS_NAMED = 4
/** Beyond this share of the axis a name is written to the left: it would not end before the chart does. */
const NAMED_TO_RIGHT = 0.7

function spanAreas(spans: readonly Span[], axis: ChartAxis, ink: Ink): EChartsCoreOption {
  const shown = spans.flatMap((span) => {
    const within = axis.spanOf(span.fromMs, span.toMs ?? Number.POSITIVE_INFINITY)
    return within ? [{ ...span, within }] : []
  })
  const first = axis.place(0)
  const turn = first + (axis.place(axis.count - 1) - first) * NAMED_TO_RIGHT
  return {
    silent: true,
    animation: false,
    label: {
      show: shown.length <= SPANS_NAMED,
      fontSize: 12,
      fontFamily: ink('--font-sans'),
    },
    data: shown.map(({ label, tone, within: [from, to] }) => {
      const colour = ink(`--${tone}`)
      const position = from > turn ? 'insideTopRight' : 'insideTopLeft'
      const style = { itemStyle: { color: colour, opacity: 0.14 }, label: { color: colour, position } }
      return [{ name: label, xAxis: from, ...style }, { xAxis: to }]
    }),
  }
}

/** Lines or bars over time: gaps stay gaps, 2 px, no symbols, dashed grid. */
export function seriesOption(chart: SeriesChart): ChartOption {
  const axis = chartAxis(chart)
  const valueText = (value: number | null | undefined) =>
    typeof value === 'number' ? chart.format(value) : t('kit:chart.gap')
  return {
    axis,
    draw: (ink, width) => drawn(chart, axis, valueText, ink, width),
    say: (i) =>
      [axis.textOf(i), ...chart.series.map(({ name, values }) => `${name}: ${valueText(values[i])}`)].join(
        ' · ',
      ),
  }
}

function drawn(
  chart: SeriesChart,
  axis: ChartAxis,
  valueText: (value: number | null | undefined) => string,
  ink: Ink,
  width: number,
): EChartsCoreOption {
  const label = { color: ink('--text-3'), fontSize: LETTER_PX, fontFamily: ink('--font-sans') }
  const { step, bands, spans } = chart
  // With our own step the axis starts and ends on a grid line.
  const max =
    chart.max ??
    (step === undefined ? undefined : (data: { max: number }) => Math.ceil(data.max / step) * step)
  const line = { show: true, lineStyle: { color: ink('--border') } }
  const { axisLabel, ...x } = axis.option(ink, width)
  const lines = legendLines(
    chart.series.map(({ name }) => name),
    width,
  )
  const more = Math.max(0, (lines?.length ?? 1) - 1) * (LEGEND.linePx + LEGEND.gapPx)
  const between = chart.series.some(({ kind }) => kind === 'bar')
  const thin = between && width / axis.count < BAR_GAPS_PX
  return {
    aria: { enabled: true, label: { description: chart.label } },
    animation: axis.count * chart.series.length <= ANIMATED_POINTS_MAX,
    animationDuration: 250,
    color: chart.series.map((_, i) => ink(seriesToken(i))),
    grid: {
      left: 8,
      right: bands ? bandsWidth() : 24,
      top: chart.series.length > 1 ? 36 + more : 12,
      bottom: 4,
      outerBoundsMode: 'same',
      outerBoundsContain: 'axisLabel',
    },
    legend: {
      type: lines ? 'plain' : 'scroll',
      ...(lines ? { data: lines.flatMap((line, i) => (i === 0 ? line : ['\n', ...line])) } : {}),
      show: chart.series.length > 1,
      padding: LEGEND.paddingPx,
      itemWidth: LEGEND.iconPx,
      itemHeight: LEGEND.linePx,
      itemGap: LEGEND.gapPx,
      top: 0,
      right: 0,
      icon: 'roundRect',
      textStyle: label,
      pageTextStyle: label,
      pageIconColor: label.color,
      pageIconInactiveColor: ink('--border'),
    },
    tooltip: {
      trigger: 'axis',
      confine: true,
      backgroundColor: ink('--raised'),
      borderColor: ink('--border'),
      textStyle: { color: ink('--text-1'), fontSize: 12 },
      // Of a point, the second number is the value.
      valueFormatter: (value: unknown) =>
        valueText((Array.isArray(value) ? value[1] : value) as number | null),
    },
    xAxis: {
      axisLine: line,
      axisLabel: { ...label, ...(axisLabel as object) },
      ...x,
      ...(x['type'] === 'category' ? { boundaryGap: between } : {}),
    },
    yAxis: {
      type: 'value',
      axisLine: { show: false },
      axisTick: { show: false },
      ...(chart.min === undefined ? { scale: true } : { min: chart.min }),
      ...(max === undefined ? {} : { max }),
      ...(step === undefined
        ? { splitNumber: 4, minInterval: 10 ** -(chart.digits ?? 0) }
        : { interval: step }),
      splitLine: { lineStyle: { type: 'dashed', color: ink('--border') } },
      axisLabel: { ...label, formatter: (value: number) => chart.format(value) },
    },
    series: chart.series.map(({ name, values, kind = 'line', muted, tone, colour }, n) => ({
      name,
      type: kind === 'bar' ? 'bar' : 'line',
      data: values.map((value, i) => ({
        value: [axis.place(i), value],
        ...(alone(values, i) ? { symbol: 'circle', symbolSize: 5 } : { symbol: 'none' }),
      })),
      connectNulls: false,
      showSymbol: true,
      showAllSymbol: true,
      ...(kind === 'bar'
        ? {
            barMaxWidth: 24,
            itemStyle: { borderRadius: thin ? 0 : 2 },
            ...(thin ? { barCategoryGap: 0, barGap: 0 } : {}),
            ...(chart.stacked ? { stack: 'all' } : {}),
          }
        : { lineStyle: { width: 2, ...(muted ? { type: 'dashed' } : {}) } }),
      ...(muted
        ? { color: ink('--text-3'), z: 1 }
        : tone || colour
          ? { color: ink(tone ? `--${tone}` : (colour ?? '')) }
          : {}),
      ...(kind === 'area' ? { areaStyle: { opacity: 0.12 } } : {}),
      ...(n > 0
        ? {}
        : bands
          ? { markArea: bandAreas(bands, ink) }
          : spans
            ? { markArea: spanAreas(spans, axis, ink) }
            : {}),
    })),
  }
}

type Props = {
  /** Must be memoized by the caller (useMemo): a new one redraws the chart. */
  option: ChartOption
  label: string
  height?: number
  onReady?: (chart: DrawnChart | null) => void
  children?: ReactNode
}

/** The arrow keys move through the values; the other charts of the page mark the same time. */
export function Chart({ option, label, height = 220, onReady, children }: Props) {
  const { element, mark, point } = useChart(option, onReady)
  const [index, setIndex] = useState(0)
  const last = Math.max(0, option.axis.count - 1)
  const at = Math.min(index, last)
  const go = (i: number) => {
    setIndex(i)
    point(i)
  }
  return (
    <div className={classes['chart']}>
      <div ref={element} className={classes['canvas']} role="img" aria-label={label} style={{ height }} />
      <input
        type="range"
        className={classes['keys']}
        aria-label={t('kit:chart.read', { label })}
        aria-valuetext={option.say(at)}
        min={0}
        max={last}
        value={at}
        onChange={(event) => go(Number(event.currentTarget.value))}
        onFocus={() => point(at)}
        onBlur={() => point(null)}
      />
      {mark ? (
        <div className={classes['mark']} style={{ left: mark.left }} data-mark>
          <span>{mark.text}</span>
        </div>
      ) : null}
      {children}
    </div>
  )
}

/** Placeholder of a chart without data; it keeps the height. */
export function NoChart({ height = 220, text }: { height?: number; text?: string | undefined }) {
  return (
    <Center h={height}>
      <Text c="dimmed">{text ?? t('kit:chart.nothing')}</Text>
    </Center>
  )
}
