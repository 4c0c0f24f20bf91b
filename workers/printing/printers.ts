import { CLOCK_AHEAD_MAX_MS, sampleTime } from '#schema/device/status'
import { printers } from '#schema/printing/printer'
import { keptReport } from '../kit/report.ts'

/** Noted before the clock of the device was set. */
const FIRST_PRINT_MS = Date.UTC(2000, 0)

/**
 * However long ago, since a printer may be idle for months. A time that cannot be right is left out, so that the one
 * known before stays: replaced by the platform's, each report would be shown as a print.
 */
function printTime(at: number | undefined, now: number): Date | null {
  return at !== undefined && at >= FIRST_PRINT_MS && at <= now + CLOCK_AHEAD_MAX_MS ? new Date(at) : null
}

type Reported = { deviceId: number; at: Date; ids: string[]; printers: object[] }

/**
 * The list that arrived last applies, because it is complete, and whatever its time: a device whose clock was set back would
 * otherwise be ignored until its clock has caught up.
 */
export const printersReport = keptReport(
  printers,
  ({ device, payload, receivedAt }): Reported[] => {
    const now = receivedAt.getTime()
    const at = new Date(sampleTime(payload.at, now))
    return [
      {
        deviceId: device.id,
        at,
        ids: payload.printers.map(({ id }) => id),
        printers: payload.printers.map((printer) => ({
          ...printer,
          deviceId: device.id,
          at,
          lastPrintAt: printTime(printer.lastPrintAt, now),
        })),
      },
    ]
  },
  async (tx, reports) => {
    const last = [...new Map(reports.map((entry) => [entry.deviceId, entry])).values()]
    // A device that lists one id twice must not fail the batch: the later entry applies.
    const rows = last.flatMap(({ deviceId, printers: named, ids }) =>
      named.filter((_, i) => ids.lastIndexOf(ids[i] ?? '') === i).map((row) => ({ ...row, deviceId })),
    )
    await tx`
      insert into printers (device_id, local_id, vendor, type, driver_sign, status, status_at, present, method, port,
        success_count, fail_count, last_print_at)
      select "deviceId", v.id, vendor, type, "driverSign", status, at, true, method, port, "successCount", "failCount", "lastPrintAt"
      from jsonb_to_recordset(${tx.json(rows)}) as v("deviceId" integer, id text, vendor text, type text,
        "driverSign" text, status text, at timestamptz, method text, port text, "successCount" integer,
        "failCount" integer, "lastPrintAt" timestamptz)
      -- Sent while the device was somebody else's: not the new owner's to read.
      join devices d on d.id = v."deviceId" and (d.owned_since is null or v.at >= d.owned_since)
      on conflict (device_id, local_id) do update set vendor = excluded.vendor, type = excluded.type,
        driver_sign = excluded.driver_sign, status = excluded.status, status_at = excluded.status_at, present = true,
        method = excluded.method, port = excluded.port, success_count = excluded.success_count,
        fail_count = excluded.fail_count, last_print_at = coalesce(excluded.last_print_at, printers.last_print_at)`
    await tx`
      update printers p set present = false, status = 'offline', status_at = v.at
      from jsonb_to_recordset(${tx.json(last.map(({ deviceId, at, ids }) => ({ deviceId, at, ids })))})
        as v("deviceId" integer, at timestamptz, ids jsonb)
        join devices d on d.id = v."deviceId" and (d.owned_since is null or v.at >= d.owned_since)
      where p.device_id = v."deviceId" and p.present and not v.ids ? p.local_id`
  },
)
