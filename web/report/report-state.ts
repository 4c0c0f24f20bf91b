/** The parameters of a report, stored in the page's URL, so that a shared link shows the same. */
import { parseAsBoolean, parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs'
import type { BodyOf, Call } from '#schema/kit/call'
import { reportRanges } from '#schema/report/report'
import { viewerZone } from '../kit/format.ts'

const parsers = {
  range: parseAsStringLiteral(reportRanges).withDefault('7d'),
  from: parseAsString.withDefault(''),
  to: parseAsString.withDefault(''),
  groupId: parseAsString.withDefault(''),
  deviceId: parseAsString.withDefault(''),
  model: parseAsString.withDefault(''),
  previous: parseAsBoolean.withDefault(false),
  table: parseAsBoolean.withDefault(false),
  /** First and last bucket in view. */
  zoom: parseAsString.withDefault(''),
}

export const useReportState = () => useQueryStates(parsers, { history: 'replace' })
export type ReportState = ReturnType<typeof useReportState>[0]
export type ReportChange = (change: { [K in keyof ReportState]?: ReportState[K] | null }) => void

/** null: a custom range is incomplete. */
export function bodyOfState<C extends Call>(state: ReportState): BodyOf<C> | null {
  const { range, from, to, groupId, deviceId, model, previous } = state
  if (range === 'custom' && (from === '' || to === '')) return null
  return {
    range,
    zone: viewerZone(),
    previous,
    ...(range === 'custom' ? { from, to } : {}),
    ...(groupId ? { groupId } : {}),
    ...(deviceId ? { deviceId } : {}),
    ...(model ? { model } : {}),
  } as BodyOf<C>
}
