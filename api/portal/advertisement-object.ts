import { and, eq, getTableColumns, inArray, type SQL, sql } from 'drizzle-orm'
import { refuse } from '#schema/kit/refusal'
import { absent, sessionRefusals } from '#schema/people/session-refusals'
import { advertisementObject } from '#schema/portal/advertisement'
import { portalRefusals } from '#schema/portal/portal-refusals'
import { groups } from '#schema/tables/group'
import { advertisementGroups, advertisements } from '#schema/tables/portal'
import { rowOf } from '../kit/about.ts'
import type { Actor } from '../kit/actor.ts'
import type { CallContext } from '../kit/handler.ts'
import { visible } from '../kit/scope.ts'
import { type RowOf, stored } from '../kit/stored.ts'

/** Those that reach nothing beyond the actor's groups. undefined: the actor sees the whole customer. */
function ownOnes({ groupIds }: Actor): SQL | undefined {
  if (groupIds === null) return undefined
  return and(
    eq(advertisements.scope, 'groups'),
    sql`not exists (select 1 from ${advertisementGroups} where ${advertisementGroups.advertisementId} = ${advertisements.id}
      and ${advertisementGroups.groupId} <> all (${sql.param([...groupIds])}::int[]))`,
  )
}

const { id, customerId, name, imageId, caption, link, place, scope, enabled } = advertisements
const { fromDate, toDate, weekdays, fromTime, toTime } = advertisements
/** In a fixed order, so that equal lists are equal. */
const groupIds = sql`array(select l.group_id from advertisement_groups l where l.advertisement_id = advertisements.id order by 1)`

export const storedAdvertisement = stored({
  object: advertisementObject,
  table: advertisements,
  id,
  name,
  customerId,
  seen: (walls) => walls.advertisements,
  row: (actor) => ({ ...getTableColumns(advertisements), own: sql<boolean>`${ownOnes(actor) ?? sql`true`}` }),
  parts: {
    main: {
      table: advertisements,
      id,
      fields: {
        name,
        imageId,
        caption,
        link,
        place,
        scope,
        groupIds,
        fromDate,
        toDate,
        weekdays,
        fromTime,
        toTime,
        enabled,
      },
    },
  },
  missing: portalRefusals.advertisementGone,
})

/**
 * The one to change: users confined to groups can change only those that do not reach beyond them. @throws Refusal
 * 380 otherwise, as for one that does not exist.
 */
export function ownAdvertisement(ctx: CallContext): RowOf<typeof storedAdvertisement> {
  const found = rowOf(ctx, storedAdvertisement)
  return found.own ? found : refuse(portalRefusals.advertisementGone)
}

type Scope = { scope: 'customer' | 'groups'; groupIds: readonly number[] }

/** The groups of the scope, all of the customer and visible. @throws Refusal 5, or 384 if none is chosen. */
export async function reachGroups(ctx: CallContext, customerId: number, body: Scope): Promise<number[]> {
  const { actor, db } = ctx
  if (body.scope === 'customer') {
    if (actor.groupIds !== null) refuse(sessionRefusals.noPermission, {}, 'scope')
    return []
  }
  const wanted = [...new Set(body.groupIds)]
  if (wanted.length === 0) refuse(portalRefusals.groupsMissing, {}, 'groupIds')
  const found = await db
    .select({ id: groups.id })
    .from(groups)
    .where(and(visible(actor).groups, eq(groups.customerId, customerId), inArray(groups.id, wanted)))
  if (found.length < wanted.length) refuse(absent)
  return wanted
}
