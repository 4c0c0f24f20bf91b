import { and, eq, sql } from 'drizzle-orm'
import { scheduledReboot, setSchedule } from '#schema/device/commands/schedule'
import { detailRefusals } from '#schema/device/detail-refusals'
import { deviceRefusals } from '#schema/device/device-refusals'
import { getSchedule, getScheduleRuns, runSchedules, saveSchedule } from '#schema/device/schedule'
import { isTimeZone, nextRuns } from '#schema/device/schedule-rule'
import { NO_EDITION } from '#schema/kit/edition'
import { refuse } from '#schema/kit/refusal'
import { devices } from '#schema/tables/device'
import { scheduleRuns, schedules } from '#schema/tables/schedule'
import { users } from '#schema/tables/user'
import { rowOf } from '../kit/about.ts'
import { edit, editionOf } from '../kit/edition.ts'
import { type CallContext, handler } from '../kit/handler.ts'
import { reachHistory } from '../kit/history.ts'
import { knownName } from '../kit/known-name.ts'
import { listOf } from '../kit/list-of.ts'
import { wake } from '../kit/wake-job.ts'
import { storedDevice } from './device-object.ts'

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
      updatedBy: knownName(ctx.actor, users, schedules.updatedBy),
      revision: schedules.revision,
      confirmedRevision: schedules.confirmedRevision,
      knownUntil: schedules.sentUntil,
      edition: editionOf(storedDevice.parts.schedule),
    })
    .from(schedules)
    .innerJoin(devices, eq(devices.id, schedules.deviceId))
    .leftJoin(users, eq(users.id, schedules.updatedBy))
    // A former owner's schedule no longer runs, and is not visible to the new one.
    .where(and(eq(schedules.deviceId, device.id), eq(schedules.customerId, devices.customerId)))
  if (!found) return { schedule: null, edition: NO_EDITION }
  const { edition, revision, confirmedRevision, nextRunAt, ...rest } = found
  const known = revision === confirmedRevision
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

/** A device that keeps the times itself has the first; to one that does not, the platform sends the second in time. */
const restarts = [setSchedule.name, scheduledReboot.name]

export const saveScheduleHandler = handler(saveSchedule, async (ctx, body) => {
  const device = rowOf(ctx, storedDevice)
  const { deviceId: _, enabled, edition, ...given } = body
  if (enabled && device.features && !restarts.some((name) => device.features?.includes(name)))
    refuse(deviceRefusals.deviceUnsupported, {}, 'deviceId')
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
  const values = {
    ...rule,
    enabled,
    nextRunAt,
    customerId: device.customerId,
    updatedBy: ctx.actor.userId,
    updatedAt: ctx.now(),
    planTriedAt: null,
  }
  // A former owner's schedule counts as none.
  const where = sql`${schedules.deviceId} = ${device.id} and ${schedules.customerId} = ${device.customerId}`
  const target = { of: storedDevice, part: 'schedule', id: device.id, where }
  // The device is locked, because there may be no schedule yet to lock.
  const lock = (tx: Pick<CallContext['db'], 'execute'>) =>
    tx.execute(sql`select 1 from devices where id = ${device.id} for no key update`)
  await edit(ctx, { opened: edition, target, lock }, (tx) =>
    tx
      .insert(schedules)
      .values({ deviceId: device.id, ...values })
      .onConflictDoUpdate({
        target: schedules.deviceId,
        set: { ...values, revision: sql`${schedules.revision} + 1` },
      }),
  )
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
