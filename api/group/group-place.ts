import { and, asc, eq, lte, ne, sql } from 'drizzle-orm'
import { findCanLevelUp, GROUP_LEVELS, getAddLevelGroup, levelUp } from '#schema/group/group'
import { refuse } from '#schema/kit/refusal'
import { absent } from '#schema/people/session-refusals'
import { groups } from '#schema/tables/group'
import { rowOf } from '../kit/about.ts'
import { edit } from '../kit/edition.ts'
import { handler } from '../kit/handler.ts'
import { visible } from '../kit/scope.ts'
import { reachGroup } from '../kit/visible-ids.ts'
import { storedGroup } from './group-object.ts'
import { lockTree, moveGroup, type Queries, subtree } from './group-tree.ts'

const columns = {
  gid: groups.id,
  groupName: groups.name,
  level: groups.level,
  parentGroupId: groups.parentId,
}

export const findCanLevelUpHandler = handler(findCanLevelUp, async (ctx, { groupId }) => {
  const { db, actor } = ctx
  const group = rowOf(ctx, storedGroup)
  if (group.isDefault) return { canBeFirst: false, list: [] }
  const { ids, height } = await subtree(db, groupId)
  const list = await db
    .select(columns)
    .from(groups)
    .where(
      and(
        visible(actor).groups,
        eq(groups.customerId, group.customerId),
        lte(groups.level, GROUP_LEVELS - height),
        sql`${groups.id} <> all(${sql.param(ids)}::int[])`,
        group.parentId === null ? undefined : ne(groups.id, group.parentId),
      ),
    )
    .orderBy(asc(groups.level), asc(groups.name))
  return { canBeFirst: actor.groupIds === null && group.level > 1, list }
})

export const levelUpHandler = handler(levelUp, async (ctx, { groupId, parentGroupId }) => {
  const { customerId } = rowOf(ctx, storedGroup)
  const lock = (tx: Queries) => lockTree(tx, customerId)
  await edit(ctx, { lock }, async (tx) => {
    const [group] = await tx.select().from(groups).where(eq(groups.id, groupId))
    if (!group) refuse(absent)
    await moveGroup(tx, ctx.actor, group, parentGroupId)
  })
  return null
})

export const getAddLevelGroupHandler = handler(getAddLevelGroup, async (ctx, { pid }) => {
  const { db, actor } = ctx
  if (pid !== 0) await reachGroup(ctx, pid)
  const found = await db
    .select({ gid: groups.id, groupName: groups.name, level: groups.level, cid: groups.customerId })
    .from(groups)
    .where(and(visible(actor).groups, lte(groups.level, GROUP_LEVELS - 1)))
    .orderBy(asc(groups.level), asc(groups.name))
  const parent = found.find(({ gid }) => gid === pid)
  const level = pid === 0 ? (actor.groupIds === null ? 1 : null) : parent ? parent.level + 1 : null
  return { canAdd: level !== null, level, list: found }
})
