/** Rules for the place of a group: three levels, never below itself, never with another customer. */

import { and, eq, sql } from 'drizzle-orm'
import type { Context } from '#infra/context'
import { GROUP_LEVELS } from '#schema/group/group'
import { groupRefusals } from '#schema/group/group-refusals'
import { refuse } from '#schema/kit/refusal'
import { monitorRefusals } from '#schema/monitor/monitor-refusals'
import { sessionRefusals } from '#schema/people/session-refusals'
import { groups } from '#schema/tables/group'
import { projects } from '#schema/tables/project'
import type { Actor } from '../kit/actor.ts'
import { visible } from '../kit/scope.ts'

/** The pool, or a transaction. */
export type Queries = Pick<Context['db'], 'select' | 'insert' | 'update' | 'delete' | 'execute'>

/**
 * Serializes changes of a customer's tree: two concurrent moves could create a cycle. Released with the transaction.
 */
export const lockTree = (tx: Queries, customerId: number) =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtext('groups'), ${customerId})`)

/** Ids of a group and its subgroups, with the number of levels they span (1–3). */
export async function subtree(tx: Queries, groupId: number): Promise<{ ids: number[]; height: number }> {
  const rows = await tx.execute<{ id: number; depth: number }>(sql`
    with recursive tree as (
      select id, 1 as depth from groups where id = ${groupId}
      union select g.id, tree.depth + 1 from groups g join tree on g.parent_id = tree.id
    ) select id, depth from tree`)
  return { ids: rows.map(({ id }) => id), height: Math.max(0, ...rows.map(({ depth }) => depth)) }
}

/**
 * The level below a parent; `parentId` 0 means the first level. @throws Refusal 5 for an invisible parent, and for
 * the first level if the actor is confined to groups; also if the parent is on the last level or belongs to another
 * customer.
 */
export async function levelBelow(
  tx: Queries,
  actor: Actor,
  parentId: number,
  customerId?: number,
): Promise<{ level: number; parentId: number | null; customerId: number | undefined }> {
  if (parentId === 0) {
    if (actor.groupIds !== null) refuse(sessionRefusals.noPermission)
    return { level: 1, parentId: null, customerId }
  }
  const [parent] = await tx
    .select({ level: groups.level, customerId: groups.customerId })
    .from(groups)
    .where(and(visible(actor).groups, eq(groups.id, parentId)))
  if (!parent) refuse(sessionRefusals.noPermission)
  if (customerId !== undefined && parent.customerId !== customerId)
    refuse(groupRefusals.groupCustomerStays, {}, 'parentGroupId')
  if (parent.level >= GROUP_LEVELS) refuse(groupRefusals.groupTooDeep, { max: GROUP_LEVELS }, 'parentGroupId')
  return { level: parent.level + 1, parentId, customerId: parent.customerId }
}

/** [§3 Project] "First-level group". @throws Refusal 452 if the group has a project */
async function refuseProject(tx: Queries, groupId: number): Promise<void> {
  const [found] = await tx.select({ id: projects.id }).from(projects).where(eq(projects.groupId, groupId))
  if (found) refuse(monitorRefusals.groupNotFirstLevel, {}, 'parentGroupId')
}

/** Moves a visible group with all its subgroups; returns its new level. The tree must be locked. */
export async function moveGroup(
  tx: Queries,
  actor: Actor,
  group: { id: number; customerId: number; level: number; isDefault: boolean },
  parentId: number,
): Promise<number> {
  if (group.isDefault) refuse(groupRefusals.defaultGroupStays)
  const moved = await subtree(tx, group.id)
  if (moved.ids.includes(parentId)) refuse(groupRefusals.groupIntoItself, {}, 'parentGroupId')
  const place = await levelBelow(tx, actor, parentId, group.customerId)
  if (place.level + moved.height - 1 > GROUP_LEVELS)
    refuse(groupRefusals.groupTooDeep, { max: GROUP_LEVELS }, 'parentGroupId')
  // Below the group of another project its devices would be in two.
  if (place.level > 1) await refuseProject(tx, group.id)
  await tx
    .update(groups)
    .set({ level: sql`${groups.level} + ${place.level - group.level}::int` })
    .where(sql`${groups.id} = any(${sql.param(moved.ids)}::int[])`)
  await tx
    .update(groups)
    .set({ parentId: place.parentId, updatedAt: sql`now()` })
    .where(eq(groups.id, group.id))
  return place.level
}
