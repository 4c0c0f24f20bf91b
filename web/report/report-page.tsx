import { Button, SimpleGrid, Skeleton, Text } from '@mantine/core'
import { IconPhoto, IconTableExport, IconZoomReset } from '@tabler/icons-react'
import { type ComponentType, useMemo, useRef, useState } from 'react'
import type { BodyOf, Call, ReplyOf } from '#schema/kit/call'
import { csvCell } from '#schema/kit/csv'
import type { Screen } from '#schema/kit/screen'
import { NO_PERMISSION } from '../kit/api.ts'
import { Card, Tile } from '../kit/card.tsx'
import { NoChart } from '../kit/chart/chart.tsx'
import { ChartGroupProvider } from '../kit/chart/chart-group.tsx'
import type { DrawnChart } from '../kit/chart/use-chart.ts'
import { Empty } from '../kit/empty.tsx'
import { ReadBar } from '../kit/error-bar.tsx'
import { moment } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { HeaderActions } from '../kit/page/header-actions.tsx'
import { PageHeader } from '../kit/page/page-header.tsx'
import { PrintLines } from '../kit/page/print-lines.tsx'
import { screenTitle } from '../kit/page/screen-title.ts'
import { reportError, useCall } from '../kit/query.ts'
import { serverNow } from '../kit/server/server-clock.ts'
import { useSlow } from '../kit/slow.ts'
import { saveCsv } from '../kit/transfer.ts'
import classes from './report.module.css'
import { ReportChartView } from './report-chart.tsx'
import { savePng } from './report-png.ts'
import { bodyOfState, type ReportChange, type ReportState, useReportState } from './report-state.ts'
import { ReportTable } from './report-table.tsx'
import type { ReportView } from './report-types.ts'
import { type Zoom, zoomed, zoomOf, zoomText } from './report-zoom.ts'

type Options<C extends Call> = {
  screen: Screen
  call: C
  exportName: string
  /** Converts the response to what is shown. */
  view: (reply: ReplyOf<C>, state: ReportState) => ReportView
  /** The filter fields; `onDescribe` is called with a description of the selected ones. */
  Filters: ComponentType<{
    state: ReportState
    onChange: ReportChange
    onDescribe: (described: string) => void
  }>
  /** Next to the exports. */
  Actions?: ComponentType<{ state: ReportState }>
}

/** The visible range as text, for pictures and files. */
function rangeText({ at, days }: ReportView, zoom: Zoom): string {
  const [first, last] = [zoomed(at, zoom)[0], zoomed(at, zoom).at(-1)]
  if (!first || !last) return ''
  return days ? `${first} – ${last}` : `${moment(first).slice(0, 16)} – ${moment(last).slice(0, 16)}`
}

/** `head`: the title, range and filters as text, as in a picture. */
const csvOf = (head: readonly string[], view: ReportView, zoom: Zoom) =>
  [
    head,
    [`${t('report:time')} (${view.zone})`, ...view.columns.map(({ title }) => title)],
    ...zoomed(view.at, zoom).map((at, i) => [
      view.days ? at : moment(at),
      ...view.columns.map(({ values }) => zoomed(values, zoom)[i] ?? null),
    ]),
  ]
    .map((row) => row.map(csvCell).join(','))
    .join('\r\n')

function Buckets({ view, zoom }: { view: ReportView; zoom: Zoom }) {
  const rows = zoomed(view.at, zoom).map((at, i) => ({ at, i: i + (zoom?.[0] ?? 0) }))
  return (
    <Card>
      <ReportTable
        label={t('report:table')}
        rows={rows}
        rowKey={({ at }) => at}
        columns={[
          {
            title: t('report:time'),
            cell: ({ at }) => (
              <span style={{ whiteSpace: 'nowrap' }}>{view.days ? at : moment(at).slice(0, 16)}</span>
            ),
          },
          ...view.columns.map(({ title, shownTitle, values, format }) => ({
            title: shownTitle ?? title,
            numeric: true,
            cell: ({ i }: { i: number }) => format(values[i] ?? null),
          })),
        ]}
      />
    </Card>
  )
}

type ShownProps = { view: ReportView; table: boolean; zoom: Zoom; onZoom: (zoom: Zoom) => void }

function Shown({ view, table, zoom, onZoom, charts }: ShownProps & { charts: Map<string, DrawnChart> }) {
  return (
    <div className={classes['stack']}>
      {view.tiles.length > 0 ? (
        <SimpleGrid cols={{ base: 2, sm: view.tiles.length }} spacing="sm" className={classes['tiles']}>
          {view.tiles.map(({ key, label, value, note }) => (
            <Tile key={key} label={label} value={value} note={note} />
          ))}
        </SimpleGrid>
      ) : null}
      {table ? (
        <Buckets view={view} zoom={zoom} />
      ) : (
        view.charts.map((chart) => (
          <Card
            key={chart.key}
            title={chart.title}
            side={
              zoom && !chart.labels ? (
                <Button
                  size="compact-sm"
                  variant="subtle"
                  leftSection={<IconZoomReset size={16} stroke={1.5} />}
                  onClick={() => onZoom(null)}
                >
                  {t('report:zoomReset')}
                </Button>
              ) : null
            }
          >
            {view.empty ? (
              <NoChart height={chart.height ?? 280} />
            ) : (
              <ReportChartView
                chart={chart}
                view={view}
                zoom={zoom}
                onZoom={onZoom}
                onReady={(made) => (made ? charts.set(chart.key, made) : charts.delete(chart.key))}
              />
            )}
          </Card>
        ))
      )}
      {view.note ? (
        <Text c="dimmed" size="xs">
          {view.note}
        </Text>
      ) : null}
      {view.below}
    </div>
  )
}

/** A whole report from a declaration: filters in the URL, synchronized zoom, table, CSV and picture. */
export function reportPage<C extends Call>({
  screen,
  call,
  exportName,
  view: show,
  Filters,
  Actions,
}: Options<C>) {
  return function ReportPage() {
    const [state, setState] = useReportState()
    const body = bodyOfState<C>(state)
    const report = useCall(call, (body ?? {}) as BodyOf<C>, { enabled: body !== null, keepPrevious: true })
    const slow = useSlow(report.isPending)
    const charts = useRef(new Map<string, DrawnChart>()).current
    const [described, setDescribed] = useState('')
    const view = useMemo(() => (report.data ? show(report.data, state) : null), [report.data, state])
    const zoom = useMemo(() => (view ? zoomOf(view.at, state.zoom) : null), [view, state.zoom])
    const title = screenTitle(screen)
    const name = (end: string) =>
      `${exportName}-${moment(new Date(serverNow())).replace(/[ :]/g, '-')}.${end}`
    // The figures of before are still drawn: as a file they would have the device and the range that were just chosen.
    const nothing = view && !report.isPlaceholderData ? null : t('report:notYet')
    const linesOf = (shown: ReportView) =>
      [rangeText(shown, zoom), described, t('report:zone', { zone: shown.zone })].filter(
        (line) => line !== '',
      )
    const savePicture = async () => {
      if (!view) return
      const shown = view.charts.flatMap(({ key, title: heading }) => {
        const chart = charts.get(key)
        return chart ? [{ title: heading, chart }] : []
      })
      await savePng({ title, lines: linesOf(view), charts: shown }, name('png'))
    }
    return (
      <>
        <PageHeader
          title={title}
          actions={
            <>
              {Actions ? <Actions state={state} /> : null}
              <HeaderActions
                actions={[
                  {
                    key: 'png',
                    icon: IconPhoto,
                    label: t('report:png'),
                    reason: nothing ?? (state.table || view?.empty ? t('report:noChart') : null),
                    run: () => void savePicture().catch(reportError),
                  },
                  {
                    key: 'csv',
                    icon: IconTableExport,
                    label: t('report:csv'),
                    reason: nothing,
                    run: () => view && saveCsv(csvOf([title, ...linesOf(view)], view, zoom), name('csv')),
                  },
                ]}
              />
            </>
          }
        />
        {view ? <PrintLines lines={linesOf(view)} /> : null}
        <Filters state={state} onChange={(change) => void setState(change)} onDescribe={setDescribed} />
        {report.error && report.error.code === NO_PERMISSION ? (
          <Empty kind="noPermission" title={t('report:noPermission')} />
        ) : (
          <ReadBar read={report} />
        )}
        {body === null ? <Empty kind="noMatch" title={t('report:chooseDays')} /> : null}
        {body !== null && !view && !report.error ? (
          <div className={classes['waiting']}>{slow ? <Skeleton h={420} /> : null}</div>
        ) : null}
        {view && body !== null ? (
          <ChartGroupProvider>
            <Shown
              view={view}
              table={state.table}
              zoom={zoom}
              onZoom={(next) => void setState({ zoom: zoomText(view.at, next) })}
              charts={charts}
            />
          </ChartGroupProvider>
        ) : null}
      </>
    )
  }
}
