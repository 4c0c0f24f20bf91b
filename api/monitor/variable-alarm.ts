import { and, eq, gte, isNotNull, isNull, sql } from 'drizzle-orm'
import { getVariableAlarmList } from '#schema/monitor/variable-alarm'
import { alarms } from '#schema/tables/alarm'
import { variableLatest } from '#schema/tables/collection'
import { variables } from '#schema/tables/collection-template'
import { terminals } from '#schema/tables/terminal'
import { listPastAlarms } from '../alarm/alarm-rows.ts'
import { type CallContext, handler } from '../kit/handler.ts'

const DAY_MS = 86_400_000

/** What the variables of these alarms are now; of a terminal with another template since, nothing. */
async function currentOf({ db }: CallContext, ids: number[]) {
  const rows = await db
    .select({
      id: alarms.id,
      value: variableLatest.value,
      text: variableLatest.text,
      at: variableLatest.at,
      quality: variableLatest.quality,
    })
    .from(alarms)
    .innerJoin(terminals, eq(terminals.id, alarms.terminalId))
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
    .where(sql`${alarms.id} = any(${`{${ids.join(',')}}`}::bigint[])`)
  return new Map(rows.map(({ id, ...current }) => [id, current]))
}

export const getVariableAlarmListHandler = handler(getVariableAlarmList, async (ctx, body) => {
  const found = await listPastAlarms(
    ctx,
    body,
    and(
      eq(alarms.kind, 'variable'),
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
