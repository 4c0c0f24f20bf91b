import { and, asc, count, desc, eq, isNotNull, sql } from 'drizzle-orm'
import { sealFor } from '#infra/broker-account'
import { hashSecret, makeSecret } from '#infra/secrets'
import { createDevice, getDeviceFacets, getDeviceList, modifyDevice } from '#schema/device/device'

import { placeDevice } from '#schema/device/device-place'
import { customers } from '#schema/tables/customer'
import { deviceStates, devices } from '#schema/tables/device'
import { groups } from '#schema/tables/group'
import { storedGroup } from '../group/group-object.ts'
import { rowOf } from '../kit/about.ts'
import { amongIds } from '../kit/among-ids.ts'
import { edit } from '../kit/edition.ts'
import { handler } from '../kit/handler.ts'
import { page } from '../kit/paging.ts'
import { visible } from '../kit/scope.ts'
import { deviceCondition, isOnline } from './device-filter.ts'
import { storedDevice } from './device-object.ts'
import { findDevicePage } from './device-page.ts'
import { deviceColumns } from './device-row.ts'
import { mqttAddressesOf } from './mqtt-addresses.ts'
import { refuseTaken } from './serial-number.ts'

export const getDeviceListHandler = handler(getDeviceList, async (ctx, body) => {
  const where = await deviceCondition(ctx, body)
  const counting = ctx.db.select({ total: count() }).from(devices).$dynamic()
  // Even a join that the planner removes prevents an index-only scan of the count.
  if (body.online || body.state || body.position || body.region)
    counting.leftJoin(deviceStates, eq(deviceStates.deviceId, devices.id))
  const total = counting.where(where).then(([counted]) => counted?.total ?? 0)
  const [ids, counted] = await Promise.all([findDevicePage(ctx, where, body, total), total])
  // The page is found first, then filled: sorting 100,000 whole rows costs twice as much as sorting their ids.
  const rows = await ctx.db
    .select(deviceColumns(ctx))
    .from(devices)
    .innerJoin(groups, eq(groups.id, devices.groupId))
    .innerJoin(customers, eq(customers.id, devices.customerId))
    .leftJoin(deviceStates, eq(deviceStates.deviceId, devices.id))
    // What has been given to another customer since the ids were read is theirs alone.
    .where(and(visible(ctx.actor).devices, amongIds(devices.id, ids)))
  const places = new Map(ids.map((id, place) => [id, place]))
  rows.sort((a, b) => (places.get(a.deviceId) ?? 0) - (places.get(b.deviceId) ?? 0))
  // A page that is not full determines the total itself: devices added between the two queries would contradict it.
  const isLast = ids.length < body.limit && (ids.length > 0 || body.offset === 1)
  return { list: rows, total: isLast ? page(body) + ids.length : counted }
})

export const getDeviceFacetsHandler = handler(getDeviceFacets, async ({ db, actor }) => {
  const mine = visible(actor).devices
  const facet = (column: typeof devices.model | typeof devices.firmware) =>
    db
      .select({ value: sql<string>`${column}`, count: count() })
      .from(devices)
      .where(and(mine, isNotNull(column)))
      .groupBy(column)
      .orderBy(desc(count()), asc(column))
  const states = db
    .select({
      online: sql<number>`count(*) filter (where ${isOnline})`.mapWith(Number),
      total: count(),
    })
    .from(devices)
    .leftJoin(deviceStates, eq(deviceStates.deviceId, devices.id))
    .where(mine)
  const [[found], models, firmwares] = await Promise.all([
    states,
    facet(devices.model),
    facet(devices.firmware),
  ])
  const { online, total } = found ?? { online: 0, total: 0 }
  return { online, offline: total - online, models, firmwares }
})

export const createDeviceHandler = handler(createDevice, async (ctx, body) => {
  const group = rowOf(ctx, storedGroup)
  const secret = makeSecret()
  const created = await ctx.db.transaction(async (tx) => {
    const [row] = await tx
      .insert(devices)
      .values({
        customerId: group.customerId,
        groupId: group.id,
        sn: body.deviceSn,
        name: body.deviceName,
        address: body.address,
        secretHash: hashSecret(secret),
        secretSealed: sealFor(ctx.env, secret),
      })
      // The unique index decides, so that of many equal requests one succeeds [threats 29].
      .onConflictDoNothing({ target: devices.sn })
      .returning({ id: devices.id })
    if (row) await tx.insert(deviceStates).values({ deviceId: row.id }).onConflictDoNothing()
    return row
  })
  if (!created) return refuseTaken(ctx, body.deviceSn)
  return { deviceId: created.id, deviceSn: body.deviceSn, secret, mqtt: mqttAddressesOf(ctx.env) }
})

export const modifyDeviceHandler = handler(modifyDevice, async (ctx, body) => {
  const { id } = rowOf(ctx, storedDevice)
  const changes = {
    name: body.deviceName,
    address: body.address,
    ...(body.dataPlanMb === undefined ? {} : { dataPlanMb: body.dataPlanMb || null }),
  }
  await edit(ctx, { opened: body.edition }, (tx) => tx.update(devices).set(changes).where(eq(devices.id, id)))
  return null
})

export const placeDeviceHandler = handler(placeDevice, async (ctx, { position, edition }) => {
  const { id } = rowOf(ctx, storedDevice)
  const changes = { longitude: position?.longitude ?? null, latitude: position?.latitude ?? null }
  await edit(ctx, { opened: edition }, (tx) => tx.update(devices).set(changes).where(eq(devices.id, id)))
  return null
})
