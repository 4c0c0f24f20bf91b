import { BarChart, LineChart } from 'echarts/charts'
import { GridComponent, LegendComponent, MarkAreaComponent, TooltipComponent } from 'echarts/components'
import * as echarts from 'echarts/core'
import { SVGRenderer } from 'echarts/renderers'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { bytes, number } from '../format.ts'
import { alone, binaryStep, type SeriesChart, seriesOption } from './chart.tsx'
import type { Ink } from './ink.ts'
import { legendLines } from './legend-lines.ts'

const ink: Ink = (token) => (token === '--font-sans' ? 'sans-serif' : '#123456')
const HOUR_MS = 3_600_000
const hourly = (count: number, first = Date.UTC(2026, 10, 15)) =>
  Array.from({ length: count }, (_, i) => new Date(first + i * HOUR_MS).toISOString())
const plain = (chart: Partial<SeriesChart>): SeriesChart => ({
  label: 'Chart',
  at: [],
  series: [],
  format: (value) => number(value),
  ...chart,
})

/** The texts along both axes, as the library draws them. */
function drawnTexts(chart: SeriesChart, width = 800): { x: string[]; y: string[] } {
  const made = echarts.init(null, null, { renderer: 'svg', ssr: true, width, height: 240 })
  made.setOption({ ...seriesOption(chart).draw(ink, width), animation: false })
  const model = (made as unknown as { getModel(): { getComponent(name: string): AxisModel } }).getModel()
  const texts = (name: string) =>
    model
      .getComponent(name)
      .axis.getViewLabels()
      .map(({ formattedLabel }) => formattedLabel)
  const found = { x: texts('xAxis'), y: texts('yAxis') }
  made.dispose()
  return found
}
type AxisModel = { axis: { getViewLabels(): { formattedLabel: string }[] } }

type Group = { y: number; getBoundingRect(): { y: number; height: number } }
/** The group of the legend, and where the plot begins. */
function placesOf(made: echarts.EChartsType): { view: Group; plotTop: number } {
  const inner = made as unknown as {
    _componentsViews: { type: string; group: Group }[]
    getModel(): { getComponent(name: string): { coordinateSystem: { getRect(): { y: number } } } }
  }
  const view = inner._componentsViews.find(({ type }) => type.startsWith('legend'))?.group
  if (!view) throw new Error('no legend')
  return { view, plotTop: inner.getModel().getComponent('grid').coordinateSystem.getRect().y }
}

beforeAll(() => {
  vi.stubGlobal('localStorage', { getItem: () => 'en-US' })
  echarts.use([
    BarChart,
    GridComponent,
    LegendComponent,
    LineChart,
    MarkAreaComponent,
    SVGRenderer,
    TooltipComponent,
  ])
})

describe('charts', () => {
  it.each([
    [[0], 1],
    [[6_000_000], 2 * 1024 ** 2],
    [[201 * 1024 ** 2, null], 100 * 1024 ** 2],
    [[900], 500],
  ])('divides the axis of %j bytes by %i', (values, step) => {
    expect(binaryStep(values)).toBe(step)
  })

  it('finds single values between gaps', () => {
    const values = [1, null, 2, 3, null, 4]
    expect(values.map((_, i) => alone(values, i))).toEqual([true, false, false, false, false, true])
  })

  it('labels whole hours and midnights of the reader’s zone', () => {
    const at = hourly(24, Date.UTC(2026, 10, 15, 0, 31))
    for (const text of drawnTexts(plain({ at, series: [{ name: 'a', values: at.map(() => 1) }] })).x)
      expect(text).toMatch(/^(\d\d:00|\d\d-\d\d)$/)
  })

  it('has fewer labels where it is narrow, and no labels without values', () => {
    const at = hourly(168)
    const of = (width: number) =>
      drawnTexts(plain({ at, series: [{ name: 'a', values: at.map(() => 1) }] }), width).x.length
    expect(of(800)).toBeGreaterThan(of(330))
    expect(of(330)).toBeGreaterThan(1)
    expect(drawnTexts(plain({ series: [{ name: 'a', values: [] }] })).x).toEqual([])
  })

  const ranges = [0, 0.2, 0.6, 1, 1.4, 2, 3, 7, 12, 45, 99, 1000, 123_456]
  it.each(ranges)('never repeats a label of values up to %d', (most) => {
    const at = hourly(4)
    const series = [{ name: 'a', values: [0, most / 3, null, most] }]
    for (const digits of [0, 1])
      for (const min of [undefined, 0]) {
        const chart = plain({ at, series, digits, format: (value) => number(value, digits) })
        const { y } = drawnTexts(min === undefined ? chart : { ...chart, min })
        expect(new Set(y).size, y.join()).toBe(y.length)
      }
    const size = [{ name: 'a', values: [0, most * 700, most * 1024] }]
    const { y } = drawnTexts(
      plain({ at: hourly(3), series: size, format: bytes, min: 0, step: binaryStep(size[0]?.values ?? []) }),
    )
    expect(new Set(y).size, y.join()).toBe(y.length)
  })

  it('divides an axis of counts at whole numbers only', () => {
    const { y } = drawnTexts(
      plain({ at: hourly(2), series: [{ name: 'a', values: [1, 2], kind: 'bar' }], min: 0, format: String }),
    )
    expect(y).toEqual(['0', '1', '2'])
  })

  it('uses the colours at the time of drawing', () => {
    const option = seriesOption(plain({}))
    for (const scheme of ['light', 'dark'])
      expect(option.draw((token) => `${scheme}${token}`, 800)['legend']).toMatchObject({
        textStyle: { color: `${scheme}--text-3` },
      })
  })

  it('draws bands of quality in the colours of their meaning, best first', () => {
    const bands = { excellent: -65, good: -75, fair: -85 }
    const option = seriesOption(plain({ at: hourly(2), series: [{ name: 'a', values: [-70, -90] }], bands }))
    expect(option.draw((token) => token, 800)['series']).toMatchObject([
      {
        markArea: {
          data: [
            [{ yAxis: -65, itemStyle: { color: '--online' } }, { yAxis: Number.POSITIVE_INFINITY }],
            [{ yAxis: -75, itemStyle: { color: '--pending' } }, { yAxis: -65 }],
            [{ yAxis: -85, itemStyle: { color: '--warning' } }, { yAxis: -75 }],
            [{ yAxis: Number.NEGATIVE_INFINITY, itemStyle: { color: '--critical' } }, { yAxis: -85 }],
          ],
        },
      },
    ])
  })

  it('names a range of time inside, to the left if it begins too late for a name to end before the chart', () => {
    const at = hourly(25)
    const spans = [1, 23].map((i) => ({
      fromMs: Date.parse(at[i] ?? ''),
      toMs: null,
      label: '电压过高',
      tone: 'warning' as const,
    }))
    const option = seriesOption(plain({ at, series: [{ name: 'a', values: at.map((_, i) => i) }], spans }))
    expect(option.draw((token) => token, 800)['series']).toMatchObject([
      {
        markArea: {
          data: [
            [{ label: { position: 'insideTopLeft' } }, {}],
            [{ label: { position: 'insideTopRight' } }, {}],
          ],
        },
      },
    ])
  })

  it('leaves no gaps between bars that have only a few pixels, which would make them pale', () => {
    const values = Array.from({ length: 168 }, () => 50)
    const chart = plain({ at: hourly(168), stacked: true, series: [{ name: 'a', values, kind: 'bar' }] })
    const barOf = (width: number) => (seriesOption(chart).draw(ink, width)['series'] as object[])[0]
    expect(barOf(330)).toMatchObject({ barCategoryGap: 0, barGap: 0, itemStyle: { borderRadius: 0 } })
    expect(barOf(1200)).not.toHaveProperty('barCategoryGap')
  })

  it('wraps its legend where it is narrow, above the plot', () => {
    const at = hourly(4)
    const names = ['Excellent ≥ -65', 'Good ≥ -75', 'Fair ≥ -85', 'Poor < -85', '无法识别的固件版本']
    const chart = plain({ at, series: names.map((name) => ({ name, values: [1, 2, 3, 4] })) })
    for (const width of [260, 330, 800]) {
      const made = echarts.init(null, null, { renderer: 'svg', ssr: true, width, height: 280 })
      made.setOption({ ...seriesOption(chart).draw(ink, width), animation: false })
      const svg = made.renderToSVGString()
      for (const name of names) expect(svg).toContain(name.replace('<', '&lt;'))
      const { view, plotTop } = placesOf(made)
      const { y, height } = view.getBoundingRect()
      expect(view.y + y + height).toBeLessThanOrEqual(plotTop)
      made.dispose()
    }
    expect(legendLines(names, 800)).toHaveLength(1)
    expect(legendLines(names, 330)?.length).toBeGreaterThan(1)
    expect(legendLines(names, 330)?.flat()).toEqual(names)
    expect(legendLines(Array(40).fill('Version'), 330)).toBeNull()
  })

  it('finds the value next to a place, and the place of a time of another chart', () => {
    const { axis } = seriesOption(plain({ at: hourly(24) }))
    const first = Date.UTC(2026, 10, 15)
    expect([0, 5, 23].map((i) => axis.indexAt(axis.place(i)))).toEqual([0, 5, 23])
    expect(axis.indexAt(first - HOUR_MS)).toBe(0)
    expect(axis.indexAt(first + 99 * HOUR_MS)).toBe(23)
    expect(axis.indexAt(axis.placeOf(first + 5.4 * HOUR_MS) ?? 0)).toBe(5)
    expect(axis.placeOf(first - 1)).toBeNull()
    const days = seriesOption(plain({ at: ['2026-11-15', '2026-11-16'], days: true })).axis
    expect(days.placeOf(first + 30 * HOUR_MS)).toBe(1)
  })
})
