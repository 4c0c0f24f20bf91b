/**
 * [§3 Map list item] Devices in the format of the specification, as JSON: up to a whole fleet (docs/decisions/055).
 */
import { and, gt, lte, type SQL, sql } from 'drizzle-orm'
import { deviceStates, devices } from '#schema/tables/device'
import type { CallContext } from '../kit/handler.ts'
import { isOnline } from './device-filter.ts'
import { hasPosition, position } from './device-position.ts'

type Found = { list: string; listed: number; online: number; unplaced: number; total: number }
type Of = { where?: SQL | undefined; listed?: SQL; limit?: number; skip?: number }

/**
 * The items as JSON written by the database, separated by commas, and the counts. Parsing and serializing the rows of
 * a whole fleet in this process would take as long again, during which it serves no other request.
 */
export async function items({ db }: CallContext, of: Of): Promise<Found> {
  // A serial number needs no escaping [schema/hello]; chains of || take two thirds of concat()'s time.
  const [found] = await db.execute<Found>(sql`
    select coalesce(string_agg('{"deviceId":' || id || ',"deviceSn":"' || sn || '","deviceName":' || to_json(name)
        || ',"deviceAddress":' || coalesce(to_json(address)::text, 'null') || ',"deviceLongitude":' || coalesce(lon::text, 'null')
        || ',"deviceLatitude":' || coalesce(lat::text, 'null') || case when online then ',"online":true}' else ',"online":false}' end, ',')
        filter (where listed), '') as list,
      (count(*) filter (where listed))::int as listed, (count(*) filter (where online))::int as online,
      (count(*) filter (where not placed))::int as unplaced, count(*)::int as total
    from (
      select ${devices.id} as id, ${devices.sn} as sn, ${devices.name} as name, ${devices.address} as address,
        ${position.longitude} as lon, ${position.latitude} as lat, ${isOnline} as online, ${hasPosition} as placed,
        ${of.listed ?? sql`true`} as listed
      from ${devices} left join ${deviceStates} on ${deviceStates.deviceId} = ${devices.id}
      where ${of.where ?? sql`true`} order by ${devices.id} limit ${of.limit ?? null} offset ${of.skip ?? 0}) as item`)
  return found ?? { list: '', listed: 0, online: 0, unplaced: 0, total: 0 }
}

/** A whole fleet, its older and newer half read in parallel: writing 100,000 items takes 0.2 s of processor time. */
export async function itemsInParallel(ctx: CallContext, of: Of): Promise<Found> {
  const [middle] = await ctx.db.select({ id: sql<number>`coalesce(max(${devices.id}), 0) / 2` }).from(devices)
  const [older, younger] = await Promise.all([
    items(ctx, { ...of, where: and(of.where, lte(devices.id, middle?.id ?? 0)) }),
    items(ctx, { ...of, where: and(of.where, gt(devices.id, middle?.id ?? 0)) }),
  ])
  return {
    list: [older.list, younger.list].filter((list) => list !== '').join(','),
    listed: older.listed + younger.listed,
    online: older.online + younger.online,
    unplaced: older.unplaced + younger.unplaced,
    total: older.total + younger.total,
  }
}

const ITEM = ',{"deviceId":'

/** The list without its last items. User texts cannot contain `ITEM`, because their quotes are escaped. */
export function withoutLast(list: string, dropped: number): string {
  let end = list.length
  for (let i = 0; i < dropped; i++) end = list.lastIndexOf(ITEM, end - 1)
  return list.slice(0, end)
}
