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

const fields = {
  deviceId: devices.id,
  deviceSn: devices.sn,
  deviceName: devices.name,
  deviceAddress: devices.address,
  deviceLongitude: position.longitude,
  deviceLatitude: position.latitude,
  online: isOnline,
}
const names = Object.keys(fields) as (keyof typeof fields)[]

type Item = {
  deviceId: number
  deviceSn: string
  deviceName: string
  deviceAddress: string | null
  deviceLongitude: number | null
  deviceLatitude: number | null
  online: boolean
}
type Cells = { [F in keyof Item]: Item[F][] }

/** One row of columns comes from the database, and is cut into rows here: 100,000 rows one by one take twice as long. */
async function items(
  { db }: CallContext,
  where: SQL | undefined,
  of: { limit: number | null; skip: number } = { limit: null, skip: 0 },
) {
  const columns = names.map((name) => sql`json_agg(${sql.identifier(name)})::text as ${sql.identifier(name)}`)
  const cells = names.map((name) => sql`${fields[name]} as ${sql.identifier(name)}`)
  const [found] = await db.execute<Record<keyof Item, string | null>>(sql`
    select ${sql.join(columns, sql`, `)} from (
      select ${sql.join(cells, sql`, `)} from ${devices} left join ${deviceStates} on ${deviceStates.deviceId} = ${devices.id}
      where ${where ?? sql`true`} order by ${devices.id} limit ${of.limit} offset ${of.skip}) as item`)
  const parsed = Object.fromEntries(names.map((name) => [name, JSON.parse(found?.[name] ?? '[]')])) as Cells
  return parsed.deviceId.map(
    (deviceId, i): Item => ({
      deviceId,
      deviceSn: parsed.deviceSn[i] ?? '',
      deviceName: parsed.deviceName[i] ?? '',
      deviceAddress: parsed.deviceAddress[i] ?? null,
      deviceLongitude: parsed.deviceLongitude[i] ?? null,
      deviceLatitude: parsed.deviceLatitude[i] ?? null,
      online: parsed.online[i] ?? false,
    }),
  )
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
  const list = await items(ctx, and(visible(ctx.actor).devices, hasPosition))
  return { list, total: list.length, ...(await countKinds(ctx)) }
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
const numbers = (text: string | null | undefined) => JSON.parse(`[${text ?? ''}]`) as number[]

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
