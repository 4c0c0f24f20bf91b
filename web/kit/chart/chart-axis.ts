/** The horizontal axis: times, days, or labels. */
import type { EChartsCoreOption } from 'echarts/core'
import { moment, viewerZone } from '../format.ts'
import type { Ink } from './ink.ts'
import { timeTicks } from './time-ticks.ts'

/** Room for one label of the axis. */
const LABEL_PX = 64
/** Taken by the labels of the values. */
const SIDES_PX = 72

export type AxisSource = {
  /** Start of each bucket; dates if they are days. */
  at: readonly string[]
  /** The buckets are days, not instants. */
  days?: boolean | undefined
  /** The values belong to these instants, not to the time that begins there. */
  instants?: boolean | undefined
  /** Labels instead of times. */
  labels?: readonly string[] | undefined
}

export type ChartAxis = {
  count: number
  /** Horizontal coordinate of the i-th value. */
  place: (i: number) => number
  /** The value next to a coordinate. */
  indexAt: (x: number) => number
  /** Start of the i-th bucket in ms since 1970; null without times. */
  timeOf: (i: number) => number | null
  /** Coordinate of a time; null outside of the axis. */
  placeOf: (time: number) => number | null
  /** Coordinates of the part of a time range that is on the axis; null if there is none. */
  spanOf: (from: number, to: number) => [from: number, to: number] | null
  /** Of the i-th value, for tooltips and screen readers. */
  textOf: (i: number) => string
  option: (ink: Ink, width: number) => EChartsCoreOption
}

const clamped = (i: number, count: number) => Math.max(0, Math.min(count - 1, i))

function labelled(texts: readonly string[], shown: readonly string[], times: readonly number[]): ChartAxis {
  const count = texts.length
  const indexAt = (x: number) => clamped(Math.round(x), count)
  return {
    count,
    place: (i) => i,
    indexAt,
    timeOf: (i) => times[i] ?? null,
    placeOf: (time) => {
      const next = times.findIndex((start) => start > time)
      const i = next < 0 ? times.length - 1 : next - 1
      return i < 0 ? null : i
    },
    spanOf: (from, to) => {
      const ended = times.findLastIndex((start) => start < to)
      if (ended < 0) return null
      // A single day would have no width.
      const begun = Math.max(
        0,
        Math.min(
          times.findLastIndex((start) => start <= from),
          count - 2,
        ),
      )
      return [begun, Math.max(ended, begun + 1)]
    },
    textOf: (i) => texts[i] ?? '',
    option: () => ({
      type: 'category',
      data: [...shown],
      axisTick: { show: false },
      axisLabel: { hideOverlap: true },
      axisPointer: {
        label: {
          formatter: ({ value }: { value: unknown }) => texts[shown.indexOf(String(value))] ?? String(value),
        },
      },
    }),
  }
}

function timed(at: readonly string[], instants: boolean): ChartAxis {
  const starts = at.map((one) => Date.parse(one))
  const count = starts.length
  const first = starts[0] ?? 0
  const width = count > 1 ? ((starts[count - 1] ?? 0) - first) / (count - 1) : 0
  const last = (starts[count - 1] ?? 0) + (instants ? 0 : width)
  const shift = instants ? 0 : width / 2
  const place = (i: number) => (starts[i] ?? 0) + shift
  const indexAt = (x: number) => {
    const next = starts.findIndex((_, i) => place(i) >= x)
    if (next < 0) return Math.max(0, count - 1)
    return next > 0 && x - place(next - 1) < place(next) - x ? next - 1 : next
  }
  return {
    count,
    place,
    indexAt,
    timeOf: (i) => starts[i] ?? null,
    placeOf: (time) => (time < first || time > last ? null : Math.min(time + shift, last)),
    spanOf: (from, to) => (from >= last || to <= first ? null : [Math.max(first, from), Math.min(last, to)]),
    textOf: (i) => (at[i] === undefined ? '' : moment(at[i]).slice(0, 16)),
    option: (ink, drawnWidth) => {
      const most = Math.max(3, Math.floor((drawnWidth - SIDES_PX) / LABEL_PX))
      const ticks = timeTicks(first, last, most, viewerZone())
      const texts = new Map(ticks.map((tick) => [tick.at, tick.text]))
      const customValues = ticks.map((tick) => tick.at)
      return {
        type: 'value',
        min: first,
        max: last,
        splitLine: { show: false },
        axisTick: { show: true, customValues, length: 4, lineStyle: { color: ink('--border') } },
        axisLabel: { customValues, hideOverlap: true, formatter: (value: number) => texts.get(value) ?? '' },
        axisPointer: {
          snap: true,
          label: {
            formatter: ({ value }: { value: unknown }) =>
              moment(at[indexAt(Number(value))] ?? '').slice(0, 16),
          },
        },
      }
    },
  }
}

export function chartAxis({ at, days, instants, labels }: AxisSource): ChartAxis {
  if (labels) return labelled(labels, labels, [])
  if (days)
    return labelled(
      at,
      at.map((day) => day.slice(5, 10)),
      at.map((day) => Date.parse(day)),
    )
  return timed(at, instants ?? false)
}
