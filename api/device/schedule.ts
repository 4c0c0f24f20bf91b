import { and, eq, sql } from 'drizzle-orm'
import { detailRefusals } from '#schema/device/detail-refusals'
import { getSchedule, getScheduleRuns, runSchedules, saveSchedule } from '#schema/device/schedule'
import { isTimeZone, nextRuns } from '#schema/device/schedule-rule'
import { NO_EDITION } from '#schema/kit/edition'
import { refuse } from '#schema/kit/refusal'
import { sessionRefusals } from '#schema/people/session-refusals'
import { devices } from '#schema/tables/device'
import { scheduleRuns, schedules } from '#schema/tables/schedule'
import { users } from '#schema/tables/user'
import { editables } from '../kit/editables.ts'
import { editionOf, holdEdition } from '../kit/edition.ts'
import { handler } from '../kit/handler.ts'
import { reachHistory } from '../kit/history.ts'
import { knownName } from '../kit/known-name.ts'
import { listOf } from '../kit/list-of.ts'
import { reachDevice } from '../kit/visible-ids.ts'
import { wake } from '../kit/wake-job.ts'

export const getScheduleHandler = handler(getSchedule, async (ctx, body) => {
  const device = await reachHistory(ctx, body.deviceId)
  const [found] = await ctx.db
    .select({
      kind: schedules.kind,
      date: schedules.date,
      time: schedules.time,
      weekdays: schedules.weekdays,
      timeZone: schedules.timeZone,
      enabled: schedules.enabled,
      nextRunAt: schedules.nextRunAt,
      updatedAt: schedules.updatedAt,
      updatedBy: knownName(ctx.actor),
      revision: schedules.revision,
      toldRevision: schedules.toldRevision,
      knownUntil: schedules.toldUntil,
      edition: editionOf(editables.schedule),
    })
    .from(schedules)
    .innerJoin(devices, eq(devices.id, schedules.deviceId))
    .leftJoin(users, eq(users.id, schedules.updatedBy))
    // Of a former owner: it no longer runs, and it is not the new one's to read.
    .where(and(eq(schedules.deviceId, device.id), eq(schedules.customerId, devices.customerId)))
  if (!found) return { schedule: null, edition: NO_EDITION }
  const { edition, revision, toldRevision, nextRunAt, ...rest } = found
  const known = revision === toldRevision
  return {
    schedule: {
      ...rest,
      nextRunAt: rest.enabled ? nextRunAt : null,
      known,
      knownUntil: known ? rest.knownUntil : null,
    },
    edition,
  }
})

export const saveScheduleHandler = handler(saveSchedule, async (ctx, body) => {
  const device = await reachDevice(ctx, body.deviceId)
  const { deviceId: _, enabled, edition, ...given } = body
  if (!isTimeZone(given.timeZone))
    refuse(detailRefusals.timeZoneUnknown, { timeZone: given.timeZone }, 'timeZone')
  if (given.kind === 'once' && !given.date) refuse(detailRefusals.scheduleNoDate, {}, 'date')
  if (given.kind === 'weekly' && given.weekdays.length === 0)
    refuse(detailRefusals.scheduleNoDays, {}, 'weekdays')
  const rule = {
    ...given,
    date: given.kind === 'once' ? (given.date ?? null) : null,
    weekdays: given.kind === 'weekly' ? [...new Set(given.weekdays)].toSorted() : [],
  }
  const [first] = nextRuns(rule, ctx.now().getTime(), 1)
  if (enabled && first === undefined) refuse(detailRefusals.schedulePast, {}, 'date')
  const nextRunAt = enabled && first !== undefined ? new Date(first) : null
  const [before] = await ctx.db.select().from(schedules).where(eq(schedules.deviceId, device.id))
  const [owner] = await ctx.db
    .select({ customerId: devices.customerId })
    .from(devices)
    .where(eq(devices.id, device.id))
  if (!owner) refuse(sessionRefusals.noPermission)
  const values = {
    ...rule,
    enabled,
    nextRunAt,
    customerId: owner.customerId,
    updatedBy: ctx.actor.userId,
    updatedAt: ctx.now(),
    planTriedAt: null,
  }
  await ctx.db.transaction(async (tx) => {
    // The device is locked, because there may be no schedule yet to lock; a former owner's is as none.
    if (edition !== undefined)
      await tx.execute(sql`select 1 from devices where id = ${device.id} for no key update`)
    const mine = and(eq(schedules.deviceId, device.id), eq(schedules.customerId, owner.customerId))
    await holdEdition(ctx, tx, editables.schedule, { id: device.id, where: mine }, edition)
    await tx
      .insert(schedules)
      .values({ deviceId: device.id, ...values })
      .onConflictDoUpdate({
        target: schedules.deviceId,
        set: { ...values, revision: sql`${schedules.revision} + 1` },
      })
  })
  const shown = before && {
    enabled: before.enabled,
    kind: before.kind,
    date: before.date,
    time: before.time,
    weekdays: before.weekdays,
    timeZone: before.timeZone,
  }
  ctx.note({ object: device.sn, before: shown, after: { enabled, ...rule } })
  await wake(ctx, runSchedules)
  return { nextRunAt }
})

export const getScheduleRunsHandler = listOf(
  getScheduleRuns,
  { deviceId: scheduleRuns.deviceId, at: scheduleRuns.dueAt },
  ({ db }) => ({
    table: scheduleRuns,
    rows: db
      .select({
        id: scheduleRuns.id,
        dueAt: scheduleRuns.dueAt,
        state: scheduleRuns.state,
        by: scheduleRuns.by,
        reason: scheduleRuns.reason,
        endedAt: scheduleRuns.endedAt,
      })
      .from(scheduleRuns),
  }),
)
