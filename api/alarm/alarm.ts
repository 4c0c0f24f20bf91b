import { and, eq, gte, inArray, isNotNull, isNull, or, sql } from 'drizzle-orm'
import {
  acknowledgeAlarms,
  alarmObject,
  deleteNoteTemplate,
  getAlarmCount,
  getAlarmFacets,
  getAlarmHistory,
  getAlarmList,
  getNoteTemplates,
  handleAlarms,
  noteTemplateObject,
  saveNoteTemplate,
} from '#schema/alarm/alarm'
import { alarmKindNames, isEndedByHand, severities } from '#schema/alarm/alarm-kind'
import { alarmRefusals } from '#schema/alarm/alarm-refusals'
import { refuse } from '#schema/kit/refusal'
import { absent, sessionRefusals } from '#schema/people/session-refusals'
import { alarmMarks, alarmNoteTemplates, alarms } from '#schema/tables/alarm'
import { devices } from '#schema/tables/device'
import { rowOf, tell } from '../kit/about.ts'
import { type CallContext, handler } from '../kit/handler.ts'
import { visible } from '../kit/scope.ts'
import { stored } from '../kit/stored.ts'
import { withinBound } from '../kit/within-bound.ts'
import { outsideOutages } from './alarm-outages.ts'
import { between, listAlarms, listPastAlarms } from './alarm-rows.ts'

const DAY_MS = 86_400_000
const TEMPLATES_MAX = 50
const FACET_MAX = 100

export const storedAlarm = stored({
  object: alarmObject,
  table: alarms,
  id: alarms.id,
  name: sql`coalesce(nullif(${alarms.sn}, ''), ${alarms.deviceName})`,
  customerId: alarms.customerId,
  deviceId: alarms.deviceId,
  seen: (walls) => walls.alarms,
  row: () => ({ id: alarms.id }),
})

export const getAlarmListHandler = handler(getAlarmList, (ctx, body) => {
  const lately = gte(alarms.endedAt, new Date(ctx.now().getTime() - DAY_MS))
  const state = {
    active: isNull(alarms.endedAt),
    cleared: lately,
    all: or(isNull(alarms.endedAt), lately),
  }[body.state]
  return listAlarms(ctx, body, and(state, body.fold && outsideOutages(ctx.actor)))
})

export const getAlarmHistoryHandler = handler(getAlarmHistory, (ctx, body) =>
  listPastAlarms(
    ctx,
    body,
    and(
      between(body.from, body.to),
      body.days ? gte(alarms.lastAt, new Date(ctx.now().getTime() - body.days * DAY_MS)) : undefined,
      body.state && (body.state === 'active' ? isNull(alarms.endedAt) : isNotNull(alarms.endedAt)),
    ),
  ),
)

const active = (ctx: CallContext) => and(visible(ctx.actor).alarms, isNull(alarms.endedAt))

export const getAlarmFacetsHandler = handler(getAlarmFacets, async (ctx) => {
  const by = (value: typeof alarms.ruleId | typeof alarms.groupId, label: typeof alarms.ruleName) =>
    ctx.db
      .select({
        value: sql<string>`${value}::text`,
        label: sql<string>`max(${label})`,
        count: sql<number>`count(*)::int`,
      })
      .from(alarms)
      .where(and(active(ctx), isNotNull(value)))
      .groupBy(value)
      .orderBy(sql`count(*) desc`)
      .limit(FACET_MAX)
  const [rules, byDevice, groups] = await Promise.all([
    by(alarms.ruleId, alarms.ruleName),
    by(alarms.deviceId as never, alarms.deviceName as never),
    by(alarms.groupId, alarms.groupName as never),
  ])
  return { rules, devices: byDevice, groups }
})

export const getAlarmCountHandler = handler(getAlarmCount, async (ctx) => {
  const rows = await ctx.db
    .select({
      severity: alarms.severity,
      active: sql<number>`count(*)::int`,
      open: sql<number>`(count(*) filter (where ${alarms.ackAt} is null))::int`,
      newestMs: sql<string>`extract(epoch from max(${alarms.lastAt})) * 1000`,
    })
    .from(alarms)
    .where(active(ctx))
    .groupBy(alarms.severity)
  const open = rows.filter((row) => row.open > 0).map((row) => row.severity)
  const newest = Math.max(0, ...rows.map((row) => Number(row.newestMs)))
  return {
    open: rows.reduce((sum, row) => sum + row.open, 0),
    active: rows.reduce((sum, row) => sum + row.active, 0),
    worst: severities.find((severity) => open.includes(severity)) ?? null,
    newestAt: newest > 0 ? new Date(newest) : null,
    severities: severities.flatMap((severity) => {
      const row = rows.find((one) => one.severity === severity)
      return row ? [{ severity, active: row.active }] : []
    }),
  }
})

type Chosen = { alarmIds: readonly number[]; incidentId?: number | undefined }

/** All of them or none: invisible ids are treated like missing ones. */
async function reachAlarms(ctx: CallContext, { alarmIds, incidentId }: Chosen) {
  const rows = await ctx.db
    .select({
      id: alarms.id,
      sn: alarms.sn,
      name: alarms.deviceName,
      kind: alarms.kind,
      deviceId: alarms.deviceId,
      incidentId: alarms.incidentId,
    })
    .from(alarms)
    .where(
      and(
        visible(ctx.actor).alarms,
        or(
          inArray(alarms.id, [...alarmIds]),
          // An existing note on a device of an outage is not overwritten.
          incidentId === undefined
            ? undefined
            : and(eq(alarms.incidentId, incidentId), isNull(alarms.handledAt)),
        ),
      ),
    )
  const ids = new Set(rows.map(({ id }) => id))
  if (alarmIds.some((id) => !ids.has(id))) refuse(absent)
  if (incidentId !== undefined && !rows.some((row) => row.incidentId === incidentId))
    refuse(sessionRefusals.noPermission)
  return rows
}
/** One SQL parameter, however many alarms an outage has. */
const among = (rows: readonly { id: number }[]) =>
  sql`${alarms.id} = any(${`{${rows.map(({ id }) => id).join(',')}}`}::bigint[])`
const named = (rows: readonly { id: number; sn: string; name: string }[]) =>
  rows.map(({ id, sn, name }) => ({ id, name: sn || name }))

const outage = ({ incidentId }: Chosen) => (incidentId === undefined ? {} : { incidentId })

export const acknowledgeAlarmsHandler = handler(acknowledgeAlarms, async (ctx, body) => {
  const rows = await reachAlarms(ctx, body)
  const changed = await ctx.db
    .update(alarms)
    .set({ ackAt: ctx.now(), ackBy: ctx.actor.userId })
    .where(and(among(rows), isNull(alarms.ackAt), isNull(alarms.endedAt)))
    .returning({ id: alarms.id })
  tell(ctx, named(rows))
  ctx.note({ after: { ...outage(body), acknowledged: changed.map(({ id }) => id) } })
  return { changed: changed.length }
})

const byHand = alarmKindNames.filter(isEndedByHand)

export const handleAlarmsHandler = handler(handleAlarms, async (ctx, body) => {
  const rows = await reachAlarms(ctx, body)
  const now = ctx.now()
  const { changed, kept } = await ctx.db.transaction(async (tx) => {
    const handled = await tx
      .update(alarms)
      .set({
        handledAt: now,
        handledBy: ctx.actor.userId,
        note: body.note,
        ackAt: sql`coalesce(${alarms.ackAt}, ${now.toISOString()}::timestamptz)`,
        ackBy: sql`coalesce(${alarms.ackBy}, ${ctx.actor.userId}::int)`,
      })
      .where(and(among(rows), isNull(alarms.handledAt)))
      .returning({ id: alarms.id })
    const ids = new Set(handled.map(({ id }) => id))
    const before = body.alarmIds.filter((id) => !ids.has(id)).length
    // Their notes are not overwritten. The note of the caller belongs to the others, if there are any.
    if (before > 0 && ids.size === 0) refuse(alarmRefusals.alarmHandled, { count: before }, 'alarmIds')
    const changed = rows.filter(({ id }) => ids.has(id))
    await tx
      .update(alarms)
      .set({ endedAt: now, endReason: 'handled', notified: 'all' })
      .where(and(among(changed), isNull(alarms.endedAt), inArray(alarms.kind, byHand)))
    // The configuration of a handled drift is the accepted one from now on.
    const drifted = changed.flatMap(({ kind, deviceId }) =>
      kind === 'configDrift' && deviceId !== null ? [deviceId] : [],
    )
    if (drifted.length > 0)
      await tx
        .update(alarmMarks)
        .set({
          configHash: sql`(select ${devices.configHash} from ${devices} where ${devices.id} = ${alarmMarks.deviceId})`,
        })
        .where(inArray(alarmMarks.deviceId, drifted))
    return { changed, kept: before }
  })
  tell(ctx, named(changed))
  ctx.note({ after: { ...outage(body), note: body.note, alarms: changed.map(({ id }) => id) } })
  return { changed: changed.length, kept }
})

/** Platform users have no customer, and so no templates. */
const ofMine = ({ actor }: Pick<CallContext, 'actor'>) =>
  eq(alarmNoteTemplates.customerId, actor.customerId ?? 0)

export const storedNoteTemplate = stored({
  object: noteTemplateObject,
  table: alarmNoteTemplates,
  id: alarmNoteTemplates.id,
  name: alarmNoteTemplates.text,
  customerId: alarmNoteTemplates.customerId,
  seen: (_, actor) => ofMine({ actor }),
  row: () => ({ id: alarmNoteTemplates.id }),
})

export const getNoteTemplatesHandler = handler(getNoteTemplates, async (ctx) => ({
  list: await ctx.db
    .select({ id: alarmNoteTemplates.id, text: alarmNoteTemplates.text })
    .from(alarmNoteTemplates)
    .where(ofMine(ctx))
    .orderBy(alarmNoteTemplates.text)
    .limit(TEMPLATES_MAX),
}))

export const saveNoteTemplateHandler = handler(saveNoteTemplate, async (ctx, body) => {
  const customerId = ctx.actor.customerId ?? refuse(alarmRefusals.customerMissing)
  const bound = {
    table: alarmNoteTemplates,
    where: ofMine(ctx),
    owner: customerId,
    max: TEMPLATES_MAX,
    full: () => refuse(alarmRefusals.noteTemplatesFull, { max: TEMPLATES_MAX }),
  }
  await withinBound(ctx, bound, (tx) =>
    tx.insert(alarmNoteTemplates).values({ customerId, text: body.text }).onConflictDoNothing(),
  )
  return null
})

export const deleteNoteTemplateHandler = handler(deleteNoteTemplate, async (ctx) => {
  const { id } = rowOf(ctx, storedNoteTemplate)
  await ctx.db.delete(alarmNoteTemplates).where(eq(alarmNoteTemplates.id, id))
  return null
})
