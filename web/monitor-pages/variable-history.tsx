import { Button, Skeleton, Text } from '@mantine/core'
import { IconRefresh, IconTableExport, IconZoomReset } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import type { ReplyOf } from '#schema/kit/call'
import type { Word } from '#schema/kit/words.gen'
import { hasValue, qualities } from '#schema/monitor/fields'
import {
  exportVariableHistory,
  getVariableHistory,
  variableHistoryScreen,
} from '#schema/monitor/variable-history'
import { Card } from '../kit/card.tsx'
import { NoChart } from '../kit/chart/chart.tsx'
import { ChartGroupProvider } from '../kit/chart/chart-group.tsx'
import { Empty } from '../kit/empty.tsx'
import { ReadBar } from '../kit/error-bar.tsx'
import { moment, number, UNKNOWN, viewerZone } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { HeaderActions } from '../kit/page/header-actions.tsx'
import { PageHeader } from '../kit/page/page-header.tsx'
import { screenTitle } from '../kit/page/screen-title.ts'
import { reportError, useCall } from '../kit/query.ts'
import { useSlow } from '../kit/slow.ts'
import { download } from '../kit/transfer.ts'
import { HistoryFilters } from '../monitor/history-filters.tsx'
import { type HistoryState, useHistoryBody, useHistoryState } from '../monitor/history-state.ts'
import classes from '../monitor/monitor.module.css'
import { unitText } from '../monitor/variable-columns.tsx'
import { ReportChartView } from '../report/report-chart.tsx'
import { ReportTable } from '../report/report-table.tsx'
import type { ReportChart, ReportView } from '../report/report-types.ts'
import { type Zoom, zoomed, zoomOf, zoomText } from '../report/report-zoom.ts'

export const words: readonly Word[] = ['variable-history', 'report', 'alarm']

type History = ReplyOf<typeof getVariableHistory>
type Series = History['series'][number]
const ROWS_MAX = 500

const nameOf = (one: Series) => `${one.terminalName} / ${one.variableName}`
const shownOf = (one: Series, { step, figure }: HistoryState) => (step === 'raw' ? one.last : one[figure])
/** An average has more digits than what was measured. */
const digitsOf = (one: Series, { step, figure }: HistoryState) =>
  one.digits + (step !== 'raw' && figure === 'avg' ? 1 : 0)
const withUnit = (one: Series, state: HistoryState) => (value: number | null) =>
  value === null ? UNKNOWN : `${number(value, digitsOf(one, state))} ${unitText(one.unit)}`.trimEnd()

/** Samples without a good value; of a bucket their number. */
const badOf = (one: Series, raw: boolean) =>
  one.quality.reduce<number>(
    (sum, code) =>
      sum + (raw ? (code !== null && !hasValue(qualities[code] ?? 'badData') ? 1 : 0) : (code ?? 0)),
    0,
  )

/** One chart for each unit: their axes have nothing in common. */
function viewOf({ at, series }: History, state: HistoryState): ReportView {
  const charts: ReportChart[] = [...Map.groupBy(series, ({ unit }) => unit)].map(([unit, list]) => {
    const digits = Math.max(...list.map((one) => digitsOf(one, state)))
    return {
      key: unit,
      title: unitText(unit) || t('variable-history:noUnit'),
      series: list.map((one) => ({
        name: nameOf(one),
        values: shownOf(one, state),
        ...(state.figure === 'diff' && state.step !== 'raw' ? { kind: 'bar' as const } : {}),
      })),
      format: (value) => `${number(value, digits)} ${unitText(unit)}`.trimEnd(),
      digits,
    }
  })
  const days = state.step === 'day'
  return {
    at: days ? at.map((one) => moment(one).slice(0, 10)) : at,
    days,
    zone: viewerZone(),
    empty: series.every((one) => shownOf(one, state).every((value) => value === null)),
    tiles: [],
    charts,
    columns: [],
  }
}

/** What stands in the range that is in view. */
function Sums({ history, state, zoom }: { history: History; state: HistoryState; zoom: Zoom }) {
  const raw = state.step === 'raw'
  const known = (values: readonly (number | null)[]) => zoomed(values, zoom).filter((value) => value !== null)
  const format = (one: Series, values: number[], pick: (values: number[]) => number) =>
    withUnit(one, state)(values.length === 0 ? null : pick(values))
  return (
    <Card>
      <ReportTable
        label={t('variable-history:sums')}
        rows={history.series}
        rowKey={(one) => `${one.terminalId}.${one.variableId}`}
        columns={[
          { title: t('variable-history:column.variable'), cell: nameOf },
          {
            title: t('variable-history:figure.min'),
            numeric: true,
            cell: (one) =>
              format(one, known(raw ? one.last : one.min), (values) =>
                values.reduce((a, b) => Math.min(a, b)),
              ),
          },
          {
            title: t('variable-history:figure.max'),
            numeric: true,
            cell: (one) =>
              format(one, known(raw ? one.last : one.max), (values) =>
                values.reduce((a, b) => Math.max(a, b)),
              ),
          },
          {
            title: t('variable-history:figure.last'),
            numeric: true,
            cell: (one) => format(one, known(one.last), (values) => values.at(-1) ?? 0),
          },
          ...(raw
            ? []
            : [
                {
                  title: t('variable-history:figure.diff'),
                  numeric: true,
                  cell: (one: Series) =>
                    one.functionType === 'counter'
                      ? format(one, known(one.diff), (values) => values.reduce((a, b) => a + b, 0))
                      : UNKNOWN,
                },
              ]),
          {
            title: t('variable-history:bad'),
            numeric: true,
            cell: (one) => number(badOf({ ...one, quality: [...zoomed(one.quality, zoom)] }, raw)),
          },
        ]}
      />
    </Card>
  )
}

/** The newest first; the file has all. */
function Rows({ history, state, zoom }: { history: History; state: HistoryState; zoom: Zoom }) {
  const rows = zoomed(history.at, zoom)
    .map((at, i) => ({ at, i: i + (zoom?.[0] ?? 0) }))
    .toReversed()
    .slice(0, ROWS_MAX)
  const cell = (one: Series, i: number) => {
    const code = one.quality[i] ?? null
    const quality = code === null ? undefined : qualities[code]
    return state.step === 'raw' && quality && !hasValue(quality)
      ? t(`alarm:quality.${quality}`)
      : withUnit(one, state)(shownOf(one, state)[i] ?? null)
  }
  return (
    <Card>
      <ReportTable
        label={t('report:table')}
        rows={rows}
        rowKey={({ at }) => at}
        columns={[
          { title: t('report:time'), cell: ({ at }) => moment(at) },
          ...history.series.map((one) => ({
            title: nameOf(one),
            numeric: true,
            cell: ({ i }: { i: number }) => cell(one, i),
          })),
        ]}
      />
    </Card>
  )
}

export function Page() {
  const [state, setState] = useHistoryState()
  const [tick, setTick] = useState(0)
  const body = useHistoryBody(state, tick)
  const query = useCall(getVariableHistory, body ?? { from: '', to: '', step: 'raw' }, {
    enabled: body !== null,
    keepPrevious: true,
  })
  const slow = useSlow(query.isFetching)
  const history = body === null ? undefined : query.data
  const view = useMemo(() => (history ? viewOf(history, state) : null), [history, state])
  const zoom = useMemo(() => (view ? zoomOf(view.at, state.zoom) : null), [view, state.zoom])
  const setZoom = (next: Zoom) => void setState({ zoom: view ? zoomText(view.at, next) : null })
  const nothing = body === null ? t('variable-history:choose') : null
  return (
    <>
      <PageHeader
        title={screenTitle(variableHistoryScreen)}
        actions={
          <HeaderActions
            actions={[
              {
                key: 'refresh',
                icon: IconRefresh,
                label: t('variable-history:refresh'),
                reason: nothing,
                run: () => setTick(tick + 1),
              },
              {
                key: 'csv',
                icon: IconTableExport,
                label: t('report:csv'),
                reason: nothing,
                run: () => {
                  if (body) void download(exportVariableHistory, body, 'history.csv').catch(reportError)
                },
              },
            ]}
          />
        }
      />
      <HistoryFilters state={state} onChange={setState} />
      {body === null ? (
        <Empty title={t('variable-history:nothing')} text={t('variable-history:nothingText')} />
      ) : (
        <ReadBar read={query} />
      )}
      {body !== null && !history && slow ? <Skeleton h={360} /> : null}
      {history && view ? (
        <ChartGroupProvider>
          <div className={classes['stack']}>
            {history.thinnedFrom === null ? null : (
              <Text size="sm" c="dimmed">
                {t('variable-history:thinned', { n: number(history.thinnedFrom) })}
              </Text>
            )}
            {state.table ? (
              <Rows history={history} state={state} zoom={zoom} />
            ) : (
              view.charts.map((chart) => (
                <Card
                  key={chart.key}
                  title={chart.title}
                  side={
                    zoom ? (
                      <Button
                        size="compact-sm"
                        variant="subtle"
                        leftSection={<IconZoomReset size={16} stroke={1.5} />}
                        onClick={() => setZoom(null)}
                      >
                        {t('report:zoomReset')}
                      </Button>
                    ) : null
                  }
                >
                  {view.empty ? (
                    <NoChart height={280} />
                  ) : (
                    <ReportChartView
                      chart={chart}
                      view={view}
                      zoom={zoom}
                      onZoom={setZoom}
                      onReady={() => undefined}
                    />
                  )}
                </Card>
              ))
            )}
            <Sums history={history} state={state} zoom={zoom} />
          </div>
        </ChartGroupProvider>
      ) : null}
    </>
  )
}
