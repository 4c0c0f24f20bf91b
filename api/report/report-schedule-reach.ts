/** Which scheduled reports the actor may touch. */

import { and, eq } from 'drizzle-orm'
import { refuse } from '#schema/kit/refusal'
import { sessionRefusals } from '#schema/people/session-refusals'
import type { ReportKind } from '#schema/report/report'
import { reportPermissions } from '#schema/report/report-schedule'
import { reportSchedules } from '#schema/tables/report-schedule'
import { holds } from '../kit/actor.ts'
import type { CallContext } from '../kit/handler.ts'
import { visible } from '../kit/scope.ts'

/** Whoever may not read a report may not have it sent either. */
export function mayRead({ actor }: CallContext, report: ReportKind): void {
  if (!holds(actor, reportPermissions[report])) refuse(sessionRefusals.noPermission)
}

/** @throws Refusal 5 unless the actor may see the schedule and read its report. */
export async function reachSchedule(ctx: CallContext, id: number) {
  const [found] = await ctx.db
    .select()
    .from(reportSchedules)
    .where(and(visible(ctx.actor).reportSchedules, eq(reportSchedules.id, id)))
  if (!found) refuse(sessionRefusals.noPermission)
  mayRead(ctx, found.report)
  return found
}
