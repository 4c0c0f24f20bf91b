import { and, desc, eq, isNull, sql } from 'drizzle-orm'
import { getAlarmOutages, OUTAGE_VALUES, type OutageTrait, outageTraits } from '#schema/alarm/alarm-outage'
import { alarmIncidents, alarms } from '#schema/tables/alarm'
import { customers } from '#schema/tables/customer'
import { deviceStates, devices } from '#schema/tables/device'
import { groups } from '#schema/tables/group'
import { type CallContext, handler } from '../kit/handler.ts'
import { visible } from '../kit/scope.ts'
import { outagesOf } from './alarm-outages.ts'

const active = isNull(alarms.endedAt)
const isAway = sql`filter (where ${active})`
const isOpen = sql`filter (where ${active} and ${alarms.ackAt} is null)`
const counted = (filter: typeof isAway) => sql<number>`count(*) ${filter}`.mapWith(Number)

function readOutages({ db, actor }: CallContext) {
  const away = counted(isAway)
  return db
    .select({
      incidentId: alarmIncidents.id,
      customerId: alarmIncidents.customerId,
      ground: alarmIncidents.ground,
      key: alarmIncidents.key,
      name: alarmIncidents.name,
      startedAt: alarmIncidents.startedAt,
      customerName: customers.name,
      // An incident belongs to one rule, so these are the same in each of its alarms.
      severity: sql<(typeof alarms.$inferSelect)['severity']>`max(${alarms.severity})`,
      ruleName: sql<string>`max(${alarms.ruleName})`,
      away,
      total: counted(sql``),
      open: counted(isOpen),
      unhandled: counted(sql`filter (where ${alarms.handledAt} is null)`),
      // Devices that are online again, and whose alarm will end, do not count as lost.
      lostFrom:
        sql`min(${deviceStates.onlineChangedAt}) filter (where ${active} and not ${deviceStates.online})`.mapWith(
          deviceStates.onlineChangedAt,
        ),
      lostTo:
        sql`max(${deviceStates.onlineChangedAt}) filter (where ${active} and not ${deviceStates.online})`.mapWith(
          deviceStates.onlineChangedAt,
        ),
    })
    .from(alarms)
    .innerJoin(alarmIncidents, eq(alarmIncidents.id, alarms.incidentId))
    .leftJoin(customers, eq(customers.id, alarmIncidents.customerId))
    .leftJoin(deviceStates, eq(deviceStates.deviceId, alarms.deviceId))
    .where(and(visible(actor).alarms, sql`${alarms.incidentId} in ${outagesOf(actor)}`))
    .groupBy(alarmIncidents.id, customers.name)
    .orderBy(desc(away), desc(alarmIncidents.id))
}

/** In each row one of the four is set: the property that the row counts. */
const traits = {
  group: groups.name,
  carrier: devices.operator,
  model: devices.model,
  firmware: devices.firmware,
}
type Counted = Record<OutageTrait, string | null> & { of: number; count: number }

const traitOf = (row: Counted) => outageTraits.find((trait) => row[trait] !== null)
const keyOf = (of: number, trait: OutageTrait, value: string | null) => `${of} ${trait} ${value}`

/** Number of devices per group, carrier, model and firmware, of each outage and of each customer's whole fleet. */
async function readTraits({ db, actor }: CallContext, incidentIds: number[], customerIds: number[]) {
  const sets = sql`grouping sets (${sql.join(
    outageTraits.map((trait) => sql`(1, ${traits[trait]})`),
    sql`, `,
  )})`
  const columns = { ...traits, count: sql<number>`count(*)`.mapWith(Number) }
  const lost = db
    .select({ of: sql<number>`${alarms.incidentId}`, ...columns })
    .from(alarms)
    .innerJoin(devices, eq(devices.id, alarms.deviceId))
    .innerJoin(groups, eq(groups.id, devices.groupId))
    .where(
      and(
        visible(actor).alarms,
        visible(actor).devices,
        active,
        sql`${alarms.incidentId} = any(${`{${incidentIds}}`}::int[])`,
      ),
    )
    .groupBy(sets)
  const fleet = db
    .select({ of: sql<number>`${devices.customerId}`, ...columns })
    .from(devices)
    .innerJoin(groups, eq(groups.id, devices.groupId))
    .where(and(visible(actor).devices, sql`${devices.customerId} = any(${`{${customerIds}}`}::int[])`))
    .groupBy(sets)
  return Promise.all([lost, fleet])
}

export const getAlarmOutagesHandler = handler(getAlarmOutages, async (ctx) => {
  const outages = await readOutages(ctx)
  if (outages.length === 0) return { list: [] }
  const [lost, fleet] = await readTraits(
    ctx,
    outages.map(({ incidentId }) => incidentId),
    [...new Set(outages.map(({ customerId }) => customerId))],
  )
  const all = new Map(
    fleet.flatMap((row) => {
      const trait = traitOf(row)
      return trait ? [[keyOf(row.of, trait, row[trait]), row.count] as const] : []
    }),
  )
  return {
    list: outages.map(({ customerId, key, ...outage }) => ({
      ...outage,
      groupId: outage.ground === 'group' ? Number(key) : null,
      common: outageTraits.flatMap((trait) =>
        lost
          .filter((row) => row.of === outage.incidentId && row[trait] !== null)
          .toSorted((a, b) => b.count - a.count)
          .slice(0, OUTAGE_VALUES)
          .map((row) => ({
            trait,
            value: row[trait] ?? '',
            away: row.count,
            all: all.get(keyOf(customerId, trait, row[trait])) ?? row.count,
          })),
      ),
    })),
  }
})
