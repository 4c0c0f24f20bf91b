/** Alarm records in lists: real-time, history, and a device's own have the same rows. */
import {
  and,
  asc,
  count,
  desc,
  eq,
  gte,
  inArray,
  isNotNull,
  isNull,
  like,
  lte,
  or,
  type SQL,
  sql,
} from 'drizzle-orm'
import { type AnyPgColumn, alias } from 'drizzle-orm/pg-core'
import { getAlarmList } from '#schema/alarm/alarm'
import type { AlarmKind, Severity } from '#schema/alarm/alarm-kind'
import { alarmIncidents, alarms, alarmText, severityRank } from '#schema/tables/alarm'
import { customers } from '#schema/tables/customer'
import { devices } from '#schema/tables/device'
import { taskItems } from '#schema/tables/task'
import { users } from '#schema/tables/user'
import { countSome, searchedSince } from '../kit/bounded-count.ts'
import type { CallContext } from '../kit/handler.ts'
import { knownName } from '../kit/known-name.ts'
import { contains, page } from '../kit/paging.ts'
import { visible } from '../kit/scope.ts'
import { groupTree } from '../kit/visible-ids.ts'

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
  terminalId?: number | undefined
}

type Column = AnyPgColumn | SQL

/** Each is an index of the table, forwards or backwards; for one device or rule the newest come first. */
const ways: Record<NonNullable<AlarmQuestion['sort']>, [same: Column[], opposite: Column[]]> = {
  lastAt: [[alarms.lastAt, alarms.id], []],
  startedAt: [[alarms.startedAt, alarms.id], []],
  severity: [[severityRank(alarms.severity)], [alarms.lastAt, alarms.id]],
  deviceName: [[alarms.deviceName], [alarms.lastAt, alarms.id]],
  ruleName: [[alarms.ruleName], [alarms.lastAt, alarms.id]],
}

type Question = Pick<AlarmQuestion, 'sort' | 'order'>

function byIndex({ sort, order }: Question, of: (column: Column) => Column = (column) => column): SQL[] {
  const by = sort ?? getAlarmList.sorts[0]
  const down = (order ?? (getAlarmList.descending.includes(by) ? 'desc' : 'asc')) === 'desc'
  const [same, opposite] = ways[by]
  const [first, second] = down ? [desc, asc] : [asc, desc]
  return [...same.map((column) => first(of(column))), ...opposite.map((column) => second(column))]
}

/** Open alarms are few and sorted directly: an index of all alarms would scan past all those long ended. */
const bySorting = (question: Question): SQL[] =>
  byIndex(question, (column) => sql`coalesce(${column}, ${column})`)

/** Of devices that were in these groups when they raised the alarm, and of tasks with devices in them. */
const ofGroups = (ids: number[]) =>
  or(
    inArray(alarms.groupId, ids),
    sql`${alarms.taskId} is not null and exists (select 1 from ${taskItems} join ${devices} on ${devices.id} = ${taskItems.deviceId}
      where ${taskItems.taskId} = ${alarms.taskId} and ${inArray(devices.groupId, ids)})`,
  )

async function whereOf(ctx: CallContext, body: AlarmQuestion, extra: SQL | undefined) {
  const groupIds = body.groupId ? await groupTree(ctx, body.groupId) : undefined
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
    same(alarms.terminalId, body.terminalId),
    groupIds && ofGroups(groupIds),
    body.ack && (body.ack === 'open' ? isNull(alarms.ackAt) : isNotNull(alarms.ackAt)),
    body.handled && (body.handled === 'processed' ? isNotNull(alarms.handledAt) : isNull(alarms.handledAt)),
    body.search ? like(alarmText(alarms), contains(body.search.toLowerCase())) : undefined,
    extra,
  )
}

const acker = alias(users, 'acker')
const handler = alias(users, 'alarm_handler')

/** All alarms of the table, counted and searched up to a limit (docs/decisions/050). */
export async function listPastAlarms(ctx: CallContext, body: AlarmQuestion, extra: SQL | undefined) {
  const since = await searchedSince(ctx.db, alarms, alarms.lastAt, visible(ctx.actor).alarms, body.search)
  const where = await whereOf(ctx, body, and(extra, since ?? undefined))
  const [list, counted] = await Promise.all([
    alarmPage(ctx, body, where, byIndex(body)),
    countSome(ctx.db, alarms, where),
  ])
  return { list, ...counted, ...(since ? { more: true } : {}) }
}

/** Alarms that are open or have just ended; rows and counts are of one moment. */
export async function listAlarms(ctx: CallContext, body: AlarmQuestion, extra: SQL | undefined) {
  const { severity, ...rest } = body
  const any = await whereOf(ctx, rest, extra)
  const where = and(any, severity && eq(alarms.severity, severity))
  const { actor } = ctx
  const { list, counted } = await ctx.db.transaction(
    async (db) => ({
      list: await alarmPage({ db, actor }, body, where, bySorting(body)),
      counted: await db
        .select({ value: alarms.severity, count: count() })
        .from(alarms)
        .where(any)
        .groupBy(alarms.severity),
    }),
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  )
  const shown = counted.filter(({ value }) => severity === undefined || value === severity)
  return { list, total: shown.reduce((sum, one) => sum + one.count, 0), severities: counted }
}

type Reader = { db: Pick<CallContext['db'], 'select'>; actor: CallContext['actor'] }

function alarmPage({ db, actor }: Reader, body: AlarmQuestion, where: SQL | undefined, order: SQL[]) {
  // The page is found by an index first, then filled: joining costs only ten rows.
  const found = db
    .select({ id: alarms.id })
    .from(alarms)
    .where(where)
    .orderBy(...order)
    .limit(body.limit)
    .offset(page(body))
    .as('found')
  return db
    .select({
      id: alarms.id,
      kind: alarms.kind,
      severity: alarms.severity,
      ruleId: alarms.ruleId,
      ruleName: alarms.ruleName,
      deviceId: alarms.deviceId,
      taskId: alarms.taskId,
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
      ackBy: knownName(actor, acker, alarms.ackBy),
      handledAt: alarms.handledAt,
      handledBy: knownName(actor, handler, alarms.handledBy),
      note: alarms.note,
      incidentId: alarms.incidentId,
      incidentName: alarmIncidents.name,
      incidentGround: alarmIncidents.ground,
      terminalId: alarms.terminalId,
      terminalName: alarms.terminalName,
      variableName: alarms.variableName,
      condition: alarms.condition,
      unknownSince: alarms.unknownSince,
      unknownWhy: alarms.unknownWhy,
    })
    .from(found)
    .innerJoin(alarms, eq(alarms.id, found.id))
    .leftJoin(customers, eq(customers.id, alarms.customerId))
    .leftJoin(alarmIncidents, eq(alarmIncidents.id, alarms.incidentId))
    .leftJoin(acker, eq(acker.id, alarms.ackBy))
    .leftJoin(handler, eq(handler.id, alarms.handledBy))
    .orderBy(...order)
}

export const between = (from: string | undefined, to: string | undefined) =>
  and(
    from ? gte(alarms.lastAt, new Date(from)) : undefined,
    to ? lte(alarms.startedAt, new Date(to)) : undefined,
  )
