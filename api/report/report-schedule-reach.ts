/** Which scheduled reports the actor may see and change. */

import { getTableColumns, sql } from 'drizzle-orm'
import { refuse } from '#schema/kit/refusal'
import { sessionRefusals } from '#schema/people/session-refusals'
import type { ReportKind } from '#schema/report/report'
import { reportPermissions } from '#schema/report/report-schedule'
import { reportScheduleObject } from '#schema/report/report-schedule-object'
import { reportSchedules } from '#schema/tables/report-schedule'
import { rowOf } from '../kit/about.ts'
import { holds } from '../kit/actor.ts'
import type { CallContext } from '../kit/handler.ts'
import { stored } from '../kit/stored.ts'

/** A user who may not read a report may not schedule it either. */
export function mayRead({ actor }: CallContext, report: ReportKind): void {
  if (!holds(actor, reportPermissions[report])) refuse(sessionRefusals.noPermission)
}

export const storedReportSchedule = stored({
  object: reportScheduleObject,
  table: reportSchedules,
  id: reportSchedules.id,
  name: reportSchedules.name,
  customerId: reportSchedules.customerId,
  seen: (walls) => walls.reportSchedules,
  row: () => getTableColumns(reportSchedules),
  parts: {
    main: {
      table: reportSchedules,
      id: reportSchedules.id,
      fields: {
        name: reportSchedules.name,
        range: sql<string>`${reportSchedules.filter} ->> 'range'`,
        every: reportSchedules.every,
        weekday: sql<number>`case when ${reportSchedules.every} = 'week' then ${reportSchedules.dayNumber} else 1 end`,
        monthDay: sql<number>`case when ${reportSchedules.every} = 'month' then ${reportSchedules.dayNumber} else 1 end`,
        at: sql<string>`to_char(make_interval(mins => ${reportSchedules.minute}), 'HH24:MI')`,
        zone: reportSchedules.zone,
        recipients: reportSchedules.recipients,
        enabled: reportSchedules.enabled,
      },
    },
  },
  facts: { report: reportSchedules.report, filter: reportSchedules.filter },
})

/** @throws Refusal 5 unless the actor may read the report of the call's schedule. */
export function readableSchedule(ctx: CallContext) {
  const found = rowOf(ctx, storedReportSchedule)
  mayRead(ctx, found.report)
  return found
}
