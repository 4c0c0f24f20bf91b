/** Which rows a report may sum: as SQL beside the tables, because the API and the mailing job both use it. */
import { and, eq, gt, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { ReportBody } from '../report/report.ts'
import { devices } from './device.ts'

/** What the user may see: all customers, or one (null: none), all of its groups (null) or some. */
export type ReportReach = {
  platform: boolean
  customerId: number | null
  groupIds: readonly number[] | null
}
export type ReportFilter = Pick<ReportBody, 'groupId' | 'deviceId' | 'model'>
export type ReportScope = {
  /** Visible rows of a table of sums; without selected groups the coarsest ones. */
  sums(table: SumColumns, filter: ReportFilter): SQL
  /** The same, one row for each group. */
  groups(table: SumColumns, filter: ReportFilter): SQL
  /** Visible devices. */
  devices(filter: ReportFilter): SQL
}
type SumColumns = { customerId: PgColumn; groupId: PgColumn; model: PgColumn }

const everything = sql`true`
const nothing = sql`false`
const all = (...conditions: (SQL | undefined)[]): SQL => and(...conditions) ?? everything

/** A group and its subgroups. */
const tree = (groupId: number) => sql`(with recursive tree as (
  select id from groups where id = ${groupId}
  union select below.id from groups below join tree on below.parent_id = tree.id) select id from tree)`

export function reportScope({ platform, customerId, groupIds }: ReportReach): ReportScope {
  const own = (column: PgColumn) =>
    platform ? undefined : customerId === null ? nothing : eq(column, customerId)
  const inGroups = (column: PgColumn) =>
    groupIds === null ? undefined : groupIds.length === 0 ? nothing : inArray(column, [...groupIds])
  const chosen = (column: PgColumn, groupId: number | undefined) =>
    groupId === undefined ? undefined : inArray(column, tree(groupId))
  return {
    sums: (table, { groupId }) =>
      all(
        own(table.customerId),
        inGroups(table.groupId),
        chosen(table.groupId, groupId),
        groupIds === null && groupId === undefined ? eq(table.groupId, 0) : undefined,
        platform && groupId === undefined ? eq(table.customerId, 0) : undefined,
      ),
    groups: (table, { groupId }) =>
      all(
        own(table.customerId),
        inGroups(table.groupId),
        chosen(table.groupId, groupId),
        gt(table.groupId, 0),
      ),
    devices: ({ groupId, deviceId, model }) =>
      all(
        own(devices.customerId),
        inGroups(devices.groupId),
        isNull(devices.deletedAt),
        chosen(devices.groupId, groupId),
        deviceId === undefined ? undefined : eq(devices.id, deviceId),
        model === undefined ? undefined : eq(devices.model, model),
      ),
  }
}
