/** The range of a device's charts, one for all of them, in the page's URL. */
import { Group } from '@mantine/core'
import { parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs'
import { useMemo } from 'react'
import { t } from '../kit/i18n.ts'
import { PrintLines } from '../kit/page/print-lines.tsx'
import { serverNow } from '../kit/server/server-clock.ts'
import { RangePicker } from '../report/range-picker.tsx'

const deviceRanges = ['24h', '7d', '30d', 'custom'] as const
type DeviceRange = (typeof deviceRanges)[number]

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const HOURS = { '24h': 24, '7d': 7 * 24, '30d': 30 * 24 } as const
/** Not shorter than the time between two samples: buckets without any would look like gaps. */
const WIDTHS_MS = [10 * MINUTE_MS, 30 * MINUTE_MS, ...[1, 2, 4, 6].map((hours) => hours * HOUR_MS)]
const BUCKETS_MAX = 200
const BUCKETS_MIN = 10

const parsers = {
  range: parseAsStringLiteral(deviceRanges).withDefault('24h'),
  from: parseAsString.withDefault(''),
  to: parseAsString.withDefault(''),
}

/** Not the names that the lists of the page use. */
const URL_KEYS = { from: 'rangeFrom', to: 'rangeTo' } as const

/** Midnight of the viewer's zone at the beginning of a day (YYYY-MM-DD), or some days later; null: there is no such day. */
function midnight(day: string, later = 0): Date | null {
  const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day) ?? []
  const begins = new Date(Number(year), Number(month) - 1, Number(date))
  // A thirteenth month or a thirtieth of February would be another day.
  if (begins.getMonth() !== Number(month) - 1 || begins.getDate() !== Number(date)) return null
  return new Date(Number(year), Number(month) - 1, Number(date) + later)
}

/** A range as the calls of charts take it; null: an own range is incomplete. */
export function chartBody(
  { range, from, to }: { range: DeviceRange; from: string; to: string },
  nowMs: number,
): { hours?: number; from?: string; to?: string; buckets: number } | null {
  const bucketsOf = (ms: number) => {
    const width = WIDTHS_MS.find((one) => ms / one <= BUCKETS_MAX) ?? WIDTHS_MS.at(-1) ?? HOUR_MS
    return Math.min(500, Math.max(BUCKETS_MIN, Math.round(ms / width)))
  }
  if (range !== 'custom') return { hours: HOURS[range], buckets: bucketsOf(HOURS[range] * HOUR_MS) }
  const [first, end] = [midnight(from), midnight(to, 1)]
  if (!first || !end) return null
  const last = Math.min(end.getTime(), nowMs)
  return {
    from: first.toISOString(),
    to: end.toISOString(),
    buckets: bucketsOf(Math.max(0, last - first.getTime())),
  }
}

export function useDeviceRange() {
  const [state, setState] = useQueryStates(parsers, { history: 'replace', urlKeys: URL_KEYS })
  const { range, from, to } = state
  // One body for each choice: a later one has the same buckets, unless the own range ends in the future.
  const body = useMemo(() => chartBody({ range, from, to }, serverNow()), [range, from, to])
  return { state, setState, body }
}
type DeviceRangeState = ReturnType<typeof useDeviceRange>

/** The reports' choice of ranges, for all charts of a device. */
export function DeviceRangePicker({ range: { state, setState } }: { range: DeviceRangeState }) {
  const { range, from, to } = state
  return (
    <>
      <PrintLines
        lines={[
          t('kit:labelled', {
            label: t('report:range.label'),
            text: range === 'custom' ? `${from} – ${to}` : t(`report:range.${range}`),
          }),
        ]}
      />
      <Group gap={8} role="toolbar" aria-label={t('report:range.label')}>
        <RangePicker ranges={deviceRanges} state={state} onChange={(change) => void setState(change)} />
      </Group>
    </>
  )
}
