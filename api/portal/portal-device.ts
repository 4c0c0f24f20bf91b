import { and, eq, inArray, isNotNull, sql } from 'drizzle-orm'
import { refuse } from '#schema/kit/refusal'
import { imageUrl } from '#schema/people/image'
import { getAdvertisementDevices, getDevicePortal } from '#schema/portal/portal-device'
import { portalRefusals } from '#schema/portal/portal-refusals'
import { deviceStates, devices } from '#schema/tables/device'
import { advertisementCounts, advertisements, portalDevices } from '#schema/tables/portal'
import { storedDevice } from '../device/device-object.ts'
import { stateOf } from '../device/device-state.ts'
import { rowOf } from '../kit/about.ts'
import { handler } from '../kit/handler.ts'
import { listOf } from '../kit/list-of.ts'
import { visible } from '../kit/scope.ts'
import { deliveryOf, isUnsupported } from './target-devices.ts'

const sumOf = (column: 'shown' | 'clicked') => sql<number>`(
  select coalesce(sum(c.${sql.raw(column)}), 0)::float8 from advertisement_counts c
  where c.advertisement_id = ${advertisements.id} and c.device_id = ${devices.id})`

export const getAdvertisementDevicesHandler = listOf(
  getAdvertisementDevices,
  'devices',
  async ({ db, actor, now }, body) => {
    const [found] = await db
      .select({ id: advertisements.id })
      .from(advertisements)
      .where(and(visible(actor).advertisements, eq(advertisements.id, body.id)))
    if (!found) refuse(portalRefusals.advertisementGone)
    return {
      table: devices,
      rows: db
        .select({
          deviceId: devices.id,
          groupId: devices.groupId,
          deviceSn: devices.sn,
          deviceName: devices.name,
          deviceState: stateOf(now()),
          state: sql<'has' | 'waiting' | 'failed' | 'unsupported'>`${deliveryOf}`,
          error: portalDevices.error,
          today: sql<boolean>`${advertisements.id} = any(${portalDevices.today})`,
          shown: sumOf('shown'),
          clicked: sumOf('clicked'),
          reportedAt: portalDevices.reportedAt,
        })
        .from(devices)
        .innerJoin(advertisements, eq(advertisements.customerId, devices.customerId))
        .innerJoin(portalDevices, eq(portalDevices.deviceId, devices.id))
        .innerJoin(deviceStates, eq(deviceStates.deviceId, devices.id)),
      where: isNotNull(deliveryOf),
      filters: {
        id: (id) => eq(advertisements.id, id),
        state: (state) => eq(deliveryOf, state),
      },
      countJoined: true,
    }
  },
)

export const getDevicePortalHandler = handler(getDevicePortal, async (ctx) => {
  const { id, customerId } = rowOf(ctx, storedDevice)
  const [found] = await ctx.db
    .select({
      desired: portalDevices.desired,
      reported: portalDevices.reported,
      error: portalDevices.error,
      reportedAt: portalDevices.reportedAt,
      today: portalDevices.today,
      unsupported: isUnsupported,
    })
    .from(portalDevices)
    .innerJoin(devices, eq(devices.id, portalDevices.deviceId))
    .where(eq(portalDevices.deviceId, id))
  if (!found) return { state: 'none' as const, error: null, reportedAt: null, today: [] }
  const { desired, reported, error, reportedAt, unsupported } = found
  const last = sql`(select max(k.day) from advertisement_counts k where k.device_id = ${id})`
  const rows = await ctx.db
    .select({
      id: advertisements.id,
      name: advertisements.name,
      imageId: advertisements.imageId,
      caption: advertisements.caption,
      link: advertisements.link,
      shown: sql<number>`coalesce(${advertisementCounts.shown}, 0)`,
      clicked: sql<number>`coalesce(${advertisementCounts.clicked}, 0)`,
    })
    .from(advertisements)
    .leftJoin(
      advertisementCounts,
      and(
        eq(advertisementCounts.advertisementId, advertisements.id),
        eq(advertisementCounts.deviceId, id),
        eq(advertisementCounts.day, last),
      ),
    )
    // Counts from the time of a former owner are not shown.
    .where(and(inArray(advertisements.id, found.today), eq(advertisements.customerId, customerId)))
  const state = unsupported
    ? ('unsupported' as const)
    : desired === reported
      ? desired === ''
        ? ('none' as const)
        : ('has' as const)
      : error === null
        ? ('waiting' as const)
        : ('failed' as const)
  return {
    state,
    error: state === 'failed' ? error : null,
    reportedAt,
    today: rows
      .toSorted((a, b) => found.today.indexOf(a.id) - found.today.indexOf(b.id))
      .map(({ imageId, ...row }) => ({ ...row, imageUrl: imageUrl(imageId) ?? '' })),
  }
})
