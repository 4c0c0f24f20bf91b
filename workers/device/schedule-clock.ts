/**
 * After the clock was set back, what a clock ahead has planned would not run until that time comes again [decisions/061].
 */
import { nextRuns, type ScheduleRule } from '#schema/device/schedule-rule'
import type { WorkerContext } from '../kit/processor.ts'

/** Of large fleets the rest follows in a few seconds. */
const BATCH = 500

/**
 * Of schedules whose next run is farther ahead than two of their runs can be apart it is computed again. The times that their
 * devices got from that clock are wrong, too: they are sent again, as those of a changed schedule. A date that a user chose stays.
 */
export function planAgain({ sql, now }: WorkerContext): Promise<number> {
  return sql.begin(async (tx) => {
    const at = now()
    const ahead = await tx<(ScheduleRule & { deviceId: number })[]>`
      select device_id as "deviceId", kind, date::text as date, time, weekdays, time_zone as "timeZone" from schedules
      where enabled and next_run_at > ${at}::timestamptz + interval '3 days'
        and (kind = 'daily' or (kind = 'weekly' and next_run_at > ${at}::timestamptz + interval '9 days'))
      order by device_id limit ${BATCH} for update skip locked`
    if (ahead.length === 0) return 0
    const nexts = ahead.map((rule) => {
      const [next] = nextRuns(rule, at.getTime(), 1)
      return { deviceId: rule.deviceId, nextRunAt: next === undefined ? null : new Date(next) }
    })
    await tx`
      update schedules p set next_run_at = v."nextRunAt", revision = revision + 1, plan_tried_at = null
      from jsonb_to_recordset(${tx.json(nexts)}) as v("deviceId" integer, "nextRunAt" timestamptz)
      where p.device_id = v."deviceId"`
    return ahead.length
  })
}
