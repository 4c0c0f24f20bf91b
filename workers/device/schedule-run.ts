import { scheduleRun } from '#schema/device/schedule'
import { keptReport } from '../kit/report.ts'

/** A time this long past, or in the future, was never due. */
const PAST_MAX_MS = 40 * 86_400_000
const AHEAD_MAX_MS = 10 * 60_000

/**
 * The device's own report of a run; it also corrects a run that was marked as missed. Only for devices with a
 * schedule.
 */
export const scheduleRunReport = keptReport(
  scheduleRun,
  ({ device, payload, receivedAt }) => {
    const now = receivedAt.getTime()
    if (payload.dueAt < now - PAST_MAX_MS || payload.dueAt > now + AHEAD_MAX_MS) return []
    const { dueAt, result, detail } = payload
    return [
      { deviceId: device.id, dueAt: new Date(dueAt), state: result, reason: detail, endedAt: receivedAt },
    ]
  },
  async (tx, rows) => {
    // Of two reports of one run in a batch, the later one applies.
    const last = [...new Map(rows.map((row) => [`${row.deviceId} ${row.dueAt.getTime()}`, row])).values()]
    await tx`
      insert into schedule_runs (device_id, due_at, state, by, reason, ended_at)
      select v."deviceId", v."dueAt", v.state, 'device', v.reason, v."endedAt"
      from jsonb_to_recordset(${tx.json(last)}) as v("deviceId" integer, "dueAt" timestamptz, state text,
        reason text, "endedAt" timestamptz) join schedules s on s.device_id = v."deviceId"
      on conflict (device_id, due_at) do update set state = excluded.state, by = 'device', reason = excluded.reason,
        ended_at = excluded.ended_at
      where schedule_runs.state <> 'done'`
  },
)
