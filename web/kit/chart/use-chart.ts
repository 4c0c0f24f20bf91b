import { useComputedColorScheme } from '@mantine/core'
import type { EChartsCoreOption, EChartsType } from 'echarts/core'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { inTime } from '../chunk.ts'
import { isPrinting, watchPrinting } from '../page/printing.ts'
import type { ChartAxis } from './chart-axis.ts'
import { useChartGroup } from './chart-group.tsx'
import { type Ink, pageInk, paperInk } from './ink.ts'

export type ChartOption = {
  axis: ChartAxis
  /** Evaluated when the chart is drawn, with the colours and the width [px] of that moment. */
  draw: (ink: Ink, width: number) => EChartsCoreOption
  /** The i-th values as a sentence. */
  say: (i: number) => string
}

export type DrawnChart = {
  chart: EChartsType
  /** A PNG of the whole chart on white, as a data URL. */
  picture: (pixelRatio: number) => string
}

/** Where another chart of the page is pointed at. */
export type Mark = { left: number; text: string }

export type ChartHandle = {
  element: RefObject<HTMLDivElement | null>
  mark: Mark | null
  /** Shows the i-th values, as by pointing at them; null: none. */
  point: (i: number | null) => void
}

const X = { xAxisIndex: 0 }

/** The user wants no motion. */
const isStill = () => matchMedia('(prefers-reduced-motion: reduce)').matches

/**
 * Draws an option into the returned element; follows size, colour scheme and printing, and is disposed with the page
 * (also when hidden). `onReady` gets each chart made, and null at its end.
 */
export function useChart(option: ChartOption, onReady?: (chart: DrawnChart | null) => void): ChartHandle {
  const ready = useRef(onReady)
  ready.current = onReady
  const latest = useRef(option)
  latest.current = option
  const element = useRef<HTMLDivElement>(null)
  const redraw = useRef(() => {})
  const point = useRef<ChartHandle['point']>(() => {})
  const [mark, setMark] = useState<Mark | null>(null)
  const group = useChartGroup()
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false })

  useEffect(() => {
    const target = element.current
    if (!target) return
    let over = false
    let end = () => {}
    void inTime(() => import('./chart-core.ts')).then(({ echarts }) => {
      if (over) return
      const chart = echarts.init(target)
      const draw = (notMerge: boolean) => {
        const ink = isPrinting() ? paperInk() : pageInk()
        const option = latest.current.draw(ink, target.clientWidth)
        chart.setOption(isStill() ? { ...option, animation: false } : option, { notMerge })
      }
      draw(true)
      redraw.current = () => draw(true)
      const watcher = new ResizeObserver(() => {
        if (chart.getWidth() === target.clientWidth && chart.getHeight() === target.clientHeight) return
        chart.resize()
        // Another width may have room for other ticks.
        draw(false)
      })
      watcher.observe(target)

      const show = (time: number | null) => {
        const x = time === null ? null : latest.current.axis.placeOf(time)
        const left = x === null ? null : chart.convertToPixel(X, x)
        const { axis } = latest.current
        setMark(left === null || x === null ? null : { left, text: axis.textOf(axis.indexAt(x)) })
      }
      const leave = group?.join(show) ?? (() => {})
      const pointed = (i: number | null) =>
        group?.mark(i === null ? null : latest.current.axis.timeOf(i), show)
      const move = (event: PointerEvent) => {
        const { left, top } = target.getBoundingClientRect()
        const [x, y] = [event.clientX - left, event.clientY - top]
        pointed(
          chart.containPixel('grid', [x, y])
            ? latest.current.axis.indexAt(chart.convertFromPixel(X, x))
            : null,
        )
      }
      const gone = () => pointed(null)
      target.addEventListener('pointermove', move)
      target.addEventListener('pointerleave', gone)
      point.current = (i) => {
        if (i === null) chart.dispatchAction({ type: 'hideTip' })
        else {
          const x = chart.convertToPixel(X, latest.current.axis.place(i))
          chart.dispatchAction({ type: 'showTip', x, y: target.clientHeight / 2 })
        }
        pointed(i)
      }
      const printed = watchPrinting(() => {
        draw(true)
        // Not with the next frame: it comes after the print.
        chart.getZr().flush()
      })
      const picture = (pixelRatio: number) => {
        const size = { width: target.clientWidth, height: target.clientHeight }
        const copy = echarts.init(document.createElement('div'), null, size)
        copy.setOption({ ...latest.current.draw(paperInk(), size.width), animation: false })
        const url = copy.getDataURL({ type: 'png', pixelRatio, backgroundColor: '#fff' })
        copy.dispose()
        return url
      }
      ready.current?.({ chart, picture })
      end = () => {
        ready.current?.(null)
        redraw.current = () => {}
        point.current = () => {}
        target.removeEventListener('pointermove', move)
        target.removeEventListener('pointerleave', gone)
        gone()
        leave()
        printed()
        watcher.disconnect()
        chart.dispose()
      }
    })
    return () => {
      over = true
      end()
    }
  }, [group])

  // biome-ignore lint/correctness/useExhaustiveDependencies: they are read when it is drawn
  useEffect(() => redraw.current(), [option, scheme])
  return { element, mark, point: (i) => point.current(i) }
}
