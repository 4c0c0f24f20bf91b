/** Alarm records as lists show them: real-time, history, and a device's own are the same rows. */
import { and, asc, count, desc, eq, gte, ilike, isNotNull, isNull, lte, or, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { type AlarmKind, type Severity, severities } from '#schema/alarm-kind'
import { alarmIncidents, alarms } from '#schema/tables/alarm'
import { customers } from '#schema/tables/customer'
import { users } from '#schema/tables/user'
import type { CallContext } from './handler.ts'
import { contains, page } from './paging.ts'
import { reachGroup } from './reach.ts'
import { visible } from './scope.ts'

export type AlarmQuestion = {
  offset: number
  limit: number
  search?: string | undefined
  sort?: 'lastAt' | 'startedAt' | 'severity' | 'deviceName' | 'ruleName' | undefined
  order?: 'asc' | 'desc' | undefined
  severity?: Severity | undefined
  kind?: AlarmKind | undefined
  ack?: 'acknowledged' | 'open' | undefined
  handled?: 'processed' | 'unprocessed' | undefined
  ruleId?: number | undefined
  groupId?: number | undefined
  deviceId?: number | undefined
  incidentId?: number | undefined
  customerId?: number | undefined
}

const rank = sql`array_position(array[${sql.join(
  severities.map((one) => sql`${one}`),
  sql`, `,
)}], ${alarms.severity})`
const sorts = {
  lastAt: alarms.lastAt,
  startedAt: alarms.startedAt,
  severity: rank,
  deviceName: alarms.deviceName,
  ruleName: alarms.ruleName,
} as const

const treeOf = (groupId: number): SQL => sql`${alarms.groupId} in (
  with recursive tree as (
    select id from groups where id = ${groupId}
    union select g.id from groups g join tree on g.parent_id = tree.id
  ) select id from tree)`

async function whereOf(ctx: CallContext, body: AlarmQuestion, extra: SQL | undefined) {
  if (body.groupId) await reachGroup(ctx, body.groupId)
  const pattern = body.search ? contains(body.search) : undefined
  const same = <T>(column: Parameters<typeof eq>[0], value: T | undefined) =>
    value === undefined ? undefined : eq(column, value)
  return and(
    visible(ctx.actor).alarms,
    same(alarms.severity, body.severity),
    same(alarms.kind, body.kind),
    same(alarms.ruleId, body.ruleId),
    same(alarms.deviceId, body.deviceId),
    same(alarms.incidentId, body.incidentId),
    same(alarms.customerId, body.customerId),
    body.groupId ? treeOf(body.groupId) : undefined,
    body.ack && (body.ack === 'open' ? isNull(alarms.ackAt) : isNotNull(alarms.ackAt)),
    body.handled && (body.handled === 'processed' ? isNotNull(alarms.handledAt) : isNull(alarms.handledAt)),
    pattern
      ? or(ilike(alarms.sn, pattern), ilike(alarms.deviceName, pattern), ilike(alarms.ruleName, pattern))
      : undefined,
    extra,
  )
}

const acker = alias(users, 'acker')
const handler = alias(users, 'alarm_handler')

export async function listAlarms(ctx: CallContext, body: AlarmQuestion, extra: SQL | undefined) {
  const where = await whereOf(ctx, body, extra)
  const column = sorts[body.sort ?? 'lastAt']
  const newestFirst = body.order === 'desc' || (body.sort === undefined && body.order === undefined)
  const list = await ctx.db
    .select({
      id: alarms.id,
      kind: alarms.kind,
      severity: alarms.severity,
      ruleId: alarms.ruleId,
      ruleName: alarms.ruleName,
      deviceId: alarms.deviceId,
      sn: alarms.sn,
      deviceName: alarms.deviceName,
      timeZone: sql<
        string | null
      >`(select d.time_zone from devices d where d.id = ${alarms.deviceId} and d.customer_id = ${alarms.customerId})`,
      groupId: alarms.groupId,
      groupName: alarms.groupName,
      customerName: customers.name,
      subject: alarms.subject,
      value: alarms.value,
      threshold: alarms.threshold,
      detail: alarms.detail,
      startedAt: alarms.startedAt,
      lastAt: alarms.lastAt,
      endedAt: alarms.endedAt,
      endReason: alarms.endReason,
      times: alarms.times,
      ackAt: alarms.ackAt,
      ackBy: acker.username,
      handledAt: alarms.handledAt,
      handledBy: handler.username,
      note: alarms.note,
      incidentId: alarms.incidentId,
      incidentName: alarmIncidents.name,
      incidentGround: alarmIncidents.ground,
    })
    .from(alarms)
    .innerJoin(customers, eq(customers.id, alarms.customerId))
    .leftJoin(alarmIncidents, eq(alarmIncidents.id, alarms.incidentId))
    .leftJoin(acker, eq(acker.id, alarms.ackBy))
    .leftJoin(handler, eq(handler.id, alarms.handledBy))
    .where(where)
    .orderBy(newestFirst ? desc(column) : asc(column), desc(alarms.lastAt), desc(alarms.id))
    .limit(body.limit)
    .offset(page(body))
  const [counted] = await ctx.db.select({ total: count() }).from(alarms).where(where)
  return { list, total: counted?.total ?? 0 }
}

export const between = (from: string | undefined, to: string | undefined) =>
  and(
    from ? gte(alarms.lastAt, new Date(from)) : undefined,
    to ? lte(alarms.startedAt, new Date(to)) : undefined,
  )
