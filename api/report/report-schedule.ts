import { isDeepStrictEqual } from 'node:util'
import { and, eq, sql } from 'drizzle-orm'
import { refuse } from '#schema/kit/refusal'
import { mayReceive } from '#schema/report/recipient'
import { type ReportBody, reportBody } from '#schema/report/report'
import { minuteOf, nextRun, timeText } from '#schema/report/report-calendar'
import { reportRefusals } from '#schema/report/report-refusals'
import {
  addReportSchedule,
  deleteReportSchedule,
  getReportScheduleList,
  modifyReportSchedule,
  SCHEDULES_MAX,
  type scheduleRanges,
  sendReportNow,
  sendReports,
} from '#schema/report/report-schedule'
import { devices } from '#schema/tables/device'
import { groups } from '#schema/tables/group'
import { scheduleRecipients } from '#schema/tables/recipient'
import { reportSchedules } from '#schema/tables/report-schedule'
import { users } from '#schema/tables/user'
import { edit, editionOf } from '../kit/edition.ts'
import { handler } from '../kit/handler.ts'
import { knownName } from '../kit/known-name.ts'
import { listOf } from '../kit/list-of.ts'
import { visible } from '../kit/scope.ts'
import { refuseSpent } from '../kit/spend-budget.ts'
import { reachDevice, reachGroup } from '../kit/visible-ids.ts'
import { wake } from '../kit/wake-job.ts'
import { withinBound } from '../kit/within-bound.ts'
import { askRecipients, unconfirmedAmong } from './ask-recipients.ts'
import { checkZone } from './known-zone.ts'
import { mayRead, readableSchedule, storedReportSchedule } from './report-schedule-reach.ts'

type Range = (typeof scheduleRanges)[number]

type Times = {
  every: 'day' | 'week' | 'month'
  weekday: number
  monthDay: number
  at: string
  zone: string
}
const calendarOf = ({ every, weekday, monthDay, at, zone }: Times) => ({
  every,
  dayNumber: every === 'week' ? weekday : every === 'month' ? monthDay : 1,
  minute: minuteOf(at),
  zone,
})
const unique = (recipients: readonly string[]) => [...new Set(recipients)]

export const getReportScheduleListHandler = listOf(
  getReportScheduleList,
  'reportSchedules',
  ({ db, actor }) => {
    const seen = visible(actor)
    return {
      table: reportSchedules,
      rows: db
        .select({
          id: reportSchedules.id,
          name: reportSchedules.name,
          report: reportSchedules.report,
          range: sql<Range>`${reportSchedules.filter} ->> 'range'`,
          model: sql<string | null>`${reportSchedules.filter} ->> 'model'`,
          every: reportSchedules.every,
          dayNumber: reportSchedules.dayNumber,
          minute: reportSchedules.minute,
          zone: reportSchedules.zone,
          language: reportSchedules.language,
          recipients: reportSchedules.recipients,
          recipientStates: scheduleRecipients,
          enabled: reportSchedules.enabled,
          stopped: reportSchedules.stopped,
          heldUntil: reportSchedules.heldUntil,
          nextRunAt: reportSchedules.nextRunAt,
          lastRunAt: reportSchedules.lastRunAt,
          owner: sql<string>`coalesce(${knownName(actor)}, '')`,
          edition: editionOf(storedReportSchedule.parts.main),
          // Only if visible to the actor: an administrator may see groups that another does not.
          groupName: sql<
            string | null
          >`(select ${groups.name} from ${groups} where ${groups.id} = (${reportSchedules.filter} ->> 'groupId')::int and ${seen.groups})`,
          deviceSn: sql<
            string | null
          >`(select ${devices.sn} from ${devices} where ${devices.id} = (${reportSchedules.filter} ->> 'deviceId')::int and ${seen.devices})`,
        })
        .from(reportSchedules)
        .innerJoin(users, eq(users.id, reportSchedules.ownerId)),
    }
  },
  (rows) =>
    rows.map(({ dayNumber, minute, ...row }) => ({
      ...row,
      weekday: row.every === 'week' ? dayNumber : 1,
      monthDay: row.every === 'month' ? dayNumber : 1,
      at: timeText(minute),
    })),
)

export const addReportScheduleHandler = handler(addReportSchedule, async (ctx, body) => {
  mayRead(ctx, body.report)
  await checkZone(ctx, body.zone)
  if (body.groupId !== undefined) await reachGroup(ctx, body.groupId)
  if (body.deviceId !== undefined) await reachDevice(ctx, body.deviceId)
  const { range, zone, groupId, deviceId, model } = body
  const filter: ReportBody = reportBody.parse({ range, zone, groupId, deviceId, model })
  const calendar = calendarOf(body)
  const recipients = unique(body.recipients)
  const { customerId } = ctx.actor
  const strangers = await unconfirmedAmong(ctx, customerId, recipients)
  const bound = {
    table: reportSchedules,
    where: eq(reportSchedules.ownerId, ctx.actor.userId),
    owner: ctx.actor.userId,
    max: SCHEDULES_MAX,
    full: () => refuse(reportRefusals.tooManySchedules, { max: SCHEDULES_MAX }),
  }
  const id = await withinBound(ctx, bound, async (tx) => {
    const [made] = await tx
      .insert(reportSchedules)
      .values({
        ...calendar,
        customerId,
        ownerId: ctx.actor.userId,
        name: body.name,
        report: body.report,
        filter,
        language: ctx.language,
        recipients,
        enabled: body.enabled,
        nextRunAt: nextRun(calendar, ctx.now()),
      })
      .returning({ id: reportSchedules.id })
    return made?.id ?? 0
  })
  // After it is stored: recipients must not be asked about a report that does not exist.
  await askRecipients(ctx, customerId, strangers)
  return { id }
})

export const modifyReportScheduleHandler = handler(modifyReportSchedule, async (ctx, body) => {
  const before = readableSchedule(ctx)
  await checkZone(ctx, body.zone)
  const calendar = calendarOf(body)
  const strangers = await unconfirmedAmong(ctx, before.customerId, unique(body.recipients))
  const after = {
    ...calendar,
    name: body.name,
    filter: { ...before.filter, range: body.range, zone: body.zone },
    recipients: unique(body.recipients),
    enabled: body.enabled,
  }
  await edit(ctx, { opened: body.edition }, async (tx) => {
    const { every, dayNumber, minute, zone, enabled } = reportSchedules
    const [now] = await tx
      .select({ calendar: { every, dayNumber, minute, zone }, enabled })
      .from(reportSchedules)
      .where(eq(reportSchedules.id, before.id))
    // A run that is due, or held by the budget, is still sent after something else was edited.
    const isPlanned = now?.enabled && isDeepStrictEqual(now.calendar, calendar)
    await tx
      .update(reportSchedules)
      .set({
        ...after,
        ...(body.enabled ? { stopped: null } : {}),
        ...(isPlanned ? {} : { nextRunAt: nextRun(calendar, ctx.now()), heldUntil: null }),
      })
      .where(eq(reportSchedules.id, before.id))
  })
  await askRecipients(ctx, before.customerId, strangers)
  return null
})

export const deleteReportScheduleHandler = handler(deleteReportSchedule, async (ctx) => {
  const found = readableSchedule(ctx)
  await ctx.db.delete(reportSchedules).where(eq(reportSchedules.id, found.id))
  return null
})

export const sendReportNowHandler = handler(sendReportNow, async (ctx) => {
  const found = readableSchedule(ctx)
  if (found.stopped) refuse(reportRefusals.scheduleStopped)
  const [row] = await ctx.db
    .select({ states: scheduleRecipients })
    .from(reportSchedules)
    .where(and(visible(ctx.actor).reportSchedules, eq(reportSchedules.id, found.id)))
  if (!row?.states.some(({ state }) => mayReceive(state))) refuse(reportRefusals.noneConfirmed)
  await refuseSpent(ctx, { customerId: found.customerId, purpose: 'report' })
  await ctx.db.update(reportSchedules).set({ requestedAt: ctx.now() }).where(eq(reportSchedules.id, found.id))
  await wake(ctx, sendReports)
  return null
})
