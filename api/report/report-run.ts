/** Queries a report: first the frame, then all its parts in parallel. */

import { type SQL, sql } from 'drizzle-orm'
import { refuse } from '#schema/kit/refusal'
import { DEVICES_SHOWN, GROUPS_SHOWN, RANGE_DAYS_MAX, type ReportBody } from '#schema/report/report'
import { type Ends, type Frame, frameOf } from '#schema/report/report-frame'
import { reportRefusals } from '#schema/report/report-refusals'
import { type DeviceSums, devicesSql, groupsSql, type Sums, seriesSql } from '#schema/tables/report-cells'
import { rangeSql } from '#schema/tables/report-range'
import type { CallContext } from '../kit/handler.ts'
import { visible } from '../kit/scope.ts'
import { reachDevice, reachGroup } from '../kit/visible-ids.ts'
import { refuseUnknownZone } from './known-zone.ts'

const DAY_MS = 86_400_000

/** @throws Refusal for an unknown zone, group or device, and for a range that is too long or backwards. */
export async function askFrame(ctx: CallContext, body: ReportBody): Promise<Frame> {
  if (body.range === 'custom' && (!body.from || !body.to || body.from > body.to))
    refuse(reportRefusals.rangeBackwards, {}, 'from')
  if (body.groupId !== undefined) await reachGroup(ctx, body.groupId)
  if (body.deviceId !== undefined) await reachDevice(ctx, body.deviceId)
  const now = ctx.now()
  const [ends] = await ctx.db
    .execute<Ends>(rangeSql(body, now))
    .catch((error: unknown) => refuseUnknownZone(error, body.zone))
  if (!ends || ends.from >= ends.to) refuse(reportRefusals.rangeBackwards, {}, 'from')
  if (ends.to - ends.from > (RANGE_DAYS_MAX + 1) * DAY_MS)
    refuse(reportRefusals.rangeTooLong, { days: RANGE_DAYS_MAX }, 'from')
  const wide = visible(ctx.actor).everybody && body.groupId === undefined
  return frameOf(ends, body.zone, { wide, single: body.deviceId !== undefined }, now.getTime())
}

/** How lists are sorted: SQL over the sums. */
export type Ranking = { groups: SQL; devices: SQL; deviceWhere: SQL }
export type GroupSums = Sums & { groupId: number; groupName: string; customerName: string }
export type ReportRows = {
  frame: Frame
  series: ({ atMs: number } & Sums)[]
  previous: ({ atMs: number } & Sums)[] | null
  groups: GroupSums[]
  devices: DeviceSums[]
}

export async function runReport(ctx: CallContext, body: ReportBody, ranking: Ranking): Promise<ReportRows> {
  const frame = await askFrame(ctx, body)
  const scope = visible(ctx.actor).reports
  const ask = async <T extends Record<string, unknown>>(query: SQL) => [...(await ctx.db.execute<T>(query))]
  // A single device has only the chart.
  const listed = body.deviceId === undefined
  const [series, previous, groups, devices] = await Promise.all([
    ask<{ atMs: number } & Sums>(seriesSql(frame, scope, body)),
    body.previous ? ask<{ atMs: number } & Sums>(seriesSql(frame, scope, body, true)) : null,
    listed ? ask<GroupSums>(groupsSql(frame, scope, body, ranking.groups, GROUPS_SHOWN)) : [],
    listed
      ? ask<DeviceSums>(devicesSql(frame, scope, body, ranking.devices, ranking.deviceWhere, DEVICES_SHOWN))
      : [],
  ])
  return { frame, series, previous, groups, devices }
}

/** The common part of the response of every report over time. */
export const frameReply = ({ frame, series, previous }: ReportRows) => ({
  from: new Date(frame.from),
  to: new Date(frame.to),
  zone: frame.zone,
  step: frame.step,
  at: series.map(({ atMs }) => new Date(atMs)),
  previousFrom: previous ? new Date(frame.previousFrom) : null,
  devicesFrom: new Date(frame.devicesFrom),
  devicesTo: new Date(frame.devicesTo),
})

export const groupReply = ({ groupId, groupName, customerName, devices }: GroupSums) => ({
  groupId,
  groupName,
  customerName,
  devices: devices ?? 0,
})
export const deviceReply = ({ deviceId, groupId, deviceSn, deviceName, groupName }: DeviceSums) => ({
  deviceId,
  groupId,
  deviceSn,
  deviceName,
  groupName,
})

/** Aligns the previous period with the buckets of this one: shorter months leave gaps. */
export const fitted = <T>(values: readonly T[], length: number): (T | null)[] =>
  Array.from({ length }, (_, i) => values[i] ?? null)

export const ranked = (expression: string): SQL => sql.raw(expression)
