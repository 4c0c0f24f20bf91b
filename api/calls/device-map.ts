import { createHash } from 'node:crypto'
import { and, count, eq, type SQL, sql } from 'drizzle-orm'
import {
  getDeviceAddressList,
  getDeviceInfo,
  getDeviceInformation,
  getDeviceMap,
  getMapSettings,
  MAP_SCALE,
} from '#schema/device-map'
import { deviceStates, devices } from '#schema/tables/device'
import { amongIds, isOnline } from '../device-filter.ts'
import { hasPosition, position } from '../device-position.ts'
import { type CallContext, handler } from '../handler.ts'
import { page } from '../paging.ts'
import { visible } from '../scope.ts'

const numbers = (text: string | null | undefined) => JSON.parse(`[${text ?? ''}]`) as number[]

type Cells = Record<
  'ids' | 'sns' | 'names' | 'addresses' | 'longitudes' | 'latitudes' | 'online',
  string | null
>

/**
 * One row of columns comes from the database, and is cut into rows here: 100,000 rows one by one take twice as long.
 * Texts of people come as JSON, which holds whatever they wrote; the others have no comma in them.
 */
async function items(
  { db }: CallContext,
  where: SQL | undefined,
  of: { limit: number | null; skip: number } = { limit: null, skip: 0 },
) {
  const [found] = await db.execute<Cells>(sql`
    select string_agg(id::text, ',') as ids, string_agg(sn, ',') as sns, json_agg(name)::text as names, json_agg(address)::text as addresses,
      string_agg(coalesce(lon::text, 'null'), ',') as longitudes, string_agg(coalesce(lat::text, 'null'), ',') as latitudes,
      string_agg(case when online then '1' else '0' end, '') as online
    from (
      select ${devices.id} as id, ${devices.sn} as sn, ${devices.name} as name, ${devices.address} as address,
        ${position.longitude} as lon, ${position.latitude} as lat, ${isOnline} as online
      from ${devices} left join ${deviceStates} on ${deviceStates.deviceId} = ${devices.id}
      where ${where ?? sql`true`} order by ${devices.id} limit ${of.limit} offset ${of.skip}) as item`)
  const sns = found?.sns?.split(',') ?? []
  const names = JSON.parse(found?.names ?? '[]') as string[]
  const addresses = JSON.parse(found?.addresses ?? '[]') as (string | null)[]
  const longitudes = numbers(found?.longitudes)
  const latitudes = numbers(found?.latitudes)
  return numbers(found?.ids).map((deviceId, i) => ({
    deviceId,
    deviceSn: sns[i] ?? '',
    deviceName: names[i] ?? '',
    deviceAddress: addresses[i] ?? null,
    deviceLongitude: longitudes[i] ?? null,
    deviceLatitude: latitudes[i] ?? null,
    online: found?.online?.[i] === '1',
  }))
}

/** [§7] allDevice. */
const ALL = 2
const ONLINE = 1

export const getDeviceAddressListHandler = handler(getDeviceAddressList, async (ctx, body) => {
  const where = and(
    visible(ctx.actor).devices,
    hasPosition,
    body.allDevice === ALL ? undefined : eq(isOnline, body.allDevice === ONLINE),
  )
  const skip = page(body)
  const list = await items(ctx, where, { limit: body.limit, skip })
  // The last page tells how many there are.
  if (list.length < body.limit && (list.length > 0 || skip === 0)) return { list, total: skip + list.length }
  const [counted] = await ctx.db
    .select({ total: count() })
    .from(devices)
    .leftJoin(deviceStates, eq(deviceStates.deviceId, devices.id))
    .where(where)
  return { list, total: counted?.total ?? 0 }
})

async function countKinds({ db, actor }: CallContext) {
  const [row] = await db
    .select({
      online: sql<number>`count(*) filter (where ${isOnline})`.mapWith(Number),
      unplaced: sql<number>`count(*) filter (where not ${hasPosition})`.mapWith(Number),
      total: count(),
    })
    .from(devices)
    .leftJoin(deviceStates, eq(deviceStates.deviceId, devices.id))
    .where(visible(actor).devices)
  const { online, unplaced, total } = row ?? { online: 0, unplaced: 0, total: 0 }
  return { online, offline: total - online, unplaced }
}

export const getDeviceInformationHandler = handler(getDeviceInformation, async (ctx) => {
  const [list, kinds] = await Promise.all([
    items(ctx, and(visible(ctx.actor).devices, hasPosition)),
    countKinds(ctx),
  ])
  return { list, total: list.length, ...kinds }
})

export const getDeviceInfoHandler = handler(getDeviceInfo, async (ctx, body) => {
  const ids = [...(body.deviceIds ?? []), ...(body.deviceId === undefined ? [] : [body.deviceId])]
  const named =
    body.deviceSn === undefined
      ? amongIds(devices.id, ids)
      : sql`(${amongIds(devices.id, ids)} or ${devices.sn} = ${body.deviceSn})`
  const list = await items(ctx, and(visible(ctx.actor).devices, named))
  return { list, total: list.length }
})

type Columns = {
  ids: string | null
  lon: string | null
  lat: string | null
  online: string | null
  unplaced: number
}
export const getDeviceMapHandler = handler(getDeviceMap, async (ctx) => {
  // The database glues the columns together, in one scan: 100,000 row objects would cost several times as much.
  const [found] = await ctx.db.execute<Columns>(sql`
    select string_agg(id::text, ',') filter (where placed) as ids, string_agg(lon::text, ',') filter (where placed) as lon,
      string_agg(lat::text, ',') filter (where placed) as lat, string_agg(online, '') filter (where placed) as online,
      (count(*) filter (where not placed))::int as unplaced
    from (
      select ${devices.id} as id, ${hasPosition} as placed, round(${position.longitude} * ${MAP_SCALE}::int)::int as lon,
        round(${position.latitude} * ${MAP_SCALE}::int)::int as lat, case when ${isOnline} then '1' else '0' end as online
      from ${devices} left join ${deviceStates} on ${deviceStates.deviceId} = ${devices.id}
      where ${visible(ctx.actor).devices} order by ${devices.id}) as points`)
  const { ids, lon, lat, online, unplaced } = found ?? {
    ids: null,
    lon: null,
    lat: null,
    online: null,
    unplaced: 0,
  }
  const version = createHash('sha1').update([ids, lon, lat, online, unplaced].join(' ')).digest('base64url')
  return {
    version,
    deviceIds: numbers(ids),
    longitudes: numbers(lon),
    latitudes: numbers(lat),
    online: online ?? '',
    unplaced,
  }
})

export const getMapSettingsHandler = handler(getMapSettings, async ({ env }) => ({
  tileUrl: env.MAP_TILE_URL ?? null,
  attribution: env.MAP_TILE_ATTRIBUTION,
  datum: env.MAP_DATUM,
}))
