/**
 * What each kind of rule sees now: rows of the temporary table `observed`. Beyond rows wherever it is so, good rows
 * only where an alarm is open; nothing where it cannot be known. A statement or two per kind, never one per device:
 * beyond rows start from the fleet, good rows from the few alarms that are open.
 */
import { RETURN_GRACE_MS, STALE_MS } from '#schema/alarm/alarm'
import { type AlarmKind, factsOf } from '#schema/alarm/alarm-kind'
import { BROKER_LOST_MS } from '#schema/platform/upkeep'
import { printerTroubles } from '#schema/printing/printer'
import type { Transaction } from '../kit/processor.ts'

/** Rules `r` and the devices `d` that they cover. `rule_trees` holds the groups of a rule with those below. */
export const covers = (tx: Transaction) => tx`
  d.customer_id = r.customer_id and d.deleted_at is null and (r.scope = 'customer'
    or (r.scope = 'groups' and exists (select 1 from rule_trees t where t.rule_id = r.id and t.group_id = d.group_id))
    or (r.scope = 'devices' and exists (select 1 from alarm_rule_devices x where x.rule_id = r.id and x.device_id = d.id)))`

const watched = (tx: Transaction, kind: AlarmKind) => tx`
  alarm_rules r join devices d on ${covers(tx)} join device_states s on s.device_id = d.id
  where r.enabled and r.kind = ${kind} and`

/** The open alarms `a` of a kind, with rule and device. */
const open = (tx: Transaction, kind: AlarmKind) => tx`
  (select id, rule_id, device_id, subject from alarms where ended_at is null and kind = ${kind}) a
  join alarm_rules r on r.id = a.rule_id and r.enabled join devices d on d.id = a.device_id`

/**
 * Devices whose brokers are away are not offline, they are unknown; after its return they get time to come back. So does who
 * had left shortly before: nobody could come back while it was away.
 */
async function observeOffline(tx: Transaction, at: Date, graces: ReadonlyMap<number, number>): Promise<void> {
  const [alive] = await tx<{ up: Date | null }[]>`
    select min(started_at) as up from brokers where beat_at > ${at}::timestamptz - make_interval(secs => ${BROKER_LOST_MS / 1000})`
  if (!alive?.up) return
  const counted = new Date(alive.up.getTime() + RETURN_GRACE_MS)
  await tx`
    insert into observed (rule_id, device_id, subject, beyond, value, since)
    select r.id, d.id, '', true, extract(epoch from ${at}::timestamptz - s.online_changed_at) / 60, s.online_changed_at
    from ${watched(tx, 'offline')} not s.online and ${at}::timestamptz >= ${counted}::timestamptz
      and greatest(s.online_changed_at, case when s.offline_reason in ('brokerLost', 'brokerStopped')
        then ${counted}::timestamptz end) <= ${at}::timestamptz - make_interval(secs => greatest(r.threshold * 60,
          (select g.seconds from unnest(${[...graces.keys()]}::int[], ${[...graces.values()]}::int[]) as g(id, seconds) where g.id = r.customer_id), 0))
    union all
    select a.rule_id, a.device_id, '', false, null, null from ${open(tx, 'offline')} join device_states s on s.device_id = d.id where s.online`
}

type Figure = ReturnType<typeof covers>

/** `value` beyond the threshold, or on the good side of the recovery threshold while an alarm is open. */
async function observeLevel(tx: Transaction, kind: AlarmKind, from: Figure, value: Figure): Promise<void> {
  const below = factsOf(kind).direction === 'below'
  const beyond = below ? tx`v.value <= r.threshold` : tx`v.value >= r.threshold`
  const good = below
    ? tx`v.value > r.threshold and v.value >= coalesce(r.recover_at, r.threshold)`
    : tx`v.value < r.threshold and v.value <= coalesce(r.recover_at, r.threshold)`
  const figure = tx`${from} cross join lateral (select (${value})::real as value) v`
  await tx`
    insert into observed (rule_id, device_id, subject, beyond, value)
    select r.id, d.id, '', true, v.value from alarm_rules r join devices d on ${covers(tx)} ${figure}
    where r.enabled and r.kind = ${kind} and ${beyond}
    union all
    select a.rule_id, a.device_id, '', false, v.value from ${open(tx, kind)} ${figure} where ${good}`
}

/** Figures of devices that are online and have spoken lately; late data raises no alarm, silence ends none. */
const fresh = (tx: Transaction, at: Date) => tx`
  join device_states s on s.device_id = d.id and s.online and s.status_at > ${at}::timestamptz - make_interval(secs => ${STALE_MS / 1000})`

const today = (tx: Transaction, at: Date) => tx`(${at}::timestamptz at time zone 'UTC')::date`

async function observeTraffic(tx: Transaction, kind: 'trafficDay' | 'trafficMonth', at: Date): Promise<void> {
  const unit = kind === 'trafficDay' ? 1024 ** 2 : 1024 ** 3
  const first = kind === 'trafficDay' ? today(tx, at) : tx`date_trunc('month', ${today(tx, at)})::date`
  await observeLevel(
    tx,
    kind,
    tx`cross join lateral (select coalesce(sum(t.rx_bytes + t.tx_bytes), 0) as bytes from traffic_days t
      where t.device_id = d.id and t.day between ${first} and ${today(tx, at)}) m`,
    tx`m.bytes / ${unit}::float8`,
  )
}

/** What changes are compared with; `alarm_marks` holds it for the devices that such a rule covers. */
async function markDevices(tx: Transaction): Promise<void> {
  const marking = tx`('reboots', 'simSwitched', 'newAddress', 'configDrift')`
  await tx`
    insert into alarm_marks (device_id, iccid, remote_ip, config_hash, boot_id)
    select distinct d.id, d.iccid, s.remote_ip, d.config_hash, d.boot_id
    from alarm_rules r join devices d on ${covers(tx)} left join device_states s on s.device_id = d.id
    where r.enabled and r.kind in ${marking} and not exists (select 1 from alarm_marks m where m.device_id = d.id)
    on conflict do nothing`
  await tx`
    delete from alarm_marks m where not exists (
      select 1 from devices d join alarm_rules r on ${covers(tx)} where d.id = m.device_id and r.enabled and r.kind in ${marking})`
}

/** [decisions/040] What a task or command of ours brought is no drift. */
const OURS_MINUTES = 15

async function observeDrift(tx: Transaction, at: Date): Promise<void> {
  const since = tx`coalesce(d.hello_at, ${at}::timestamptz) - make_interval(mins => ${OURS_MINUTES})`
  await tx`
    update alarm_marks m set config_hash = d.config_hash from devices d
    where d.id = m.device_id and d.config_hash is not null and d.config_hash is distinct from m.config_hash
      and (m.config_hash is null
        or exists (select 1 from task_items i where i.device_id = d.id and i.outcome is not null and i.step_at > ${since})
        or exists (select 1 from commands c where c.device_id = d.id and c.state = 'done' and c.ended_at > ${since})
        or not exists (select 1 from alarm_rules r where r.enabled and r.kind = 'configDrift' and ${covers(tx)}))`
  await tx`
    insert into observed (rule_id, device_id, subject, beyond, detail)
    select r.id, d.id, '', true, left(m.config_hash, 12) || ' → ' || left(d.config_hash, 12)
    from alarm_rules r join devices d on ${covers(tx)} join alarm_marks m on m.device_id = d.id
    where r.enabled and r.kind = 'configDrift' and m.config_hash <> d.config_hash
    union all
    select a.rule_id, a.device_id, '', false, null from ${open(tx, 'configDrift')} join alarm_marks m on m.device_id = d.id
    where m.config_hash = d.config_hash`
}

async function observeReboots(tx: Transaction, at: Date): Promise<void> {
  await tx`
    update alarm_marks m set boot_id = d.boot_id, boots = case when m.boot_id is null then m.boots else
      (array(select b from unnest(m.boots) b where b > ${at}::timestamptz - interval '1 day' order by b desc limit 29)) || ${at}::timestamptz end
    from devices d where d.id = m.device_id and d.boot_id is not null and d.boot_id is distinct from m.boot_id`
  await observeLevel(
    tx,
    'reboots',
    tx`join alarm_marks m on m.device_id = d.id`,
    tx`(select count(*) from unnest(m.boots) b where b > ${at}::timestamptz - make_interval(mins => r.window_minutes))`,
  )
}

async function observeSim(tx: Transaction): Promise<void> {
  const switched = tx`m.iccid is not null and d.iccid is not null and m.iccid <> d.iccid`
  await tx`
    insert into observed (rule_id, device_id, subject, beyond, detail)
    select r.id, d.id, '', true, m.iccid || ' → ' || d.iccid
    from alarm_rules r join devices d on ${covers(tx)} join alarm_marks m on m.device_id = d.id
    where r.enabled and r.kind = 'simSwitched' and ${switched}`
  await tx`
    update alarm_marks m set iccid = d.iccid from devices d
    where d.id = m.device_id and d.iccid is not null and d.iccid is distinct from m.iccid`
}

async function observeAddresses(tx: Transaction): Promise<void> {
  const moved = tx`s.online and s.remote_ip is not null and s.remote_ip is distinct from m.remote_ip`
  await tx`
    insert into observed (rule_id, device_id, subject, beyond, detail)
    select r.id, d.id, '', true, s.remote_ip
    from alarm_rules r join devices d on ${covers(tx)} join alarm_marks m on m.device_id = d.id join device_states s on s.device_id = d.id
    where r.enabled and r.kind = 'newAddress' and m.remote_ip is not null and ${moved}
      and not exists (select 1 from presence_records p where p.device_id = d.id and p.ip = s.remote_ip
        and p.connection_id is distinct from s.connection_id and p.online_at >= coalesce(d.owned_since, '-infinity'))`
  await tx`update alarm_marks m set remote_ip = s.remote_ip from device_states s where s.device_id = m.device_id and ${moved}`
}

async function observePrinters(tx: Transaction): Promise<void> {
  const trouble = tx`(p.present and p.status = any(${[...printerTroubles]}::text[]))`
  await tx`
    insert into observed (rule_id, device_id, subject, beyond, detail, since)
    select r.id, d.id, p.local_id, true, coalesce(p.alias, p.type, p.local_id) || ': ' || p.status, p.status_at
    from printers p join devices d on d.id = p.device_id join alarm_rules r on ${covers(tx)}
    where r.enabled and r.kind = 'printerError' and ${trouble}
    union all
    select a.rule_id, a.device_id, a.subject, false, null, null
    from ${open(tx, 'printerError')} left join printers p on p.device_id = d.id and p.local_id = a.subject
    where p.id is null or not ${trouble}`
}

/**
 * [decisions/066] The last scheduled reboot that is over: one that happened ends it, and so does whoever changes the schedule,
 * because he has seen to it.
 */
async function observeMissed(tx: Transaction): Promise<void> {
  const last = tx`left join schedules p on p.device_id = d.id and p.customer_id = d.customer_id
    left join lateral (select x.state, x.reason, x.due_at, x.ended_at from schedule_runs x
      where x.device_id = p.device_id and x.ended_at is not null and x.due_at >= coalesce(d.owned_since, '-infinity')
      order by x.due_at desc limit 1) l on true`
  const missed = tx`l.state in ('missed', 'failed') and l.ended_at >= p.updated_at`
  await tx`
    insert into observed (rule_id, device_id, subject, beyond, detail, since)
    select r.id, d.id, '', true, l.reason, l.due_at
    from alarm_rules r join devices d on ${covers(tx)} ${last} where r.enabled and r.kind = 'rebootMissed' and ${missed}
    union all
    select a.rule_id, a.device_id, '', false, null, null from ${open(tx, 'rebootMissed')} ${last} where (${missed}) is not true`
}

/** Fills `observed` for the kinds that an enabled rule asks for. `graces`: seconds of absence that never count, by customer. */
export async function observe(
  tx: Transaction,
  kinds: ReadonlySet<AlarmKind>,
  at: Date,
  graces: ReadonlyMap<number, number>,
): Promise<void> {
  const has = (...names: AlarmKind[]) => names.some((name) => kinds.has(name))
  if (has('offline')) await observeOffline(tx, at, graces)
  const levels: [AlarmKind, Figure][] = [
    ['signal', tx`s.signal_dbm`],
    ['load', tx`s.load1`],
    ['memory', tx`100.0 * s.memory_used_bytes / nullif(s.memory_total_bytes, 0)`],
    ['temperature', tx`s.temperature_celsius`],
  ]
  for (const [kind, value] of levels) if (has(kind)) await observeLevel(tx, kind, fresh(tx, at), value)
  if (has('trafficDay')) await observeTraffic(tx, 'trafficDay', at)
  if (has('trafficMonth')) await observeTraffic(tx, 'trafficMonth', at)
  await markDevices(tx)
  if (has('reboots')) await observeReboots(tx, at)
  if (has('simSwitched')) await observeSim(tx)
  if (has('newAddress')) await observeAddresses(tx)
  if (has('configDrift')) await observeDrift(tx, at)
  if (has('printerError')) await observePrinters(tx)
  if (has('rebootMissed')) await observeMissed(tx)
}
