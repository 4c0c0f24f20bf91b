import { collection } from '#schema/monitor/collection'
import type { Transaction } from '../kit/processor.ts'
import { keptReport } from '../kit/report.ts'

type Row = {
  deviceId: number
  receivedMs: number
  plan: number | null
  refused: { plan: number; reason: string } | null
  slaves: { t: number; state: string; since: number; missed: number }[]
}

/**
 * The last of several in a batch counts. Terminals of other gateways are skipped, and those that are not polled any more: a
 * gateway that was offline first says what it knows by the plan that it had.
 */
async function write(tx: Transaction, rows: readonly Row[]): Promise<void> {
  const last = [...new Map(rows.map((row) => [row.deviceId, row])).values()]
  await tx`
    update collection_states c set running_revision = v.plan, reported_at = to_timestamp(v."receivedMs" / 1000.0),
      -- It has changed its mind, or runs another plan since.
      refused_revision = (v.refused ->> 'plan')::integer, refused_reason = v.refused ->> 'reason'
    from jsonb_to_recordset(${tx.json(last)}) as v("deviceId" integer, "receivedMs" float8, plan integer, refused jsonb)
    where c.device_id = v."deviceId"`
  const slaves = last.flatMap(({ deviceId, receivedMs, slaves }) =>
    [...new Map(slaves.map((slave) => [slave.t, slave])).values()].map((slave) => ({
      deviceId,
      receivedMs,
      ...slave,
    })),
  )
  await tx`
    insert into terminal_states (terminal_id, state, since, missed)
    select t.id, v.state, to_timestamp(least(v.since - c.clock_offset_ms, v."receivedMs") / 1000.0), v.missed
    from jsonb_to_recordset(${tx.json(slaves)})
      as v("deviceId" integer, "receivedMs" float8, t integer, state text, since float8, missed integer)
    join terminals t on t.id = v.t and t.device_id = v."deviceId"
    join collection_states c on c.device_id = v."deviceId"
    join poll_plans p on p.device_id = c.device_id and p.revision = c.revision and p.scales ? t.id::text
    order by t.id
    on conflict (terminal_id) do update set state = excluded.state, since = excluded.since, missed = excluded.missed`
}

export const collectionReport = keptReport(
  collection,
  ({ device, payload, receivedAt }): Row[] => [
    {
      deviceId: device.id,
      receivedMs: receivedAt.getTime(),
      plan: payload.plan,
      refused: payload.refused ?? null,
      slaves: payload.slaves.map(({ missed, ...slave }) => ({
        ...slave,
        missed: Math.min(missed ?? 0, 2_147_483_647),
      })),
    },
  ],
  write,
)
