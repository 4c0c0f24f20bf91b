import { simSwitch } from '#schema/device/sim-switch'
import { sampleTime } from '#schema/device/status'
import { keptReport } from '../kit/report.ts'

/**
 * A device without a plausible clock may report several at once: each gets its own timestamp, in their order.
 */
function withDistinctTimes<R extends { deviceId: number; at: Date; said: number }>(rows: readonly R[]): R[] {
  const taken = new Map<string, number>()
  return rows.map((row) => {
    if (row.at.getTime() === row.said) return row
    const key = `${row.deviceId} ${row.at.getTime()}`
    const before = taken.get(key) ?? 0
    taken.set(key, before + 1)
    return { ...row, at: new Date(row.at.getTime() + before) }
  })
}

export const simSwitchReport = keptReport(
  simSwitch,
  ({ device, payload, receivedAt }) => [
    {
      ...payload,
      deviceId: device.id,
      said: payload.at,
      at: new Date(sampleTime(payload.at, receivedAt.getTime())),
    },
  ],
  (tx, rows) => tx`
    insert into sim_switches (device_id, at, from_slot, to_slot, reason, from_iccid, to_iccid, operator, detail)
    select "deviceId", at, "from", "to", reason, "fromIccid", "toIccid", operator, detail
    from jsonb_to_recordset(${tx.json(withDistinctTimes(rows))}) as v("deviceId" integer, at timestamptz, "from" integer,
      "to" integer, reason text, "fromIccid" text, "toIccid" text, operator text, detail text)
    on conflict do nothing`,
)
