import { and, eq, ne, sql } from 'drizzle-orm'
import type { Context } from '#infra/context'
import { refuse } from '#schema/kit/refusal'
import {
  deleteSavedView,
  getSavedViewList,
  modifySavedView,
  savedViewObject,
  saveView,
  VIEWS_MAX,
} from '#schema/platform/saved-view'
import { viewRefusals } from '#schema/platform/view-refusals'
import { savedViews } from '#schema/tables/saved-view'
import { users } from '#schema/tables/user'
import { rowOf } from '../kit/about.ts'
import type { Actor } from '../kit/actor.ts'
import { edit, editionOf } from '../kit/edition.ts'
import { handler } from '../kit/handler.ts'
import { knownName } from '../kit/known-name.ts'
import { listOf } from '../kit/list-of.ts'
import { stored } from '../kit/stored.ts'
import { whenTaken } from '../kit/unique-violation.ts'
import { withinBound } from '../kit/within-bound.ts'

type Db = Pick<Context['db'], 'select' | 'update' | 'execute'>

/** One writer per user, so that there is only one default. */
const lockOwner = (db: Db, { userId }: Actor) =>
  db.execute(sql`select 1 from users where id = ${userId} for update`)

const noOtherDefault = (db: Db, { userId }: Actor, list: string, id: number) =>
  db
    .update(savedViews)
    .set({ isDefault: false })
    .where(
      and(
        eq(savedViews.userId, userId),
        eq(savedViews.list, list),
        ne(savedViews.id, id),
        savedViews.isDefault,
      ),
    )

export const storedSavedView = stored({
  object: savedViewObject,
  table: savedViews,
  id: savedViews.id,
  name: savedViews.name,
  customerId: savedViews.customerId,
  // A shared one is visible to all, but only its owner can change it.
  seen: (_, actor) => eq(savedViews.userId, actor.userId),
  nameable: (walls) => walls.savedViews,
  row: () => ({ id: savedViews.id, list: savedViews.list, name: savedViews.name }),
  parts: {
    main: {
      table: savedViews,
      id: savedViews.id,
      fields: {
        name: savedViews.name,
        query: savedViews.query,
        shared: savedViews.shared,
        isDefault: savedViews.isDefault,
      },
    },
  },
  facts: { list: savedViews.list },
})

export const getSavedViewListHandler = listOf(getSavedViewList, 'savedViews', ({ db, actor }) => ({
  table: savedViews,
  rows: db
    .select({
      id: savedViews.id,
      list: savedViews.list,
      name: savedViews.name,
      query: savedViews.query,
      shared: savedViews.shared,
      isDefault: sql<boolean>`${savedViews.isDefault} and ${savedViews.userId} = ${actor.userId}`,
      mine: sql<boolean>`${savedViews.userId} = ${actor.userId}`,
      owner: sql<string>`coalesce(${knownName(actor)}, '')`,
      changedAt: savedViews.changedAt,
      edition: editionOf(storedSavedView.parts.main),
    })
    .from(savedViews)
    .innerJoin(users, eq(users.id, savedViews.userId)),
}))

export const saveViewHandler = handler(saveView, async ({ db, actor, now }, body) => {
  const bound = {
    table: savedViews,
    where: and(eq(savedViews.userId, actor.userId), eq(savedViews.list, body.list)),
    owner: actor.userId,
    max: VIEWS_MAX,
    full: () => refuse(viewRefusals.viewTooMany, { max: VIEWS_MAX }),
  }
  const made = await withinBound({ db }, bound, async (tx) => {
    await lockOwner(tx, actor)
    if (body.isDefault) await noOtherDefault(tx, actor, body.list, 0)
    const [row] = await tx
      .insert(savedViews)
      .values({ ...body, userId: actor.userId, customerId: actor.customerId, changedAt: now() })
      .onConflictDoNothing()
      .returning({ id: savedViews.id })
    return row ?? refuse(viewRefusals.viewNameExists, { name: body.name }, 'name')
  })
  return made
})

export const modifySavedViewHandler = handler(modifySavedView, async (ctx, body) => {
  const { actor, now } = ctx
  const { id, edition, ...given } = body
  const changes = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  const found = rowOf(ctx, storedSavedView)
  const lock = (tx: Db) => lockOwner(tx, actor)
  await edit(ctx, { opened: edition, lock }, async (tx) => {
    if (body.isDefault) await noOtherDefault(tx, actor, found.list, id)
    await tx
      .update(savedViews)
      .set({ ...changes, changedAt: now() })
      .where(eq(savedViews.id, id))
  }).catch(
    whenTaken({
      saved_views_name: () => refuse(viewRefusals.viewNameExists, { name: body.name ?? found.name }, 'name'),
    }),
  )
  return null
})

export const deleteSavedViewHandler = handler(deleteSavedView, async (ctx) => {
  await ctx.db.delete(savedViews).where(eq(savedViews.id, rowOf(ctx, storedSavedView).id))
  return null
})
