/** Which scheduled reports the actor may touch. */
import { and, eq } from 'drizzle-orm'
import { refuse } from '#schema/kit/refusal'
import { refusals } from '#schema/refusals'
import type { ReportKind } from '#schema/report/report'
import { reportFunctions } from '#schema/report/report-schedule'
import { reportSchedules } from '#schema/tables/report-schedule'
import type { CallContext } from '../kit/handler.ts'
import { visible } from '../kit/scope.ts'

/** Whoever may not read a report may not have it sent either. */
export function mayRead({ actor }: CallContext, report: ReportKind): void {
  if (!actor.functionIds.has(reportFunctions[report])) refuse(refusals.noPermission)
}

/** @throws Refusal 5 unless the actor may see the schedule and read its report. */
export async function reachSchedule(ctx: CallContext, id: number) {
  const [found] = await ctx.db
    .select()
    .from(reportSchedules)
    .where(and(visible(ctx.actor).reportSchedules, eq(reportSchedules.id, id)))
  if (!found) refuse(refusals.noPermission)
  mayRead(ctx, found.report)
  return found
}
