import { Button, Skeleton, Text } from '@mantine/core'
import { IconPhoto, IconRefresh, IconTableExport, IconZoomReset } from '@tabler/icons-react'
import { useMemo, useRef, useState } from 'react'
import type { Word } from '#schema/kit/words.gen'
import { hasValue, qualities } from '#schema/monitor/fields'
import {
  exportVariableHistory,
  getVariableHistory,
  variableHistoryScreen,
} from '#schema/monitor/variable-history'
import {
  badOf,
  type History,
  nameOf,
  type Series,
  shownOf,
  viewOf,
  withUnit,
} from '../history/variable-view.ts'
import { Card } from '../kit/card.tsx'
import { NoChart } from '../kit/chart/chart.tsx'
import { ChartGroupProvider } from '../kit/chart/chart-group.tsx'
import type { DrawnChart } from '../kit/chart/use-chart.ts'
import { Empty } from '../kit/empty.tsx'
import { ReadBar } from '../kit/error-bar.tsx'
import { moment, number, UNKNOWN } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { HeaderActions } from '../kit/page/header-actions.tsx'
import { PageHeader } from '../kit/page/page-header.tsx'
import { screenTitle } from '../kit/page/screen-title.ts'
import { reportError, useCall } from '../kit/query.ts'
import { serverNow } from '../kit/server/server-clock.ts'
import { useSlow } from '../kit/slow.ts'
import { download } from '../kit/transfer.ts'
import { HistoryFilters } from '../monitor/history-filters.tsx'
import { bodyBefore, type HistoryState, useHistoryBody, useHistoryState } from '../monitor/history-state.ts'
import classes from '../monitor/monitor.module.css'
import { ReportChartView } from '../report/report-chart.tsx'
import { savePng } from '../report/report-png.ts'
import { ReportTable } from '../report/report-table.tsx'
import { type Zoom, zoomed, zoomOf, zoomText } from '../report/report-zoom.ts'

export const words: readonly Word[] = ['variable-history', 'report', 'alarm']

const ROWS_MAX = 500

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
  const earlier = state.previous ? bodyBefore(body) : null
  const past = useCall(getVariableHistory, earlier ?? { from: '', to: '', step: 'raw' }, {
    enabled: earlier !== null,
  })
  const before = earlier === null ? undefined : past.data
  const view = useMemo(() => (history ? viewOf(history, before, state) : null), [history, before, state])
  const charts = useRef(new Map<string, DrawnChart>()).current
  const title = screenTitle(variableHistoryScreen)
  const savePicture = async () => {
    if (!view) return
    const shown = view.charts.flatMap(({ key, title: heading }) => {
      const chart = charts.get(key)
      return chart ? [{ title: heading || t('variable-history:noUnit'), chart }] : []
    })
    const ends = zoom ? [view.at[zoom[0]], view.at[zoom[1]]] : [body?.from, body?.to]
    const range = ends.map((end) => (end && !(view.days && zoom) ? moment(end) : end)).join(' – ')
    const lines = [range, t('report:zone', { zone: view.zone })]
    await savePng(
      { title, lines, charts: shown },
      `history-${moment(new Date(serverNow())).replace(/[ :]/g, '-')}.png`,
    )
  }
  const zoom = useMemo(() => (view ? zoomOf(view.at, state.zoom) : null), [view, state.zoom])
  const setZoom = (next: Zoom) => void setState({ zoom: view ? zoomText(view.at, next) : null })
  const nothing = body === null ? t('variable-history:choose') : null
  return (
    <>
      <PageHeader
        title={title}
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
                key: 'png',
                icon: IconPhoto,
                label: t('report:png'),
                reason: nothing ?? (state.table || !view || view.empty ? t('report:noChart') : null),
                run: () => void savePicture().catch(reportError),
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
      {earlier === null ? null : <ReadBar read={past} />}
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
                      onReady={(made) => (made ? charts.set(chart.key, made) : charts.delete(chart.key))}
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
