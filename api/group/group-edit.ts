import { and, count, eq, isNull, or, sql } from 'drizzle-orm'
import { unseal } from '#infra/secrets'
import { addGroup, deleteGroup, modifyGroupName } from '#schema/group/group'
import { clearGroupRemote, getGroupPassword } from '#schema/group/group-account'
import { groupMovePermission } from '#schema/group/group-pages'
import { groupRefusals } from '#schema/group/group-refusals'
import { refuse } from '#schema/kit/refusal'
import { absent, sessionRefusals } from '#schema/people/session-refusals'
import { remoteApprovePermission } from '#schema/remote/access-pages'
import { devices, enrolmentKeys } from '#schema/tables/device'
import { groups } from '#schema/tables/group'
import { projects } from '#schema/tables/project'
import { users } from '#schema/tables/user'
import { rowOf } from '../kit/about.ts'
import { holds } from '../kit/actor.ts'
import { edit } from '../kit/edition.ts'
import { type CallContext, handler } from '../kit/handler.ts'
import { visible } from '../kit/scope.ts'
import { whenTaken } from '../kit/unique-violation.ts'
import { reachCustomer } from '../kit/visible-ids.ts'
import { noRemote, remoteOf } from './group-account.ts'
import { storedGroup } from './group-object.ts'
import { levelBelow, lockTree, moveGroup, type Queries } from './group-tree.ts'

/**
 * The user responsible for a group belongs to its customer, or to the platform. `now`: an existing one, a platform user
 * who is not visible to the actor, may stay. @throws Refusal 5 for any other.
 */
async function checkOwner(
  tx: Queries,
  ctx: CallContext,
  uid: number,
  customerId: number,
  now: number | null = null,
): Promise<void> {
  const [found] = await tx
    .select({ id: users.id })
    .from(users)
    .where(
      and(
        uid === now ? undefined : visible(ctx.actor).users,
        eq(users.id, uid),
        or(eq(users.customerId, customerId), isNull(users.customerId)),
      ),
    )
  if (!found) refuse(absent)
}

/** The level follows from the place in the tree; a form sends it too. @throws Refusal if the one sent is another. */
function checkLevel(sent: number | undefined, level: number, parentId: number): void {
  if (sent === undefined || sent === level) return
  if (parentId === 0) refuse(groupRefusals.groupNeedsParent, { level: sent }, 'parentGroupId')
  refuse(groupRefusals.groupLevelWrong, { level }, 'level')
}

/** The unique indexes decide [threats 29]; converts a violation to a refusal. */
const taken = (groupName: string, account: string) =>
  whenTaken({
    groups_name: () => refuse(groupRefusals.groupNameTaken, { name: groupName }, 'groupName'),
    groups_remote_account: () => refuse(groupRefusals.remoteAccountTaken, { name: account }, 'name'),
  })

export const addGroupHandler = handler(addGroup, async (ctx, body) => {
  const { actor } = ctx
  const parent = body.parentGroupId ?? 0
  const given = body.cid ?? (parent === 0 ? actor.customerId : null) ?? undefined
  const gid = await ctx.db
    .transaction(async (tx) => {
      const place = await levelBelow(tx, actor, parent, given)
      if (place.customerId === undefined) refuse(groupRefusals.groupNoCustomer, {}, 'cid')
      checkLevel(body.level, place.level, parent)
      await lockTree(tx, place.customerId)
      if (body.uid !== undefined) await checkOwner(tx, ctx, body.uid, place.customerId)
      // Checked again with the lock, so that the parent cannot be moved or deleted.
      const { level, parentId } = await levelBelow(tx, actor, parent, place.customerId)
      const [made] = await tx
        .insert(groups)
        .values({
          name: body.groupName,
          level,
          parentId,
          customerId: place.customerId,
          ownerId: body.uid ?? null,
          createdBy: actor.userId,
        })
        .returning({ id: groups.id })
      if (!made) throw new Error('insert returned nothing')
      return made.id
    })
    .catch(taken(body.groupName, ''))
  return { gid }
})

export const modifyGroupNameHandler = handler(modifyGroupName, async (ctx, body) => {
  const { actor } = ctx
  const { customerId } = rowOf(ctx, storedGroup)
  if (body.cid !== undefined) {
    await reachCustomer(ctx, body.cid)
    if (body.cid !== customerId) refuse(groupRefusals.groupCustomerStays, {}, 'cid')
  }
  const account = body.name ?? ''
  const lock = (tx: Queries) => lockTree(tx, customerId)
  await edit(ctx, { opened: body.edition, lock }, async (tx) => {
    const [before] = await tx.select().from(groups).where(eq(groups.id, body.gid))
    if (!before) refuse(absent)
    let level = before.level
    if (body.parentGroupId !== undefined && body.parentGroupId !== (before.parentId ?? 0)) {
      if (!holds(actor, groupMovePermission)) refuse(sessionRefusals.noPermission)
      level = await moveGroup(tx, actor, before, body.parentGroupId)
    }
    checkLevel(body.level, level, body.parentGroupId ?? before.parentId ?? 0)
    if (body.uid) await checkOwner(tx, ctx, body.uid, customerId, before.ownerId)
    const access = {
      remoteApproval: body.remoteApproval ?? before.remoteApproval,
      remoteTargets: body.remoteTargets === undefined ? before.remoteTargets : body.remoteTargets || null,
    }
    // Otherwise users who may not approve access could switch off the approval that they need.
    const isLifted =
      access.remoteApproval !== before.remoteApproval || access.remoteTargets !== before.remoteTargets
    if (isLifted && !holds(actor, remoteApprovePermission)) refuse(sessionRefusals.noPermission)
    const remote = await remoteOf(tx, ctx, before, body)
    await tx
      .update(groups)
      .set({
        name: body.groupName ?? before.name,
        ownerId: body.uid === undefined ? before.ownerId : body.uid || null,
        ...remote,
        ...access,
        ...(body.dataPlanMb === undefined ? {} : { dataPlanMb: body.dataPlanMb || null }),
        updatedAt: ctx.now(),
      })
      .where(eq(groups.id, body.gid))
  }).catch(taken(body.groupName ?? '', account))
  return null
})

export const clearGroupRemoteHandler = handler(clearGroupRemote, async (ctx, { gid }) => {
  await edit(ctx, {}, (tx) =>
    tx
      .update(groups)
      .set({ ...noRemote, updatedAt: ctx.now() })
      .where(eq(groups.id, gid)),
  )
  return null
})

export const getGroupPasswordHandler = handler(getGroupPassword, async (ctx) => {
  const { remoteAccount, remotePassword } = rowOf(ctx, storedGroup)
  if (!remoteAccount || !remotePassword) refuse(groupRefusals.remoteAccountNone)
  return { name: remoteAccount, password: unseal(remotePassword, ctx.env.JWT_SECRET) }
})

/** More would make the refusal unreadable. */
const NAMED = 5

/**
 * Users who would have no group without this one. Whoever sees a group may know the names of its customer's users
 * [decisions/062].
 */
async function withoutOther(tx: Queries, groupId: number): Promise<string[]> {
  const rows = await tx.execute<{ username: string }>(sql`
    select u.username from user_groups own join users u on u.id = own.user_id
    where own.group_id = ${groupId} and not exists (
      select 1 from user_groups other where other.user_id = own.user_id and other.group_id <> own.group_id)
    order by u.username`)
  return rows.map(({ username }) => username)
}

export const deleteGroupHandler = handler(deleteGroup, async (ctx, { groupId }) => {
  const { customerId } = rowOf(ctx, storedGroup)
  await ctx.db.transaction(async (tx) => {
    await lockTree(tx, customerId)
    // Locked, so that no user is given this group, or left with it alone, and nobody makes it a project meanwhile.
    const [group] = await tx.select().from(groups).where(eq(groups.id, groupId)).for('update')
    if (!group) refuse(absent)
    if (group.isDefault) refuse(groupRefusals.groupIsDefault)
    // Abnormal devices count, because restored ones return to their group.
    const [held] = await tx.select({ count: count() }).from(devices).where(eq(devices.groupId, groupId))
    if (held && held.count > 0) refuse(groupRefusals.groupHasDevices, { count: held.count })
    const [below] = await tx
      .select({ count: sql<number>`count(*)`.mapWith(Number) })
      .from(groups)
      .where(eq(groups.parentId, groupId))
    if (below && below.count > 0) refuse(groupRefusals.groupHasGroups, { count: below.count })
    const [project] = await tx
      .select({ name: projects.name })
      .from(projects)
      .where(eq(projects.groupId, groupId))
    if (project) refuse(groupRefusals.groupIsProject, project)
    const left = await withoutOther(tx, groupId)
    if (left.length > 0)
      refuse(groupRefusals.groupIsLast, { count: left.length, names: left.slice(0, NAMED).join(', ') })
    // An enrolment key is useless without its group.
    await tx.delete(enrolmentKeys).where(eq(enrolmentKeys.groupId, groupId))
    await tx.delete(groups).where(eq(groups.id, groupId))
  })
  return null
})
