import { and, desc, eq, gte, isNotNull, isNull, lt, or, sql } from 'drizzle-orm'
import { ALARM_SPANS_MAX, getAlarmSpans, getVariableAlarmList } from '#schema/monitor/variable-alarm'
import { pairsOf } from '#schema/monitor/variable-history'
import { alarms } from '#schema/tables/alarm'
import { variableLatest } from '#schema/tables/collection'
import { variables } from '#schema/tables/collection-template'
import { devices } from '#schema/tables/device'
import { terminals } from '#schema/tables/terminal'
import { listPastAlarms } from '../alarm/alarm-rows.ts'
import { type CallContext, handler } from '../kit/handler.ts'
import { visible } from '../kit/scope.ts'

const DAY_MS = 86_400_000

/**
 * The current values of the variables of these alarms; none if the terminal has another template by now, or is where the reader does not
 * see it: alarms stay with the group in which they ended.
 */
async function currentOf({ db, actor }: CallContext, ids: number[]) {
  const rows = await db
    .select({
      id: alarms.id,
      value: variableLatest.value,
      text: variableLatest.text,
      at: variableLatest.at,
      quality: variableLatest.quality,
      // The condition keeps the one that it began with; "-" means none.
      unit: sql<string>`case when ${variables.unit} = '-' then '' else ${variables.unit} end`,
    })
    .from(alarms)
    .innerJoin(terminals, eq(terminals.id, alarms.terminalId))
    .innerJoin(devices, eq(devices.id, terminals.deviceId))
    .innerJoin(
      variables,
      and(eq(variables.id, alarms.variableId), eq(variables.templateId, terminals.templateId)),
    )
    .innerJoin(
      variableLatest,
      and(
        eq(variableLatest.terminalId, terminals.id),
        eq(variableLatest.slot, variables.slot),
        gte(variableLatest.at, terminals.templateSince),
      ),
    )
    .where(and(visible(actor).terminals, sql`${alarms.id} = any(${`{${ids.join(',')}}`}::bigint[])`))
  return new Map(rows.map(({ id, ...current }) => [id, current]))
}

export const getVariableAlarmListHandler = handler(getVariableAlarmList, async (ctx, body) => {
  const found = await listPastAlarms(
    ctx,
    body,
    and(
      // Not a parameter: the planner must see that the index on this kind serves.
      sql`${alarms.kind} = 'variable'`,
      body.days ? gte(alarms.lastAt, new Date(ctx.now().getTime() - body.days * DAY_MS)) : undefined,
      body.state && (body.state === 'active' ? isNull(alarms.endedAt) : isNotNull(alarms.endedAt)),
    ),
  )
  const current = await currentOf(
    ctx,
    found.list.map(({ id }) => id),
  )
  return { ...found, list: found.list.map((row) => ({ ...row, current: current.get(row.id) ?? null })) }
})

export const getAlarmSpansHandler = handler(getAlarmSpans, async ({ db, actor }, body) => {
  const pairs = pairsOf(body)
  if (pairs.length === 0) return { list: [] }
  const found = await db
    .select({
      id: alarms.id,
      terminalId: alarms.terminalId,
      variableId: alarms.variableId,
      terminalName: alarms.terminalName,
      variableName: alarms.variableName,
      ruleName: alarms.ruleName,
      severity: alarms.severity,
      startedAt: alarms.startedAt,
      endedAt: alarms.endedAt,
    })
    .from(alarms)
    .where(
      and(
        visible(actor).alarms,
        eq(alarms.kind, 'variable'),
        or(
          ...pairs.map((one) =>
            and(eq(alarms.terminalId, one.terminalId), eq(alarms.variableId, one.variableId)),
          ),
        ),
        lt(alarms.startedAt, new Date(body.to)),
        or(isNull(alarms.endedAt), gte(alarms.endedAt, new Date(body.from))),
      ),
    )
    .orderBy(desc(alarms.startedAt), desc(alarms.id))
    .limit(ALARM_SPANS_MAX)
  return {
    list: found.map(({ terminalId, variableId, terminalName, variableName, ...span }) => ({
      ...span,
      terminalId: terminalId ?? 0,
      variableId: variableId ?? 0,
      terminalName: terminalName ?? '',
      variableName: variableName ?? '',
    })),
  }
})
