import { facts, sectionNames } from '#schema/section'
import { sampleTime } from '#schema/status'
import { keptReport } from '../report.ts'

type Told = { deviceId: number; name: string; at: Date; value: unknown }

/** Each section on its own: the last word counts, an older one that comes late is no news. */
export const factsReport = keptReport(
  facts,
  ({ device, payload, receivedAt }): Told[] => {
    const at = new Date(sampleTime(payload.at, receivedAt.getTime()))
    return sectionNames.flatMap((name) =>
      payload[name] === undefined ? [] : [{ deviceId: device.id, name, at, value: payload[name] }],
    )
  },
  async (tx, told) => {
    const last = new Map<string, Told>()
    for (const row of told) {
      const key = `${row.deviceId} ${row.name}`
      const known = last.get(key)
      if (!known || known.at <= row.at) last.set(key, row)
    }
    await tx`
      insert into device_sections (device_id, name, at, value)
      select "deviceId", name, at, value from jsonb_to_recordset(${tx.json([...last.values()] as never)})
        as v("deviceId" integer, name text, at timestamptz, value jsonb)
      on conflict (device_id, name) do update set at = excluded.at, value = excluded.value
      where device_sections.at <= excluded.at`
  },
)
