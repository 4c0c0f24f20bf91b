import { createHash } from 'node:crypto'
import { and, count, eq, sql } from 'drizzle-orm'
import {
  getDeviceAddressList,
  getDeviceInfo,
  getDeviceInformation,
  getDeviceMap,
  getMapBorders,
  getMapDevice,
  getMapSettings,
  getWeakSignals,
  MAP_LIMIT,
  MAP_SCALE,
} from '#schema/device/device-map'
import { signalBands } from '#schema/report/report'
import { deviceStates, devices } from '#schema/tables/device'
import { amongIds } from '../kit/among-ids.ts'
import { handler } from '../kit/handler.ts'
import { JsonText } from '../kit/json-text.ts'
import { page } from '../kit/paging.ts'
import { visible } from '../kit/scope.ts'
import { isOnline } from './device-filter.ts'
import { items, itemsInParallel, withoutLast } from './device-items.ts'
import { hasPosition, position } from './device-position.ts'
import { stateColumns, stateRank, worstAlarms } from './device-state.ts'

const numbers = (text: string | null | undefined) => JSON.parse(`[${text ?? ''}]`) as number[]

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
  const whole = skip === 0 && body.limit === MAP_LIMIT
  const { list, listed } = await (whole ? itemsInParallel : items)(ctx, { where, limit: body.limit, skip })
  const answer = (text: string, total: number) => new JsonText(`{"list":[${text}],"total":${total}}`)
  // On the last page the total is known.
  if (listed < body.limit && (listed > 0 || skip === 0)) return answer(list, skip + listed)
  const [counted] = await ctx.db
    .select({ total: count() })
    .from(devices)
    .leftJoin(deviceStates, eq(deviceStates.deviceId, devices.id))
    .where(where)
  return answer(withoutLast(list, Math.max(0, listed - body.limit)), counted?.total ?? 0)
})

export const getDeviceInformationHandler = handler(getDeviceInformation, async (ctx) => {
  const { list, listed, online, total, unplaced } = await itemsInParallel(ctx, {
    where: visible(ctx.actor).devices,
    listed: hasPosition,
  })
  return new JsonText(
    `{"list":[${list}],"total":${listed},"online":${online},"offline":${total - online},"unplaced":${unplaced}}`,
  )
})

export const getDeviceInfoHandler = handler(getDeviceInfo, async (ctx, body) => {
  const ids = [...(body.deviceIds ?? []), ...(body.deviceId === undefined ? [] : [body.deviceId])]
  const named =
    body.deviceSn === undefined
      ? amongIds(devices.id, ids)
      : sql`(${amongIds(devices.id, ids)} or ${devices.sn} = ${body.deviceSn})`
  const { list, total } = await items(ctx, { where: and(visible(ctx.actor).devices, named) })
  return new JsonText(`{"list":[${list}],"total":${total}}`)
})

type Columns = {
  ids: string | null
  lon: string | null
  lat: string | null
  online: string | null
  states: string | null
  alarms: string | null
  unplaced: number
}
export const getDeviceMapHandler = handler(getDeviceMap, async (ctx) => {
  // The database builds the columns in one scan: 100,000 row objects would cost several times as much.
  const [found] = await ctx.db.execute<Columns>(sql`
    select string_agg(id::text, ',') filter (where placed) as ids, string_agg(lon::text, ',') filter (where placed) as lon,
      string_agg(lat::text, ',') filter (where placed) as lat, string_agg(online, '') filter (where placed) as online,
      string_agg(state::text, '') filter (where placed) as states, string_agg(alarm::text, '') filter (where placed) as alarms,
      (count(*) filter (where not placed))::int as unplaced
    from (
      select ${devices.id} as id, ${hasPosition} as placed, round(${position.longitude} * ${MAP_SCALE}::int)::int as lon,
        round(${position.latitude} * ${MAP_SCALE}::int)::int as lat, case when ${isOnline} then '1' else '0' end as online,
        ${stateRank(ctx.now())} as state, coalesce(worst, 0) as alarm
      from ${devices} left join ${deviceStates} on ${deviceStates.deviceId} = ${devices.id}
        left join ${worstAlarms(ctx.actor)} as alarmed on alarmed.device_id = ${devices.id}
      where ${visible(ctx.actor).devices} order by ${devices.id}) as points`)
  const { ids, lon, lat, online, states, alarms, unplaced } = found ?? {
    ids: null,
    lon: null,
    lat: null,
    online: null,
    states: null,
    alarms: null,
    unplaced: 0,
  }
  const version = createHash('sha1')
    .update([ids, lon, lat, online, states, alarms, unplaced].join(' '))
    .digest('base64url')
  return {
    version,
    deviceIds: numbers(ids),
    longitudes: numbers(lon),
    latitudes: numbers(lat),
    online: online ?? '',
    states: states ?? '',
    alarms: alarms ?? '',
    unplaced,
  }
})

export const getMapDeviceHandler = handler(getMapDevice, async (ctx, { deviceId }) => {
  const [found] = await ctx.db
    .select({
      deviceId: devices.id,
      groupId: devices.groupId,
      deviceSn: devices.sn,
      deviceName: devices.name,
      address: devices.address,
      ...stateColumns({ actor: ctx.actor, now: ctx.now() }),
      signalDbm: deviceStates.signalDbm,
      lastSeenAt: deviceStates.lastSeenAt,
      longitude: position.longitude,
      latitude: position.latitude,
    })
    .from(devices)
    .leftJoin(deviceStates, eq(deviceStates.deviceId, devices.id))
    .where(and(visible(ctx.actor).devices, amongIds(devices.id, [deviceId])))
  return found ?? null
})

type Weak = { lon: string | null; lat: string | null; dbm: string | null }
export const getWeakSignalsHandler = handler(getWeakSignals, async (ctx) => {
  const [found] = await ctx.db.execute<Weak>(sql`
    select string_agg(round(lon * ${MAP_SCALE}::int)::int::text, ',') as lon, string_agg(round(lat * ${MAP_SCALE}::int)::int::text, ',') as lat,
      string_agg(round(dbm)::int::text, ',') as dbm
    from (
      select ${position.longitude} as lon, ${position.latitude} as lat, ${deviceStates.signalDbm} as dbm
      from ${devices} join ${deviceStates} on ${deviceStates.deviceId} = ${devices.id}
      where ${visible(ctx.actor).devices} and ${hasPosition} and ${deviceStates.signalDbm} < ${signalBands.fair}::float8
      order by ${devices.id}) as points`)
  return { longitudes: numbers(found?.lon), latitudes: numbers(found?.lat), dbm: numbers(found?.dbm) }
})

export const getMapSettingsHandler = handler(getMapSettings, async ({ env }) => ({
  tileUrl: env.MAP_TILE_URL ?? null,
  attribution: env.MAP_TILE_ATTRIBUTION,
  datum: env.MAP_DATUM,
  borders: env.MAP_BORDERS_FILE.length > 0,
}))

export const getMapBordersHandler = handler(getMapBorders, async ({ env }) => ({
  lines: env.MAP_BORDERS_FILE,
}))
