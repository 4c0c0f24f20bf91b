/** What a report shows: pages make this of their answer, the template draws it. */
import type { ReactNode } from 'react'
import type { Series } from '../kit/chart/chart.tsx'

export type ReportChart = {
  key: string
  title: string
  series: readonly Series[]
  format: (value: number) => string
  min?: number
  max?: number
  /** Distance of the grid lines, of the values in view. */
  step?: (values: readonly (number | null)[]) => number
  stacked?: boolean
  height?: number
  /** Along names instead of time: neither zoomed nor part of the table. */
  labels?: readonly string[]
  onPick?: (series: string, index: number) => void
}
export type ReportColumn = {
  title: string
  values: readonly (number | null)[]
  format: (value: number | null) => string
}
export type ReportTile = { key: string; label: string; value: string; note?: string | undefined }

export type ReportView = {
  /** Of each bucket; for days, dates. */
  at: readonly string[]
  days: boolean
  /** Whose midnights divide the days, and by whose clocks the hours are. */
  zone: string
  /** Nothing was counted in the whole range. */
  empty: boolean
  tiles: readonly ReportTile[]
  charts: readonly ReportChart[]
  /** The charts' figures as a table, and as CSV. */
  columns: readonly ReportColumn[]
  /** A remark on the range, e.g. that days are those of UTC. */
  note?: string | undefined
  /** Below the charts. */
  below?: ReactNode
}
