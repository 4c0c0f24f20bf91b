import { facts, sectionNames } from '#schema/device/section'
import { sampleTime } from '#schema/device/status'
import { keptReport } from '../kit/report.ts'

type Reported = { deviceId: number; name: string; at: Date; value: unknown }

/**
 * Each section separately: the one that arrived last applies, whatever its time. A device whose clock was set back would
 * otherwise be ignored until its clock has caught up.
 */
export const factsReport = keptReport(
  facts,
  ({ device, payload, receivedAt }): Reported[] => {
    const at = new Date(sampleTime(payload.at, receivedAt.getTime()))
    return sectionNames.flatMap((name) =>
      payload[name] === undefined ? [] : [{ deviceId: device.id, name, at, value: payload[name] }],
    )
  },
  async (tx, rows) => {
    const last = new Map(rows.map((row) => [`${row.deviceId} ${row.name}`, row]))
    // Taken from the SIM in use, else from the first one present: lists show it and filter by it.
    await tx`
      with kept as (
        insert into device_sections (device_id, name, at, value)
        select "deviceId", name, at, value from jsonb_to_recordset(${tx.json([...last.values()])})
          as v("deviceId" integer, name text, at timestamptz, value jsonb)
        on conflict (device_id, name) do update set at = excluded.at, value = excluded.value
        returning device_id, name, value)
      update devices d set sim_state = sim.state from kept k left join lateral (
        select slot->>'state' as state from jsonb_array_elements(case k.name when 'mobile' then k.value else '[]' end) slot
        order by (slot->>'active')::boolean desc, slot->>'state' = 'absent', slot->>'slot' limit 1) sim on true
      where d.id = k.device_id and k.name = 'mobile' and d.sim_state is distinct from sim.state`
  },
)
