import { eq, sql } from 'drizzle-orm'
import { deviceRefusals } from '#schema/device/device-refusals'
import type { ParsedBodyOf } from '#schema/kit/call'
import { refuse } from '#schema/kit/refusal'
import {
  ADVERTISEMENTS_MAX,
  addAdvertisement,
  deleteAdvertisement,
  enableAdvertisement,
  modifyAdvertisement,
} from '#schema/portal/advertisement'
import { sweepPortals } from '#schema/portal/portal-device'
import { portalRefusals } from '#schema/portal/portal-refusals'
import { advertisementGroups, advertisements } from '#schema/tables/portal'
import { edit } from '../kit/edition.ts'
import { type CallContext, handler } from '../kit/handler.ts'
import { ownerOf } from '../kit/owner.ts'
import { whenTaken } from '../kit/unique-violation.ts'
import { wake } from '../kit/wake-job.ts'
import { type Transaction, withinBound } from '../kit/within-bound.ts'
import { adoptImage } from '../people/user-rows.ts'
import { ownAdvertisement, reachGroups } from './advertisement-object.ts'

type Body = Omit<ParsedBodyOf<typeof addAdvertisement>, 'customerId'>

/** @throws Refusal 382, 383 */
function checkSchedule({ fromDate, toDate, fromTime, toTime }: Body): void {
  if (fromDate !== undefined && toDate !== undefined && toDate < fromDate)
    refuse(portalRefusals.dayBeforeFirst, {}, 'toDate')
  if ((fromTime === undefined) !== (toTime === undefined) || (fromTime !== undefined && fromTime === toTime))
    refuse(portalRefusals.hoursHalf, {}, fromTime === undefined ? 'fromTime' : 'toTime')
}

const columnsOf = (body: Body) => ({
  name: body.name,
  // Devices refuse control characters.
  caption: body.caption?.replace(/\p{Cc}+/gu, ' ') || null,
  link: body.link,
  place: body.place,
  scope: body.scope,
  fromDate: body.fromDate ?? null,
  toDate: body.toDate ?? null,
  weekdays: [...new Set(body.weekdays)].toSorted(),
  fromTime: body.fromTime ?? null,
  toTime: body.toTime ?? null,
  enabled: body.enabled,
})

const taken = (name: string) =>
  whenTaken({ advertisements_name: () => refuse(deviceRefusals.nameTaken, { name }, 'name') })

/** The picture belongs to the customer from now on. @throws Refusal 5 unless the actor sees it. */
const takeImage = async ({ actor }: CallContext, tx: Transaction, imageId: string, customerId: number) =>
  (await adoptImage(tx, actor, imageId, customerId)) ?? imageId

async function putGroups(tx: Transaction, advertisementId: number, groupIds: readonly number[]) {
  await tx.delete(advertisementGroups).where(eq(advertisementGroups.advertisementId, advertisementId))
  if (groupIds.length > 0)
    await tx.insert(advertisementGroups).values(groupIds.map((groupId) => ({ advertisementId, groupId })))
}

export const addAdvertisementHandler = handler(addAdvertisement, async (ctx, body) => {
  const customerId = ownerOf(ctx)
  checkSchedule(body)
  const groupIds = await reachGroups(ctx, customerId, body)
  const bound = {
    table: advertisements,
    where: eq(advertisements.customerId, customerId),
    owner: customerId,
    max: ADVERTISEMENTS_MAX,
    full: () => refuse(portalRefusals.tooManyAdvertisements, { max: ADVERTISEMENTS_MAX }),
  }
  const work = withinBound(ctx, bound, async (tx) => {
    const imageId = await takeImage(ctx, tx, body.imageId, customerId)
    const [made] = await tx
      .insert(advertisements)
      .values({ ...columnsOf(body), imageId, customerId })
      .returning({ id: advertisements.id })
    if (!made) throw new Error('insert returned nothing')
    await putGroups(tx, made.id, groupIds)
    return made
  })
  const made = await work.catch(taken(body.name))
  await wake(ctx, sweepPortals)
  return made
})

export const modifyAdvertisementHandler = handler(modifyAdvertisement, async (ctx, body) => {
  const before = ownAdvertisement(ctx)
  checkSchedule(body)
  const groupIds = await reachGroups(ctx, before.customerId, body)
  const work = edit(ctx, { opened: body.edition }, async (tx) => {
    const imageId = await takeImage(ctx, tx, body.imageId, before.customerId)
    await tx
      .update(advertisements)
      .set({
        ...columnsOf(body),
        imageId,
        version: sql`${advertisements.version} + 1`,
        updatedAt: ctx.now(),
      })
      .where(eq(advertisements.id, before.id))
    await putGroups(tx, before.id, groupIds)
  })
  await work.catch(taken(body.name))
  await wake(ctx, sweepPortals)
  return null
})

export const enableAdvertisementHandler = handler(enableAdvertisement, async (ctx, { enabled }) => {
  const { id } = ownAdvertisement(ctx)
  await edit(ctx, {}, (tx) =>
    tx.update(advertisements).set({ enabled, updatedAt: ctx.now() }).where(eq(advertisements.id, id)),
  )
  await wake(ctx, sweepPortals)
  return null
})

export const deleteAdvertisementHandler = handler(deleteAdvertisement, async (ctx) => {
  await ctx.db.delete(advertisements).where(eq(advertisements.id, ownAdvertisement(ctx).id))
  await wake(ctx, sweepPortals)
  return null
})
