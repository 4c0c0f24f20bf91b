/** The page is found first, by the terminals and the variables of their templates; then its values are read. */
import { type SQL, sql } from 'drizzle-orm'
import type { GivenReplyOf, ParsedBodyOf } from '#schema/kit/call'
import { hasValue, qualities, qualityCode, STALE_CYCLES } from '#schema/monitor/fields'
import { pairsOf } from '#schema/monitor/variable-history'
import { getVariableValues } from '#schema/monitor/variable-values'
import { devices } from '#schema/tables/device'
import { type CallContext, handler } from '../kit/handler.ts'
import { contains, page } from '../kit/paging.ts'
import { visible } from '../kit/scope.ts'
import { groupsBelow, projectGroups } from './project-figures.ts'
import { readTrends } from './variable-trends.ts'

type Body = ParsedBodyOf<typeof getVariableValues>
type Row = GivenReplyOf<typeof getVariableValues>['list'][number]

const GOOD = qualityCode('good')
/** A variable reported on change is sent at least once an hour; silence in between means nothing. */
const HEARTBEAT_S = 3_600
/** The age from which the value of a variable `v` is stale. */
export const staleAfterS = sql`(${STALE_CYCLES}::float8
  * case when v.report_type = 'change' then greatest(v.cycle_s, ${HEARTBEAT_S}::int) else v.cycle_s end)`
const isStale = sql`l.at < now() - interval '1 second' * ${staleAfterS}`

const states: Readonly<Record<NonNullable<Body['state']>, SQL>> = {
  good: sql`l.quality = ${GOOD} and not (${isStale})`,
  bad: sql`l.quality <> ${GOOD}`,
  stale: sql`${isStale}`,
  none: sql`l.at is null`,
}

const orders: Readonly<Record<NonNullable<Body['sort']>, SQL>> = {
  terminalName: sql`t.name`,
  name: sql`v.name`,
  deviceSn: sql`"devices".sn`,
  at: sql`l.at`,
}

const all = (conditions: readonly (SQL | undefined)[]) =>
  sql.join(
    conditions.filter((one) => one !== undefined).map((one) => sql`(${one})`),
    sql` and `,
  )

const ids = (pairs: ReturnType<typeof pairsOf>, name: 'terminalId' | 'variableId') =>
  sql.param(pairs.map((pair) => pair[name]))

/** Hidden terminals and variables are not collected. */
function conditionsOf({ actor }: CallContext, body: Body): SQL {
  const { search, terminalIds = [], variableIds = [] } = body
  const pairs = pairsOf({ terminalIds, variableIds })
  return all([
    visible(actor).devices,
    visible(actor).variables(sql`t.id`, sql`v.id`),
    sql`not t.hidden and not v.hidden`,
    body.deviceId === undefined ? undefined : sql`t.device_id = ${body.deviceId}`,
    body.terminalId === undefined ? undefined : sql`t.id = ${body.terminalId}`,
    body.templateId === undefined ? undefined : sql`t.template_id = ${body.templateId}`,
    body.groupId === undefined ? undefined : sql`${devices.groupId} in (${groupsBelow(body.groupId)})`,
    body.projectId === undefined ? undefined : sql`${devices.groupId} in (${projectGroups(body.projectId)})`,
    body.state === undefined ? undefined : states[body.state],
    body.terminalIds === undefined && body.variableIds === undefined
      ? undefined
      : sql`(t.id, v.id) in (select * from unnest(${ids(pairs, 'terminalId')}::int[], ${ids(pairs, 'variableId')}::int[]))`,
    search
      ? sql`v.name ilike ${contains(search)} or t.name ilike ${contains(search)} or ${devices.sn} ilike ${contains(search)}`
      : undefined,
  ])
}

/** Values are joined only if the request filters or sorts by them, because there are as many as variables. */
const asksValues = (body: Body) => body.state !== undefined || body.sort === 'at'

const joined = (withValues: boolean) => sql`
  terminals t join ${devices} on ${devices.id} = t.device_id
    join variables v on v.template_id = t.template_id
    ${withValues ? sql`left join variable_latest l on l.terminal_id = t.id and l.slot = v.slot` : sql``}`

export const getVariableValuesHandler = handler(getVariableValues, async (ctx, body) => {
  const where = conditionsOf(ctx, body)
  const sort = body.sort ?? 'terminalName'
  const down = (body.order ?? (getVariableValues.descending.includes(sort) ? 'desc' : 'asc')) === 'desc'
  const direction = down ? sql`desc nulls last` : sql`asc`
  const paged = ctx.db.execute<
    Omit<Row, 'quality' | 'trend' | 'trendMinutes'> & { quality: number | null }
  >(sql`
    with found as (
      select t.id as terminal_id, v.id as variable_id,
        row_number() over (order by ${orders[sort]} ${direction}, t.id, v.slot) as n
      from ${joined(asksValues(body))} where ${where}
      order by ${orders[sort]} ${direction}, t.id, v.slot
      limit ${body.limit} offset ${page(body)}
    )
    select t.id as "terminalId", v.slot, v.id as "variableId", v.template_id as "templateId", t.name as "terminalName",
      d.id as "deviceId", d.sn as "deviceSn", d.name as "deviceName", coalesce(ds.online, false)
        or exists (select 1 from south_terminals x where x.terminal_id = t.id) as "deviceOnline",
      d.time_zone as "timeZone", ts.state as "slaveState", v.name, v.unit, v.function_type as "functionType",
      v.data_type as "dataType", v.access, v.precision, v.min, v.max, v.cycle_s as "cycleS",
      l.at, l.value, l.text, l.quality, coalesce(${isStale}, false) as stale, l.good_at as "goodAt", l.good_value as "goodValue"
    from found join terminals t on t.id = found.terminal_id join variables v on v.id = found.variable_id
      join devices d on d.id = t.device_id
      left join device_states ds on ds.device_id = d.id
      left join terminal_states ts on ts.terminal_id = t.id
      left join variable_latest l on l.terminal_id = t.id and l.slot = v.slot
    order by found.n`)
  const counted = ctx.db.execute<{ total: number }>(
    sql`select count(*)::int as total from ${joined(body.state !== undefined)} where ${where}`,
  )
  const [rows, [total]] = await Promise.all([paged, counted])
  const trendOf = await readTrends(ctx, rows)
  const list = rows.map(({ quality, ...row }) => {
    const named = quality === null ? null : (qualities[quality] ?? 'badData')
    // A value of bad quality is null, whatever an earlier version stored.
    const value = named === null || !hasValue(named) ? null : row.value
    return {
      ...row,
      at: asDate(row.at),
      goodAt: asDate(row.goodAt),
      value,
      quality: named,
      trend: trendOf(row).values,
      trendMinutes: trendOf(row).minutes,
    }
  })
  return { list, total: total?.total ?? 0 }
})

const asDate = (at: Date | string | null): Date | null => (at === null ? null : new Date(at))
