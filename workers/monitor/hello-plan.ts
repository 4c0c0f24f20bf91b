/** Reads the running plan and the gateway's clock from a hello. */
import { clockOffset } from '#schema/monitor/clock'
import type { BatchState, DeviceFacts, Hello } from '../inbox/batch-state.ts'
import type { Transaction } from '../kit/processor.ts'
import { keep } from '../kit/report.ts'

type Row = { deviceId: number; plan: number | null; skew: number | null }

export function helloPlan(state: BatchState, device: DeviceFacts, hello: Hello, at: Date): void {
  keep<Row>(
    state,
    'helloPlan',
    [
      {
        deviceId: device.id,
        plan: hello.plan ?? null,
        skew: hello.at === 0 ? null : hello.at - at.getTime(),
      },
    ],
    write,
  )
}

/** A gateway that runs a plan unknown to us gets one, if only an empty one that stops it. */
async function write(tx: Transaction, rows: readonly Row[]): Promise<void> {
  const last = [...new Map(rows.map((row) => [row.deviceId, row])).values()]
  await tx`
    insert into collection_states (device_id, stale_since)
    select "deviceId", now() from jsonb_to_recordset(${tx.json(last.filter(({ plan }) => plan !== null))}) as v("deviceId" integer)
    order by 1 on conflict do nothing`
  const known = await tx<{ deviceId: number; offset: number }[]>`
    select device_id as "deviceId", clock_offset_ms as "offset" from collection_states
    where device_id = any(${last.map(({ deviceId }) => deviceId)}::int[]) order by device_id for update`
  if (known.length === 0) return
  const said = new Map(last.map((row) => [row.deviceId, row]))
  const written = known.map(({ deviceId, offset }) => {
    const row = said.get(deviceId)
    return { deviceId, plan: row?.plan ?? null, offset: clockOffset(offset, row?.skew ?? null) }
  })
  await tx`
    update collection_states c set running_revision = v.plan, clock_offset_ms = v.offset,
      -- What was sent on the connection before may be lost.
      sent_at = null
    from jsonb_to_recordset(${tx.json(written)}) as v("deviceId" integer, plan integer, "offset" bigint)
    where c.device_id = v."deviceId"`
}
