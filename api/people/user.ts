import { and, asc, eq, getTableColumns, inArray, sql } from 'drizzle-orm'
import { hashPassword, makeSecret } from '#infra/secrets'
import type { ParsedBodyOf } from '#schema/kit/call'
import { refuse } from '#schema/kit/refusal'
import { accountRefusals } from '#schema/people/account-refusals'
import { imageUrl } from '#schema/people/image'
import type { InvitationState } from '#schema/people/invitation'
import { peopleRefusals } from '#schema/people/people-refusals'
import { addUser, deleteUser, getUserList, modifyUser, setUserStatus } from '#schema/people/user'
import { customers } from '#schema/tables/customer'
import { groups } from '#schema/tables/group'
import { invitationState, invitations } from '#schema/tables/invitation'
import { formerUsers, roles, userGroups, users } from '#schema/tables/user'
import { edit, editionOf } from '../kit/edition.ts'
import { type CallContext, handler } from '../kit/handler.ts'
import { listOf } from '../kit/list-of.ts'
import { visible } from '../kit/scope.ts'
import { dropBindingsUnless } from './binding-mail.ts'
import { holdsAll, outranks } from './rights.ts'
import { checkInviting, inviteUser } from './send-invitation.ts'
import { storedUser } from './user-object.ts'
import { checkNewPassword, checkPlace, type KnownUser, lesserUser, type Place } from './user-reach.ts'
import { adoptImage, leaveOthers, putGroups, takenUser } from './user-rows.ts'

type Invitation = {
  state: InvitationState | null
  email: string | null
  sentAt: Date | null
  expiresAt: Date | null
}
const invitationOf = (found: Invitation | null) =>
  found?.state && found.email && found.sentAt && found.expiresAt
    ? { state: found.state, email: found.email, sentAt: found.sentAt, expiresAt: found.expiresAt }
    : null

export const getUserListHandler = listOf(
  getUserList,
  'users',
  ({ db }) => ({
    table: users,
    rows: db
      .select({
        user: users,
        role: roles,
        customerName: customers.name,
        edition: editionOf(storedUser.parts.main),
        invitation: {
          state: invitationState,
          email: invitations.email,
          sentAt: invitations.sentAt,
          expiresAt: invitations.expiresAt,
        },
      })
      .from(users)
      .leftJoin(customers, eq(customers.id, users.customerId))
      .leftJoin(roles, eq(roles.id, users.roleId))
      .leftJoin(invitations, eq(invitations.userId, users.id)),
    by: { ...getTableColumns(users), userType: users.type },
    filters: { user_id: null },
  }),
  async (rows, { db, actor }) => {
    const normal = rows.filter(({ user }) => user.type === 'normal').map(({ user }) => user.id)
    const seen =
      normal.length === 0
        ? []
        : await db
            .select({ userId: userGroups.userId, gid: groups.id, groupName: groups.name })
            .from(userGroups)
            .innerJoin(groups, eq(groups.id, userGroups.groupId))
            .where(and(inArray(userGroups.userId, normal), visible(actor).groups))
            .orderBy(asc(groups.name))
    return rows.map(({ user, role, customerName, edition, invitation }) => ({
      user_id: user.id,
      username: user.username,
      nickname: user.nickname,
      realname: user.realname,
      userType: user.type,
      customerId: user.customerId,
      customerName,
      roleId: user.roleId,
      roleName: role?.name ?? null,
      roleTemplate: role?.template ?? false,
      groups: seen
        .filter(({ userId }) => userId === user.id)
        .map(({ gid, groupName }) => ({ gid, groupName })),
      tel: user.tel,
      email: user.email,
      addr: user.addr,
      remark: user.remark,
      icon: imageUrl(user.icon),
      totp: user.totpAt !== null,
      status: user.status,
      alarmState: user.alarmState,
      monState: user.monState,
      invitation: invitationOf(invitation),
      lastLoginAt: user.lastLoginAt,
      createdAt: user.createdAt,
      edition,
      beyond: outranks(user.type, actor.type) || (role !== null && !holdsAll(actor, role)),
    }))
  },
)

type Fields = ParsedBodyOf<typeof modifyUser>

const personal = (body: Omit<Fields, 'userId'>) => ({
  realname: body.realname || null,
  nickname: body.nickname || null,
  tel: body.tel ?? null,
  email: body.email ?? null,
  addr: body.addr || null,
  remark: body.remark || null,
  alarmState: body.alarmState,
  monState: body.monState,
})

export const addUserHandler = handler(addUser, async (ctx, body) => {
  const place = await checkPlace(ctx, body)
  const { invite } = body
  if (invite) {
    if (!body.email) refuse(accountRefusals.emailFormat, {}, 'email')
    await checkInviting(ctx, place.customerId)
  } else {
    checkNewPassword(body.password ?? '', 'password')
    if (body.confirmPassword !== body.password) refuse(peopleRefusals.passwordsDiffer, {}, 'confirmPassword')
  }
  // A random password for an invited user: a login attempt takes as long as with any other wrong password.
  const passwordHash = await hashPassword(invite ? makeSecret() : (body.password ?? ''))
  const { groupIds, ...row } = place
  try {
    const userId = await ctx.db.transaction(async (tx) => {
      const icon = await adoptImage(tx, ctx.actor, body.icon, place.customerId)
      const [made] = await tx
        .insert(users)
        .values({
          ...personal(body),
          ...row,
          username: body.username,
          passwordHash,
          icon,
          createdBy: ctx.actor.userId,
        })
        .returning({ id: users.id })
      if (!made) throw new Error('insert returned nothing')
      await putGroups(tx, made.id, groupIds)
      return made.id
    })
    if (!invite) return { userId, kept: false }
    const { kept } = await inviteUser(ctx, userId, body.language ?? null).catch(async (error: unknown) => {
      await ctx.db.delete(users).where(eq(users.id, userId))
      throw error
    })
    return { userId, kept }
  } catch (error) {
    return takenUser(body)(error)
  }
})

/** The super administrator keeps their type; users cannot change their own. */
async function placeOf(
  ctx: CallContext,
  body: Fields,
  user: KnownUser,
): Promise<Omit<Place, 'roleId'> & { roleId: number | null }> {
  const now = {
    type: user.type,
    customerId: user.customerId,
    roleId: user.roleId,
    groupIds: (
      await ctx.db.select({ id: userGroups.groupId }).from(userGroups).where(eq(userGroups.userId, user.id))
    ).map(({ id }) => id),
    defaultGroupId: user.defaultGroupId,
  }
  if (user.type === 'superAdmin' && body.userType !== 'superAdmin') refuse(peopleRefusals.superAdminProtected)
  if (user.type === 'superAdmin') return now
  if (user.id === ctx.actor.userId) {
    const asked = [...new Set(body.groupIds)].sort().join()
    const other =
      body.userType !== user.type ||
      body.roleId !== (user.roleId ?? undefined) ||
      (body.customerId ?? user.customerId) !== user.customerId ||
      (user.type === 'normal' && asked !== [...now.groupIds].sort().join())
    return other ? refuse(peopleRefusals.notYourself) : now
  }
  return checkPlace(ctx, body)
}

export const modifyUserHandler = handler(modifyUser, async (ctx, body) => {
  const user = lesserUser(ctx)
  const place = await placeOf(ctx, body, user)
  const { groupIds, ...row } = place
  try {
    await edit(ctx, { opened: body.edition }, async (tx) => {
      const icon = await adoptImage(tx, ctx.actor, body.icon, place.customerId)
      await dropBindingsUnless(tx, user.id, body.email ?? null)
      await tx
        .update(users)
        .set({ ...personal(body), ...row, icon })
        .where(eq(users.id, user.id))
      if (place.type === 'normal' || user.type === 'normal') await putGroups(tx, user.id, groupIds)
      await leaveOthers(tx, user.id, place.customerId)
    })
  } catch (error) {
    return takenUser(body)(error)
  }
  // The user's new customer can read the log entry.
  ctx.note({ customerId: place.customerId })
  return null
})

/** Not the actor, and not the super administrator. */
function otherUser(ctx: CallContext) {
  const user = lesserUser(ctx)
  if (user.type === 'superAdmin') refuse(peopleRefusals.superAdminProtected)
  if (user.id === ctx.actor.userId) refuse(peopleRefusals.notYourself)
  return user
}

export const setUserStatusHandler = handler(setUserStatus, async (ctx, body) => {
  const user = otherUser(ctx)
  await edit(ctx, {}, async (tx) => {
    await tx.update(users).set({ status: body.status }).where(eq(users.id, user.id))
    // Ended sessions stay ended: an enabled user has to log in again.
    if (body.status === 0)
      await tx.execute(
        sql`update sessions set ended_at = now() where user_id = ${user.id} and ended_at is null`,
      )
  })
  return null
})

export const deleteUserHandler = handler(deleteUser, async (ctx) => {
  const { id, username, customerId } = otherUser(ctx)
  await ctx.db.transaction(async (tx) => {
    const gone = await tx.delete(users).where(eq(users.id, id)).returning({ id: users.id })
    if (gone.length > 0)
      await tx.insert(formerUsers).values({ id, username, customerId, deletedAt: ctx.now() })
  })
  return null
})
