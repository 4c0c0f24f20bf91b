/** The content of a report: pages build it from their response, the template renders it. */
import type { ReactNode } from 'react'
import type { FigureBands } from '#schema/kit/figure'
import type { Series, Span } from '../kit/chart/chart.tsx'

export type ReportChart = {
  key: string
  title: string
  series: readonly Series[]
  format: (value: number) => string
  min?: number
  max?: number
  /** Distance of the grid lines for the values in view. */
  step?: (values: readonly (number | null)[]) => number
  /** Decimals shown on the axis. */
  digits?: number
  bands?: FigureBands
  /** Times that are marked behind the lines. */
  spans?: readonly Span[] | undefined
  stacked?: boolean
  height?: number
  /** With labels instead of times: not zoomable, and not in the table. */
  labels?: readonly string[]
  onPick?: (series: string, index: number) => void
}
export type ReportColumn = {
  /** In CSV, where values are bare numbers: with the unit. */
  title: string
  /** In the table, if `format` adds a unit of its own. */
  shownTitle?: string
  values: readonly (number | null)[]
  format: (value: number | null) => string
}
export type ReportTile = { key: string; label: string; value: string; note?: string | undefined }

export type ReportView = {
  /** Start of each bucket; dates if buckets are days. */
  at: readonly string[]
  days: boolean
  /** The time zone of days and hours. */
  zone: string
  /** No data in the whole range. */
  empty: boolean
  tiles: readonly ReportTile[]
  charts: readonly ReportChart[]
  /** The charts' figures as a table, and as CSV. */
  columns: readonly ReportColumn[]
  /** A note on the range, e.g. that days are in UTC. */
  note?: string | undefined
  /** Below the charts. */
  below?: ReactNode
}
