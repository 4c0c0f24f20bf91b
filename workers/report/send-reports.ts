/** Scheduled reports that are due: made, queued as mail and moved on in one transaction each. */

import { type SQL, sql } from 'drizzle-orm'
import { queueMail } from '#infra/mail'
import { sayIn } from '#infra/say'
import { budgetWaitMs } from '#infra/send-budget'
import type { Language } from '#schema/kit/refusal'
import { type MailFile, sendMails } from '#schema/platform/mail'
import { mayReceive, type RecipientState } from '#schema/report/recipient'
import { GROUPS_SHOWN, type ReportBody, type ReportKind } from '#schema/report/report'
import { type Calendar, nextRun } from '#schema/report/report-calendar'
import { type Ends, type Frame, frameOf } from '#schema/report/report-frame'
import {
  type GroupRow,
  mailText,
  type SeriesRow,
  seriesFiles,
  versionFiles,
} from '#schema/report/report-mail'
import { type ScheduleEvery, type ScheduleStop, sendReports } from '#schema/report/report-schedule'
import { scheduleRecipients } from '#schema/tables/recipient'
import { groupsSql, seriesSql } from '#schema/tables/report-cells'
import { rangeSql } from '#schema/tables/report-range'
import { reportScope } from '#schema/tables/report-scope'
import { currentVersionsSql, type VersionCount } from '#schema/tables/report-versions'
import { processor, type Transaction, type WorkerContext } from '../kit/processor.ts'
import { type OwnerView, targetsInView, viewOfOwner } from './report-owner.ts'

type Due = {
  id: number
  name: string
  ownerId: number
  customerId: number | null
  report: ReportKind
  filter: ReportBody
  every: ScheduleEvery
  dayNumber: number
  minute: number
  zone: string
  language: Language
  requested: boolean
}

/** @param now of the whole mail: its text and its files name the same moment */
async function makeFiles(
  ctx: WorkerContext,
  due: Due,
  view: OwnerView,
  now: Date,
): Promise<{ frame: Frame; files: MailFile[] }> {
  const ask = async <T extends Record<string, unknown>>(query: SQL) => [...(await ctx.db.execute<T>(query))]
  const { filter, report } = due
  const say = sayIn(due.language)
  const [ends] = await ask<Ends>(rangeSql(filter, now))
  if (!ends) throw new Error('a range without ends')
  const frame = frameOf(
    ends,
    filter.zone,
    { wide: view.reach.platform, single: filter.deviceId !== undefined },
    now.getTime(),
  )
  const scope = reportScope(view.reach)
  const span = { from: frame.from, to: Math.min(frame.to, now.getTime()), zone: frame.zone }
  if (report === 'version') {
    // The versions of this moment, whatever range was chosen.
    const present = { from: now.getTime(), to: now.getTime() }
    return {
      frame: { ...frame, ...present },
      files: versionFiles(
        say,
        { report, ...span, ...present },
        await ask<VersionCount>(currentVersionsSql(scope, filter)),
      ),
    }
  }
  const [series, groups] = await Promise.all([
    ask<SeriesRow>(seriesSql(frame, scope, filter)),
    filter.deviceId ? [] : ask<GroupRow>(groupsSql(frame, scope, filter, sql`1`, GROUPS_SHOWN)),
  ])
  const files = seriesFiles(say, { report, ...span }, { series, groups, step: frame.step })
  return { frame, files: filter.deviceId ? files.slice(0, 1) : files }
}

const stop = (tx: Transaction, id: number, why: ScheduleStop) =>
  tx`update report_schedules set enabled = false, stopped = ${why}, requested_at = null where id = ${id}`

/** Nothing is sent to an address that is neither known nor confirmed. */
async function receiversOf({ db }: WorkerContext, id: number): Promise<string[]> {
  const [row] = await db.execute<{ states: { email: string; state: RecipientState }[] }>(
    sql`select ${scheduleRecipients} as states from report_schedules where id = ${id}`,
  )
  return (row?.states ?? []).filter(({ state }) => mayReceive(state)).map(({ email }) => email)
}

/** Computed from now, not from the time it was due: missed runs are sent once. */
const reschedule = (tx: Transaction, due: Due, now: Date, sent: boolean) => tx`
  update report_schedules set requested_at = null, held_until = null, last_run_at = case when ${sent} then ${now}::timestamptz else last_run_at end,
    next_run_at = case when next_run_at <= ${now} then ${nextRun(due, now)}::timestamptz else next_run_at end
  where id = ${due.id}`

/** Schedules that could not be sent, and until when they are left out: the others must not wait for one whose query fails or lasts too long. */
const failed = new Map<number, number>()
const FAILED_MS = 900_000

function failedNow(): number[] {
  for (const [id, until] of failed) if (until <= performance.now()) failed.delete(id)
  return [...failed.keys()]
}

/** Returns true if one was handled; there may be more. */
async function sendNext(ctx: WorkerContext): Promise<boolean> {
  let begun: number | undefined
  try {
    return await ctx.sql.begin((tx) =>
      sendDue(ctx, tx, (id) => {
        begun = id
      }),
    )
  } catch (error) {
    if (begun === undefined) throw error
    failed.set(begun, performance.now() + FAILED_MS)
    ctx.log.error({ err: error, schedule: begun }, 'scheduled report not sent')
    return true
  }
}

async function sendDue(
  ctx: WorkerContext,
  tx: Transaction,
  begin: (scheduleId: number) => void,
): Promise<boolean> {
  const now = ctx.now()
  const [due] = await tx<Due[]>`
      select id, name, owner_id as "ownerId", customer_id as "customerId", report, filter, every, day_number as "dayNumber",
        minute, zone, language, requested_at is not null as requested
      from report_schedules where ((enabled and next_run_at <= ${now}) or requested_at is not null)
        and (held_until is null or held_until <= ${now}) and id <> all(${failedNow()}::int[])
      order by next_run_at limit 1 for update skip locked`
  if (!due) return false
  begin(due.id)
  const waitMs = await budgetWaitMs(tx, ctx.parameters, { customerId: due.customerId, purpose: 'report' })
  if (waitMs > 0) {
    const until = new Date(now.getTime() + waitMs)
    await tx`update report_schedules set held_until = ${until} where id = ${due.id}`
    ctx.log.warn({ schedule: due.id, customer: due.customerId, until }, 'scheduled report held back')
    return true
  }
  const view = await viewOfOwner(tx, due)
  const why =
    typeof view === 'string' ? view : (await targetsInView(tx, view.reach, due.filter)) ? null : 'targetGone'
  if (typeof view === 'string' || why !== null) {
    await stop(tx, due.id, why ?? 'targetGone')
    ctx.log.info({ schedule: due.id, why }, 'scheduled report stopped')
    return true
  }
  const receivers = await receiversOf(ctx, due.id)
  if (receivers.length === 0) {
    await reschedule(tx, due, now, false)
    ctx.log.info({ schedule: due.id }, 'scheduled report without a confirmed recipient')
    return true
  }
  const { frame, files } = await makeFiles(ctx, due, view, now)
  const mail = { ...due, from: frame.from, to: Math.min(frame.to, now.getTime()), owner: view.username }
  const { subject, text } = mailText(sayIn(due.language), mail)
  for (const recipient of receivers)
    await queueMail(tx, ctx.parameters, {
      customerId: due.customerId,
      purpose: 'report',
      recipient,
      subject,
      text,
      files,
    })
  await reschedule(tx, due, now, true)
  return true
}

/**
 * A next run farther ahead than two runs can be apart was computed by a clock that was set back since, and nothing would be
 * sent until that time came again; so was the end of a wait that is more than a day ahead [decisions/061].
 */
const planAgain = (ctx: WorkerContext) =>
  ctx.sql.begin(async (tx) => {
    const now = ctx.now()
    // If the budget really takes that long, it says so again.
    await tx`
      update report_schedules set held_until = null where id in (
        select id from report_schedules where held_until > ${now}::timestamptz + interval '1 day' for no key update skip locked)`
    const ahead = await tx<(Calendar & { id: number })[]>`
      select id, every, day_number as "dayNumber", minute, zone from report_schedules
      where enabled and next_run_at > ${now}::timestamptz
        + case every when 'day' then interval '3 days' when 'week' then interval '9 days' else interval '33 days' end
      for update skip locked`
    for (const { id, ...calendar } of ahead)
      await tx`update report_schedules set next_run_at = ${nextRun(calendar, now)}, held_until = null where id = ${id}`
  })

export const sendReportsJob = processor(sendReports, async (ctx) => {
  await planAgain(ctx)
  let handled = 0
  while (await sendNext(ctx)) handled++
  if (handled > 0) await ctx.queue.add(sendMails, {})
  return { handled }
})
