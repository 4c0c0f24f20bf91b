/**
 * Many devices lost together are one outage, named by their common address, carrier or group, else by their
 * number [decisions/067].
 */
import {
  OUTAGE_GATHER_MS,
  OUTAGE_MIN,
  OUTAGE_MIN_UNRELATED,
  OUTAGE_WINDOW_MS,
  type OutageGround,
} from '#schema/alarm/alarm'
import type { Transaction } from '../kit/processor.ts'

export type Lost = {
  id: number
  address: string | null
  carrier: string | null
  groupId: number
  groupName: string
}
export type Outage = { ground: OutageGround; key: string; name: string; ids: number[] }

/** A loopback address says nothing about the location: it is that of our own proxy. */
const isLocating = (address: string) => !/^(127\.|::1$|::ffff:127\.)/.test(address)

const groundsOf = (lost: Lost): { ground: OutageGround; key: string; name: string }[] => [
  ...(lost.address && isLocating(lost.address)
    ? [{ ground: 'address' as const, key: lost.address, name: lost.address }]
    : []),
  ...(lost.carrier ? [{ ground: 'carrier' as const, key: lost.carrier, name: lost.carrier }] : []),
  { ground: 'group', key: String(lost.groupId), name: lost.groupName },
]

/** The customer's devices, lost or not: in total, and by `<ground> <key>`. */
export type Fleet = { total: number; of: ReadonlyMap<string, number> }
/** A cause with this share of lost devices explains the loss. */
const WHOLE = 0.8
/** Factor by which the share lost must exceed the overall share. */
const TELLING = 1.5
const order: readonly OutageGround[] = ['address', 'group', 'carrier', 'rule']

function countGrounds(lost: readonly Lost[]): Outage[] {
  const grounds = new Map<string, Outage>()
  for (const one of lost)
    for (const { ground, key, name } of groundsOf(one)) {
      const outage = grounds.get(`${ground} ${key}`) ?? { ground, key, name, ids: [] }
      outage.ids.push(one.id)
      grounds.set(`${ground} ${key}`, outage)
    }
  return [...grounds.values()]
    .filter(({ ids }) => ids.length >= OUTAGE_MIN)
    .toSorted((a, b) => b.ids.length - a.ids.length || order.indexOf(a.ground) - order.indexOf(b.ground))
}

/**
 * Causes that are lost as a whole first, then those with a higher share than the rest, the largest of each;
 * on a tie the more specific: address, group, carrier. If nothing stands out, many devices are one outage
 * without a common cause, because every carrier has some of them. A few are still named by what they share.
 */
export function findOutages(lost: readonly Lost[], fleet: Fleet): Outage[] {
  const found: Outage[] = []
  let rest = [...lost]
  let total = fleet.total
  for (;;) {
    const grounds = countGrounds(rest)
    const share = ({ ground, key, ids }: Outage) =>
      ids.length / Math.max(ids.length, fleet.of.get(`${ground} ${key}`) ?? 0)
    const everywhere = rest.length / Math.max(rest.length, total)
    const outage =
      grounds.find((one) => share(one) >= WHOLE) ??
      grounds.find((one) => share(one) >= TELLING * everywhere) ??
      grounds.find(({ ids }) => ids.length === rest.length || rest.length < OUTAGE_MIN_UNRELATED)
    if (!outage) break
    found.push(outage)
    const taken = new Set(outage.ids)
    rest = rest.filter(({ id }) => !taken.has(id))
    total -= outage.ids.length
  }
  if (rest.length >= OUTAGE_MIN_UNRELATED)
    found.push({ ground: 'rule', key: '', name: '', ids: rest.map(({ id }) => id) })
  return found
}

type Row = Lost & { ruleId: number; customerId: number; lastAt: Date }

async function countFleet(tx: Transaction, customerId: number): Promise<Fleet> {
  const rows = await tx<{ ground: OutageGround | null; key: string; n: number }[]>`
    select case when grouping(d.group_id) = 0 then 'group' when grouping(d.operator) = 0 then 'carrier' when grouping(s.remote_ip) = 0 then 'address' end as ground,
      coalesce(d.group_id::text, d.operator, s.remote_ip) as key, count(*)::int as n
    from devices d left join device_states s on s.device_id = d.id
    where d.customer_id = ${customerId} and d.deleted_at is null
    group by grouping sets ((), (d.group_id), (d.operator), (s.remote_ip))`
  return {
    total: rows.find(({ ground }) => ground === null)?.n ?? 0,
    of: new Map(rows.map(({ ground, key, n }) => [`${ground} ${key}`, n])),
  }
}

export type Gathered = { readonly outages: number; readonly alone: readonly number[] }

/** Offline alarms that began before are too old to be part of an outage. */
export const outageWindow = (at: Date) => new Date(at.getTime() - OUTAGE_WINDOW_MS)

/**
 * Groups offline alarms that were not notified yet: first into existing outages, then into new ones. `alone`: ids of
 * alarms that no others have joined in time, to be notified one by one.
 */
export async function gatherOutages(tx: Transaction, at: Date): Promise<Gathered> {
  const since = outageWindow(at)
  await tx`
    update alarms a set incident_id = i.id, notified = 'all'
    from alarm_incidents i, devices d, device_states s
    where a.notified = 'nothing' and a.ended_at is null and a.kind = 'offline' and a.incident_id is null and a.last_at > ${since} and not a.held
      and d.id = a.device_id and s.device_id = a.device_id and i.rule_id = a.rule_id and i.ended_at is null and i.started_at > ${since}
      and case i.ground when 'address' then i.key = s.remote_ip when 'carrier' then i.key = d.operator
        when 'group' then i.key = a.group_id::text else true end`
  const rows = await tx<Row[]>`
    select a.id, a.rule_id as "ruleId", a.customer_id as "customerId", a.last_at as "lastAt", s.remote_ip as address, d.operator as carrier,
      a.group_id as "groupId", a.group_name as "groupName"
    from alarms a join devices d on d.id = a.device_id join device_states s on s.device_id = a.device_id
    where a.notified = 'nothing' and a.ended_at is null and a.kind = 'offline' and a.incident_id is null and a.last_at > ${since} and not a.held`
  let made = 0
  const alone = new Set<number>()
  for (const [ruleId, lost] of Map.groupBy(rows, (row) => row.ruleId)) {
    const [first] = lost.toSorted((a, b) => a.lastAt.getTime() - b.lastAt.getTime())
    if (!first || first.lastAt.getTime() > at.getTime() - OUTAGE_GATHER_MS) continue
    for (const { id } of lost) alone.add(id)
    for (const outage of findOutages(lost, await countFleet(tx, first.customerId))) {
      const [incident] = await tx<{ id: number }[]>`
        insert into alarm_incidents (customer_id, rule_id, ground, key, name, started_at)
        values (${first.customerId}, ${ruleId}, ${outage.ground}, ${outage.key}, ${outage.name}, ${first.lastAt}) returning id`
      await tx`update alarms set incident_id = ${incident?.id ?? null}, notified = 'all' where id = any(${outage.ids}::bigint[])`
      for (const id of outage.ids) alone.delete(id)
      made += 1
    }
  }
  return { outages: made, alone: [...alone] }
}
