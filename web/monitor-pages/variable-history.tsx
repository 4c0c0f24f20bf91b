import { Button, Skeleton, Text } from '@mantine/core'
import { IconPhoto, IconRefresh, IconTableExport, IconZoomReset } from '@tabler/icons-react'
import { useMemo, useRef, useState } from 'react'
import type { Word } from '#schema/kit/words.gen'
import { getVariableHistory, variableHistoryScreen } from '#schema/monitor/variable-history'
import { bandsOf, HistoryAlarms, useAlarmSpans } from '../history/variable-alarms.tsx'
import { HistoryCost, useHistoryCost } from '../history/variable-cost.tsx'
import { HistoryDownload, useHistoryDownload } from '../history/variable-download.tsx'
import { HistoryRows, HistorySums } from '../history/variable-tables.tsx'
import { viewOf } from '../history/variable-view.ts'
import { Card } from '../kit/card.tsx'
import { NoChart } from '../kit/chart/chart.tsx'
import { ChartGroupProvider } from '../kit/chart/chart-group.tsx'
import type { DrawnChart } from '../kit/chart/use-chart.ts'
import { Empty } from '../kit/empty.tsx'
import { ReadBar } from '../kit/error-bar.tsx'
import { moment, number } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { HeaderActions } from '../kit/page/header-actions.tsx'
import { PageHeader } from '../kit/page/page-header.tsx'
import { PrintLines } from '../kit/page/print-lines.tsx'
import { screenTitle } from '../kit/page/screen-title.ts'
import { reportError, useCall } from '../kit/query.ts'
import { serverNow } from '../kit/server/server-clock.ts'
import { useSlow } from '../kit/slow.ts'
import { HistoryFilters } from '../monitor/history-filters.tsx'
import { bodyBefore, pairsOf, useHistoryBody, useHistoryState } from '../monitor/history-state.ts'
import classes from '../monitor/monitor.module.css'
import { ReportChartView } from '../report/report-chart.tsx'
import { savePng } from '../report/report-png.ts'
import { type Zoom, zoomOf, zoomText } from '../report/report-zoom.ts'

export const words: readonly Word[] = ['variable-history', 'report', 'alarm', 'severity']

export function Page() {
  const [state, setState] = useHistoryState()
  const [tick, setTick] = useState(0)
  const body = useHistoryBody(state, tick)
  const cost = useHistoryCost(body)
  const query = useCall(getVariableHistory, body ?? { from: '', to: '', step: 'raw' }, {
    enabled: cost.mayRead,
    keepPrevious: true,
  })
  const slow = useSlow(query.isFetching || cost.read.isFetching)
  const history = body === null || cost.isHeld ? undefined : query.data
  const earlier = state.previous ? bodyBefore(body) : null
  const past = useCall(getVariableHistory, earlier ?? { from: '', to: '', step: 'raw' }, {
    enabled: earlier !== null && cost.mayRead,
  })
  const before = earlier === null ? undefined : past.data
  const alarms = useAlarmSpans(body)
  const view = useMemo(() => (history ? viewOf(history, before, state) : null), [history, before, state])
  const charts = useMemo(
    () =>
      view?.charts.map((chart) => ({
        ...chart,
        spans: [
          ...(chart.spans ?? []),
          ...bandsOf(
            alarms.list,
            (history?.series ?? []).filter(({ unit }) => unit === chart.key),
          ),
        ],
      })) ?? [],
    [view, history, alarms.list],
  )
  const file = useHistoryDownload()
  const drawn = useRef(new Map<string, DrawnChart>()).current
  const title = screenTitle(variableHistoryScreen)
  const savePicture = async () => {
    if (!view) return
    const shown = view.charts.flatMap(({ key, title: heading }) => {
      const chart = drawn.get(key)
      return chart ? [{ title: heading || t('variable-history:noUnit'), chart }] : []
    })
    await savePng(
      { title, lines, charts: shown },
      `history-${moment(new Date(serverNow())).replace(/[ :]/g, '-')}.png`,
    )
  }
  const zoom = useMemo(() => (view ? zoomOf(view.at, state.zoom) : null), [view, state.zoom])
  const ends = zoom ? [view?.at[zoom[0]], view?.at[zoom[1]]] : [body?.from, body?.to]
  const range = ends.map((end) => (end && !(view?.days && zoom) ? moment(end) : end)).join(' – ')
  const lines = view ? [range, t('report:zone', { zone: view.zone })] : []
  const setZoom = (next: Zoom) => void setState({ zoom: view ? zoomText(view.at, next) : null })
  const isRangeMissing = body === null && pairsOf(state.series).length > 0
  const nothing =
    body === null ? t(isRangeMissing ? 'variable-history:chooseTimes' : 'variable-history:choose') : null
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
                // While the charts of before are still drawn, the picture would have the new range on it.
                reason:
                  nothing ??
                  (query.isPlaceholderData
                    ? t('report:notYet')
                    : state.table || !view || view.empty
                      ? t('report:noChart')
                      : null),
                run: () => void savePicture().catch(reportError),
              },
              {
                key: 'csv',
                icon: IconTableExport,
                label: t('report:csv'),
                reason: nothing ?? (file.isRunning ? t('variable-history:file.running') : null),
                run: () => {
                  if (body) file.start(body)
                },
              },
            ]}
          />
        }
      />
      <PrintLines lines={lines} />
      <HistoryFilters state={state} onChange={setState} />
      {body === null ? (
        isRangeMissing ? (
          <Empty kind="noMatch" title={t('variable-history:chooseTimes')} />
        ) : (
          <Empty title={t('variable-history:nothing')} text={t('variable-history:nothingText')} />
        )
      ) : (
        <ReadBar read={query} />
      )}
      {earlier === null ? null : <ReadBar read={past} />}
      {body === null ? null : <ReadBar read={cost.read} />}
      {body === null ? null : <ReadBar read={alarms.read} />}
      {file.progress ? <HistoryDownload progress={file.progress} onStop={file.stop} /> : null}
      {cost.isHeld && cost.cost ? (
        <HistoryCost
          cost={cost.cost}
          isFormer={cost.isFormer}
          step={state.step}
          onAgree={cost.agree}
          onStep={(step) => void setState({ step, zoom: null })}
        />
      ) : null}
      {body !== null && !cost.isHeld && !history && slow ? <Skeleton h={360} /> : null}
      {history && view ? (
        <ChartGroupProvider>
          <div className={classes['stack']}>
            {history.thinnedFrom === null ? null : (
              <Text size="sm" c="dimmed">
                {t('variable-history:thinned', { n: number(history.thinnedFrom) })}
              </Text>
            )}
            {state.table ? (
              <HistoryRows history={history} state={state} zoom={zoom} />
            ) : (
              charts.map((chart) => (
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
                      onReady={(made) => (made ? drawn.set(chart.key, made) : drawn.delete(chart.key))}
                    />
                  )}
                </Card>
              ))
            )}
            <HistorySums history={history} state={state} zoom={zoom} />
            {alarms.list.length > 0 ? <HistoryAlarms list={alarms.list} /> : null}
          </div>
        </ChartGroupProvider>
      ) : null}
    </>
  )
}
