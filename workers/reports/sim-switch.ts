import { simSwitch } from '#schema/sim-switch'
import { sampleTime } from '#schema/status'
import { keptReport } from '../report.ts'

export const simSwitchReport = keptReport(
  simSwitch,
  ({ device, payload, receivedAt }) => [
    { ...payload, deviceId: device.id, at: new Date(sampleTime(payload.at, receivedAt.getTime())) },
  ],
  (tx, told) => tx`
    insert into sim_switches (device_id, at, from_slot, to_slot, reason, from_iccid, to_iccid, operator, detail)
    select "deviceId", at, "from", "to", reason, "fromIccid", "toIccid", operator, detail
    from jsonb_to_recordset(${tx.json(told as never)}) as v("deviceId" integer, at timestamptz, "from" integer,
      "to" integer, reason text, "fromIccid" text, "toIccid" text, operator text, detail text)
    on conflict do nothing`,
)
