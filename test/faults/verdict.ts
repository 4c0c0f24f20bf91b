/** What the database must say after the trial, compared with what devices wrote down. */
import type { Sql } from '#infra/postgres'
import { BROKER_BEAT_MS, BROKER_LOST_MS } from '#schema/platform/upkeep'
import type { LedgerDevice, Span } from './ledger-fleet.ts'

/** A killed broker was last heard of this long ago at most; and the events of a moment are written together. */
export const SLACK_MS = BROKER_BEAT_MS + 3_000

/** Milliseconds of `of` that `by` does not cover. */
export function uncovered(of: Span, by: readonly Span[], end: number): number {
  let at = of.from
  let missing = 0
  for (const { from, to } of by.toSorted((a, b) => a.from - b.from)) {
    if (from >= (of.to ?? end)) break
    missing = Math.max(missing, from - at)
    at = Math.max(at, to ?? end)
  }
  return Math.max(missing, (of.to ?? end) - at)
}

type Recorded = Span & { reason: string | null }

/** Acknowledged and not stored; stored more than once, or never sent. */
export async function compareSamples(sql: Sql, all: readonly LedgerDevice[]) {
  const found = { acknowledged: 0, stored: 0, lost: 0, doubled: 0, foreign: 0 }
  for (const { device, acknowledged, sent } of all) {
    const rows = await sql<{ at: string; n: number }[]>`
      select (extract(epoch from at) * 1000)::bigint::text as at, count(*)::int as n
      from status_samples where device_id = ${device.id} group by at`
    const stored = new Map(rows.map(({ at, n }) => [Number(at), n]))
    found.acknowledged += acknowledged.size
    found.stored += stored.size
    for (const at of acknowledged) if (!stored.has(at)) found.lost++
    for (const [at, n] of stored) {
      if (n > 1) found.doubled++
      if (!sent.has(at)) found.foreign++
    }
  }
  return found
}

/** While a broker is silent, the state of its devices is unknown until their next record. */
export const watched = (records: readonly Recorded[]): Span[] =>
  records.map(({ from, to, reason }, i) => ({
    from,
    to: reason === 'brokerLost' ? (records[i + 1]?.from ?? to) : to,
  }))

/**
 * Presence as it is recorded, against the connections as the devices saw them: how many devices were shown offline while they were
 * connected, or online while they were not, for longer than the slack; and of how many nothing was known for so long, since
 * their broker could not say that it lives.
 */
export async function comparePresence(sql: Sql, all: readonly LedgerDevice[]) {
  const rows = await sql<{ deviceId: number; from: Date; to: Date | null; reason: string | null }[]>`
    select device_id as "deviceId", online_at as from, offline_at as to, reason from presence_records
    where device_id = any(${all.map(({ device }) => device.id)}) order by online_at`
  const recorded = Map.groupBy(rows, ({ deviceId }) => deviceId)
  const end = Date.now()
  const found = { shownOffline: 0, shownOnline: 0, openTwice: 0, unknown: 0 }
  for (const { device, spans } of all) {
    const records = (recorded.get(device.id) ?? []).map(({ from, to, reason }) => ({
      from: from.getTime(),
      to: to?.getTime() ?? null,
      reason,
    }))
    const missing = (by: readonly Span[]) => spans.some((span) => uncovered(span, by, end) > SLACK_MS)
    if (missing(watched(records))) found.shownOffline++
    else if (missing(records)) found.unknown++
    if (records.some((record) => uncovered(record, spans, end) > SLACK_MS)) found.shownOnline++
    if (records.filter(({ to }) => to === null).length > 1) found.openTwice++
  }
  return found
}

/** Devices online on each running broker, the fewest first. */
export async function perBroker(sql: Sql): Promise<number[]> {
  const rows = await sql<{ n: number }[]>`
    select (select count(*)::int from device_states s where s.online and s.broker_id = b.id) as n from brokers b
    where b.beat_at > now() - make_interval(secs => ${BROKER_LOST_MS / 1000}) order by 1`
  return rows.map(({ n }) => n)
}
