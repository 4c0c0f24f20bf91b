import { useElementSize } from '@mantine/hooks'
import { useMemo } from 'react'
import { getVariableHistory } from '#schema/monitor/variable-history'
import { Chart, seriesOption } from '../kit/chart/chart.tsx'
import { number, viewerZone } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { useCall } from '../kit/query.ts'
import { useNow } from '../kit/time.tsx'
import { unitText } from '../monitor/variable-columns.tsx'
import classes from './panel.module.css'
import { Loading, Note, titleOf, type WidgetProps } from './panel-reading.tsx'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const DEFAULT_HOURS = 24

/** A point for each few pixels, and no more samples read than that takes. */
const stepOf = (hours: number) =>
  hours <= 24 ? ('minute' as const) : hours <= 168 ? ('quarter' as const) : ('hour' as const)

/** The last hours of up to eight variables; those that are gone are left out, and said. */
export function PanelTrend(props: WidgetProps) {
  const { widget, values } = props
  const { ref, height } = useElementSize()
  const rows = widget.variables.map((one) => values.of(one))
  const known = rows.filter((row) => row != null && row.dataType !== 'text').flatMap((row) => row ?? [])
  const hours = widget.hours ?? DEFAULT_HOURS
  const step = stepOf(hours)
  const to = useNow(step === 'minute' ? MINUTE_MS : 15 * MINUTE_MS)
  const read = useCall(
    getVariableHistory,
    {
      terminalIds: known.map(({ terminalId }) => terminalId),
      variableIds: known.map(({ variableId }) => variableId),
      from: new Date(to - hours * HOUR_MS).toISOString(),
      to: new Date(to).toISOString(),
      step,
      zone: viewerZone(),
    },
    { enabled: known.length > 0, keepPrevious: true },
  )
  const label = titleOf(widget, values)
  const history = read.data
  const option = useMemo(() => {
    const series = history?.series ?? []
    const units = new Set(series.map(({ unit }) => unitText(unit)))
    const unit = units.size === 1 ? [...units][0] : ''
    const digits = Math.max(0, ...series.map((one) => one.digits))
    const isOfOne = series.every(({ terminalId }) => terminalId === series[0]?.terminalId)
    return seriesOption({
      label,
      at: history?.at ?? [],
      series: series.map((one) => ({
        name: isOfOne ? one.variableName : `${one.terminalName} · ${one.variableName}`,
        values: one.avg,
      })),
      format: (value) => `${number(value, digits)} ${unit}`.trimEnd(),
      digits,
    })
  }, [history, label])
  if (widget.variables.length === 0) return <Note>{t('panel:noVariable')}</Note>
  if (known.length === 0) return rows.includes(undefined) ? <Loading /> : <Note>{t('panel:gone')}</Note>
  if (read.error && !history) return <Note>{read.error.message}</Note>
  if (history?.series.every(({ avg }) => avg.every((value) => value === null)))
    return <Note>{t('kit:chart.nothing')}</Note>
  return (
    <div ref={ref} className={classes['chart']}>
      {history && height > 0 ? (
        <Chart option={option} label={label} height={Math.floor(height)} />
      ) : (
        <Loading />
      )}
    </div>
  )
}
