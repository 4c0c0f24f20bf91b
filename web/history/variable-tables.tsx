/** The history in figures: sums of what is in view, and its rows. */
import { hasValue, qualities } from '#schema/monitor/fields'
import { Card } from '../kit/card.tsx'
import { moment, number, UNKNOWN } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import type { HistoryState } from '../monitor/history-state.ts'
import { ReportTable } from '../report/report-table.tsx'
import { type Zoom, zoomed } from '../report/report-zoom.ts'
import { badOf, digitsOf, type History, nameOf, type Series, shownOf, withUnit } from './variable-view.ts'

const ROWS_MAX = 500

/** The content of the visible range. */
export function HistorySums({ history, state, zoom }: { history: History; state: HistoryState; zoom: Zoom }) {
  const raw = state.step === 'raw'
  const known = (values: readonly (number | null)[]) => zoomed(values, zoom).filter((value) => value !== null)
  const format = (one: Series, values: number[], pick: (values: number[]) => number) =>
    withUnit(one, values.length === 0 ? null : pick(values), one.digits)
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
export function HistoryRows({ history, state, zoom }: { history: History; state: HistoryState; zoom: Zoom }) {
  const raw = state.step === 'raw'
  const rows = zoomed(history.at, zoom)
    .map((at, i) => ({ at, i: i + (zoom?.[0] ?? 0) }))
    // Where a line ends, no sample came.
    .filter(({ i }) => !raw || history.series.some(({ quality }) => quality[i] != null))
    .toReversed()
    .slice(0, ROWS_MAX)
  const cell = (one: Series, i: number) => {
    const code = one.quality[i] ?? null
    const quality = code === null ? undefined : qualities[code]
    return raw && quality && !hasValue(quality)
      ? t(`alarm:quality.${quality}`)
      : withUnit(one, shownOf(one, state)[i] ?? null, digitsOf(one, state))
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
