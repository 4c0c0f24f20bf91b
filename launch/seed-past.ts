/**
 * The devices of the demonstration and their last thirty days: samples, connections and alarms. The workers compute
 * the sums for reports, as if these samples had been received.
 */
import { randomUUID } from 'node:crypto'
import { type Identity, identify, placeIn, planFleet } from '#device-sim/fleet'
import { Dice } from '#device-sim/random'
import { measure } from '#device-sim/status/probes'
import type { FileStore } from '#infra/files/store'
import { ensurePartitions } from '#infra/partitions'
import type { Transaction } from '#infra/postgres'
import { hashSecret, makeSecret } from '#infra/secrets'
import { figureList, readFigures } from '#schema/device/figure'
import { demoDevice, demoNames } from './demo-names.ts'
import type { PastDevice } from './past-items.ts'
import { PAST_DAYS, type Past, pastOf } from './past-of-device.ts'
import { firmwareAt, installedBy, type PastUpgrade, planUpgrades } from './past-upgrades.ts'
import { DEMO_ADMIN, type Demo } from './seed-demo.ts'
import { seedUpgrades } from './seed-upgrades.ts'

type Sql = Transaction

const DAY_MS = 86_400_000

/** Of a larger fleet only the first devices have a history, so that it is written within seconds. */
const DEVICES_MAX = 60
/** An absence of at least this long has an alarm. */
const ALARM_MS = 600_000

type Known = { id: number; identity: Identity; past: Past }

const iso = (ms: number) => new Date(ms).toISOString()

/** As created by enrolment; its secret is unknown to anyone, so the device enrols and gets another one. */
async function addDevice(sql: Sql, demo: Demo, identity: Identity, number: number, seed: number) {
  const { city, model, sn, ...rest } = identity
  const place = placeIn(city, sn, seed)
  const groupId = demo.groupIds[number % demo.groupIds.length] ?? 0
  const [row] = await sql<{ id: number }[]>`
    insert into devices ${sql({
      customer_id: demo.customerId,
      group_id: groupId,
      sn,
      ...demoDevice(city.name, model.hardwareType, number),
      ...place,
      secret_hash: hashSecret(makeSecret()),
      model: model.name,
      hardware_type: model.hardwareType,
      hardware_version: model.hardwareVersion,
      kernel: model.kernel,
      time_zone: city.timeZone,
      firmware: rest.firmware,
      mac: rest.mac,
      imei: rest.imei ?? null,
      imsi: rest.imsi ?? null,
      iccid: rest.iccid ?? null,
      operator: rest.operator ?? null,
      created_at: new Date(Date.now() - PAST_DAYS * 86_400_000),
    })} on conflict (sn) do nothing returning id`
  return row?.id ?? null
}

async function writeSamples(sql: Sql, { id, past }: Known): Promise<void> {
  const { samples } = past
  const columns = figureList.map(({ column }) => column)
  const rows = samples.map((sample) => ({
    at: iso(Number(sample.at)),
    uptime_s: sample.uptimeS,
    network_mode: sample.networkMode,
    rx_bytes: sample.rxBytes,
    tx_bytes: sample.txBytes,
    ...Object.fromEntries(readFigures(sample).map((value, i) => [columns[i], value])),
  }))
  // All stored a minute ago: the sums are computed by that time, and read all samples in one step.
  await sql`
    insert into status_samples (device_id, at, stored_at, uptime_s, network_mode, rx_bytes, tx_bytes, ${sql.unsafe(columns.join(', '))})
    select ${id}, s.at, now() - interval '1 minute', s.uptime_s, s.network_mode, s.rx_bytes, s.tx_bytes, ${sql.unsafe(columns.join(', '))}
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as s(at timestamptz, uptime_s bigint, network_mode text,
      rx_bytes bigint, tx_bytes bigint, ${sql.unsafe(columns.map((column) => `${column} real`).join(', '))})
    on conflict do nothing`
}

/** One sample in this number had a measurement, by its age: as many as charts of 1, 7 and 30 days have buckets. */
const PROBED = [
  { days: 2, every: 1 },
  { days: 8, every: 6 },
  { days: PAST_DAYS, every: 24 },
] as const

async function writeProbes(
  sql: Sql,
  { id, identity, past }: Known,
  seed: number,
  now: number,
): Promise<void> {
  const part = { identity, dice: new Dice(seed, identity.sn, 'past probes') }
  const rows = past.samples.flatMap((sample, i) => {
    const at = Number(sample.at)
    const every = PROBED.find(({ days }) => now - at < days * DAY_MS)?.every ?? 0
    if (every === 0 || i % every !== 0) return []
    return measure(part, at).map(({ minMs, avgMs, maxMs, ...rest }) => ({
      ...rest,
      at: iso(at),
      min_ms: minMs,
      avg_ms: avgMs,
      max_ms: maxMs,
    }))
  })
  await sql`
    insert into probe_samples (device_id, at, target, link, sent, received, min_ms, avg_ms, max_ms)
    select ${id}, p.* from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as p(at timestamptz, target text, link text,
      sent integer, received integer, min_ms real, avg_ms real, max_ms real)
    on conflict do nothing`
}

async function writeConnections(sql: Sql, { id, past }: Known): Promise<void> {
  const { connections } = past
  await sql`
    insert into presence_records (connection_id, device_id, broker_id, online_at, offline_at, reason, transport)
    select c.id, ${id}, 'demonstration', c.online_at, c.offline_at, c.reason, 'tcp'
    from unnest(${connections.map(() => randomUUID())}::uuid[], ${connections.map(({ onlineAt }) => iso(onlineAt))}::text[]::timestamptz[],
      ${connections.map(({ offlineAt }) => iso(offlineAt))}::text[]::timestamptz[], ${connections.map(({ reason }) => reason)}::text[])
      as c(id, online_at, offline_at, reason)`
  const last = connections.at(-1)
  await sql`
    insert into device_states (device_id, online, online_changed_at, last_login_at, last_logout_at, last_seen_at, offline_reason, online_count, offline_count)
    values (${id}, false, ${iso(last?.offlineAt ?? 0)}, ${iso(last?.onlineAt ?? 0)}, ${iso(last?.offlineAt ?? 0)}, ${iso(last?.offlineAt ?? 0)},
      ${last?.reason ?? 'brokerStopped'}, ${connections.length}, ${connections.length})`
}

/** Long absences, each notified and ended; the older half was handled. */
async function writeAlarms(sql: Sql, customerId: number, { id, past }: Known): Promise<void> {
  const absences = past.connections.flatMap(({ offlineAt, reason }, i) => {
    const back = past.connections[i + 1]?.onlineAt
    return reason === 'keepalive' && back !== undefined && back - offlineAt >= ALARM_MS
      ? [{ from: offlineAt, to: back }]
      : []
  })
  await sql`
    insert into alarms (customer_id, rule_id, rule_name, kind, severity, device_id, sn, device_name, group_id, group_name, value, threshold,
      started_at, last_at, ended_at, end_reason, notified, notified_at, ack_at, ack_by, handled_at, handled_by, note)
    select d.customer_id, r.id, r.name, r.kind, r.severity, d.id, d.sn, d.name, g.id, g.name,
      round(extract(epoch from a.until - a.since) / 60), r.threshold, a.since + interval '1 minute', a.since + interval '1 minute', a.until, 'recovered',
      'all', a.until, case when handled then a.until + interval '9 minutes' end, case when handled then u.id end,
      case when handled then a.until + interval '2 hours' end, case when handled then u.id end, case when handled then ${demoNames.note} end
    from unnest(${absences.map(({ from }) => iso(from))}::text[]::timestamptz[], ${absences.map(({ to }) => iso(to))}::text[]::timestamptz[]) as a(since, until)
      join devices d on d.id = ${id} join groups g on g.id = d.group_id
      join alarm_rules r on r.customer_id = ${customerId} and r.kind = 'offline'
      left join users u on u.username = ${DEMO_ADMIN} and u.customer_id = d.customer_id,
      lateral (select a.since < now() - interval '10 days' as handled) h`
}

/** Which firmware ran at the end of each day, added to the counts of other customers. The workers count today. */
async function writeVersions(sql: Sql, days: readonly VersionOfDay[]): Promise<void> {
  await sql`
    insert into version_days (day, customer_id, group_id, model, firmware, devices)
    select v.day, coalesce(d.customer_id, 0), coalesce(d.group_id, 0), d.model, v.firmware, count(*)
    from jsonb_to_recordset(${JSON.stringify(days)}::text::jsonb) as v("deviceId" integer, day date, firmware text)
      join devices d on d.id = v."deviceId"
    group by grouping sets ((v.day, d.customer_id, d.group_id, d.model, v.firmware), (v.day, d.customer_id, d.model, v.firmware), (v.day, d.model, v.firmware))
    on conflict (group_id, day, customer_id, model, firmware) do update set devices = version_days.devices + excluded.devices`
}

type VersionOfDay = { deviceId: number; day: string; firmware: string }

/** Of the full days of its past. */
function versionsOf(
  { id, identity, past }: Known,
  upgrades: readonly PastUpgrade[],
  now: number,
): VersionOfDay[] {
  const today = Math.floor(now / DAY_MS) * DAY_MS
  return Array.from({ length: PAST_DAYS - 1 }, (_, i) => {
    const end = today - i * DAY_MS
    return {
      deviceId: id,
      day: iso(end - DAY_MS).slice(0, 10),
      firmware: firmwareAt(identity, upgrades, past.installs, end),
    }
  })
}

type Stores = { sql: Sql; files: FileStore }

/** Existing devices, of an installation without a history, are left unchanged. */
export async function seedPast(
  { sql, files }: Stores,
  demo: Demo,
  count: number,
  seed: number,
): Promise<void> {
  const now = Date.now()
  await ensurePartitions(sql, new Date(now), {
    daysBack: PAST_DAYS,
    daysAhead: 0,
    tables: ['status_samples', 'probe_samples'],
  })
  const fleet = planFleet(Math.min(count, DEVICES_MAX), seed).map(({ sn, model }) =>
    identify(sn, model, seed),
  )
  const upgrades = planUpgrades(fleet, now)
  const devices: PastDevice[] = []
  const versions: VersionOfDay[] = []
  for (const [i, identity] of fleet.entries()) {
    const id = await addDevice(sql, demo, identity, i + 1, seed)
    if (id === null) continue
    const { sn } = identity
    const offers = installedBy(upgrades, sn).map(({ startAt }) => startAt)
    const known = { id, identity, past: pastOf(identity, seed, now, offers) }
    await writeSamples(sql, known)
    await writeProbes(sql, known, seed, now)
    await writeConnections(sql, known)
    await writeAlarms(sql, demo.customerId, known)
    // Without the samples, which are many.
    const { connections, installs } = known.past
    devices.push({ id, sn, connections, installs })
    versions.push(...versionsOf(known, upgrades, now))
  }
  await writeVersions(sql, versions)
  await seedUpgrades(sql, files, demo.customerId, upgrades, devices)
}
