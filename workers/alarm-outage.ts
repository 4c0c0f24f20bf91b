/** Many devices lost together are one outage: by their common address, carrier or group, else by their number. */
import {
  OUTAGE_GATHER_MS,
  OUTAGE_MIN,
  OUTAGE_MIN_UNRELATED,
  OUTAGE_WINDOW_MS,
  type OutageGround,
} from '#schema/alarm'
import type { Transaction } from './processor.ts'

export type Lost = {
  id: number
  address: string | null
  carrier: string | null
  groupId: number
  groupName: string
}
export type Outage = { ground: OutageGround; key: string; name: string; ids: number[] }

/** An address of ours says nothing about the place: everybody comes from it. */
const isTelling = (address: string) => !/^(127\.|::1$|::ffff:127\.)/.test(address)

const groundsOf = (lost: Lost): { ground: OutageGround; key: string; name: string }[] => [
  ...(lost.address && isTelling(lost.address)
    ? [{ ground: 'address' as const, key: lost.address, name: lost.address }]
    : []),
  ...(lost.carrier ? [{ ground: 'carrier' as const, key: lost.carrier, name: lost.carrier }] : []),
  { ground: 'group', key: String(lost.groupId), name: lost.groupName },
]

/** The largest common ground first, again and again; on a tie the more exact: address, group, carrier. */
export function findOutages(lost: readonly Lost[]): Outage[] {
  const found: Outage[] = []
  let rest = [...lost]
  for (;;) {
    const grounds = new Map<string, Outage>()
    for (const one of rest)
      for (const { ground, key, name } of groundsOf(one)) {
        const outage = grounds.get(`${ground} ${key}`) ?? { ground, key, name, ids: [] }
        outage.ids.push(one.id)
        grounds.set(`${ground} ${key}`, outage)
      }
    const order: OutageGround[] = ['address', 'group', 'carrier', 'rule']
    const [largest] = [...grounds.values()].toSorted(
      (a, b) => b.ids.length - a.ids.length || order.indexOf(a.ground) - order.indexOf(b.ground),
    )
    if (!largest || largest.ids.length < OUTAGE_MIN) break
    found.push(largest)
    const taken = new Set(largest.ids)
    rest = rest.filter(({ id }) => !taken.has(id))
  }
  if (rest.length >= OUTAGE_MIN_UNRELATED)
    found.push({ ground: 'rule', key: '', name: '', ids: rest.map(({ id }) => id) })
  return found
}

type Row = Lost & { ruleId: number; customerId: number; lastAt: Date }

/** Gathers what is offline and not told yet: into outages that go on, then into new ones. */
export async function gatherOutages(tx: Transaction, at: Date): Promise<number> {
  const since = new Date(at.getTime() - OUTAGE_WINDOW_MS)
  await tx`
    update alarms a set incident_id = i.id, told = 'all'
    from alarm_incidents i, devices d, device_states s
    where a.told = 'nothing' and a.ended_at is null and a.kind = 'offline' and a.incident_id is null and a.last_at > ${since} and not a.held
      and d.id = a.device_id and s.device_id = a.device_id and i.rule_id = a.rule_id and i.ended_at is null and i.started_at > ${since}
      and case i.ground when 'address' then i.key = s.remote_ip when 'carrier' then i.key = d.operator
        when 'group' then i.key = a.group_id::text else true end`
  const rows = await tx<Row[]>`
    select a.id, a.rule_id as "ruleId", a.customer_id as "customerId", a.last_at as "lastAt", s.remote_ip as address, d.operator as carrier,
      a.group_id as "groupId", a.group_name as "groupName"
    from alarms a join devices d on d.id = a.device_id join device_states s on s.device_id = a.device_id
    where a.told = 'nothing' and a.ended_at is null and a.kind = 'offline' and a.incident_id is null and a.last_at > ${since} and not a.held`
  let made = 0
  for (const [ruleId, lost] of Map.groupBy(rows, (row) => row.ruleId)) {
    const [first] = lost.toSorted((a, b) => a.lastAt.getTime() - b.lastAt.getTime())
    if (!first || first.lastAt.getTime() > at.getTime() - OUTAGE_GATHER_MS) continue
    for (const outage of findOutages(lost)) {
      const [incident] = await tx<{ id: number }[]>`
        insert into alarm_incidents (customer_id, rule_id, ground, key, name, started_at)
        values (${first.customerId}, ${ruleId}, ${outage.ground}, ${outage.key}, ${outage.name}, ${first.lastAt}) returning id`
      await tx`update alarms set incident_id = ${incident?.id ?? null}, told = 'all' where id = any(${outage.ids}::bigint[])`
      made += 1
    }
  }
  return made
}
