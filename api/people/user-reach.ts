/** [§6] Users whom an actor may change, and which changes are allowed. */

import { and, arrayOverlaps, eq, inArray, isNull, not, or } from 'drizzle-orm'
import { installationFunctionIds } from '#infra/rights'
import { hashPassword } from '#infra/secrets'
import { deviceRefusals } from '#schema/device/device-refusals'
import { refuse } from '#schema/kit/refusal'
import { peopleRefusals } from '#schema/people/people-refusals'
import { isGoodPassword, isPlatformType, type UserType } from '#schema/people/session'
import { absent, sessionRefusals } from '#schema/people/session-refusals'
import { userEditPermission } from '#schema/people/user-pages'
import { groups } from '#schema/tables/group'
import { roles } from '#schema/tables/user'
import { rowOf } from '../kit/about.ts'
import { holds } from '../kit/actor.ts'
import type { CallContext } from '../kit/handler.ts'
import { visible } from '../kit/scope.ts'
import type { RowOf } from '../kit/stored.ts'
import { reachCustomer } from '../kit/visible-ids.ts'
import { dropBindings } from './binding-mail.ts'
import { holdsAll, outranks } from './rights.ts'
import { detachInvitation } from './send-invitation.ts'
import { storedUser } from './user-object.ts'

type Caller = Pick<CallContext, 'db' | 'actor'>

export type KnownUser = RowOf<typeof storedUser>

/** @throws Refusal 164 if the call's user has a higher type than the actor or more permissions. */
export function lesserUser(ctx: CallContext): KnownUser {
  const { actor } = ctx
  const user = rowOf(ctx, storedUser)
  const { roleFunctionIds: functionIds, roleMenuIds: menuIds } = user
  if (user.type === 'superAdmin' && actor.type !== 'superAdmin') refuse(peopleRefusals.superAdminProtected)
  const holdsMore = functionIds && menuIds && !holdsAll(actor, { functionIds, menuIds })
  if (outranks(user.type, actor.type) || holdsMore) refuse(peopleRefusals.holdsMore)
  return user
}

type Asked = {
  userType: UserType
  customerId?: number | undefined
  roleId?: number | undefined
  groupIds: readonly number[]
}
export type Place = {
  type: UserType
  customerId: number | null
  roleId: number
  groupIds: number[]
  defaultGroupId: number | null
}

/**
 * A role for a user of this customer (null: of the platform; 'new': of a new one, so a template), granting no more
 * than the actor has.
 */
export async function checkRole(
  { db, actor }: Caller,
  roleId: number | undefined,
  customerId: number | 'new' | null,
): Promise<number> {
  if (roleId === undefined) refuse(peopleRefusals.roleRequired, {}, 'roleId')
  const fits = or(
    eq(roles.template, true),
    customerId === null
      ? isNull(roles.customerId)
      : customerId === 'new'
        ? undefined
        : eq(roles.customerId, customerId),
  )
  const forCustomers = not(arrayOverlaps(roles.functionIds, [...installationFunctionIds]))
  const [role] = await db
    .select()
    .from(roles)
    .where(
      and(visible(actor).roles, eq(roles.id, roleId), fits, customerId === null ? undefined : forCustomers),
    )
  if (!role) refuse(absent)
  if (!holdsAll(actor, role)) refuse(deviceRefusals.grantExceeds, {}, 'roleId')
  return role.id
}

async function checkGroups({ db, actor }: Caller, asked: readonly number[], customerId: number) {
  const wanted = [...new Set(asked)]
  if (wanted.length === 0) refuse(peopleRefusals.groupsRequired, {}, 'groupIds')
  const found = await db
    .select({ id: groups.id })
    .from(groups)
    .where(and(visible(actor).groups, eq(groups.customerId, customerId), inArray(groups.id, wanted)))
  if (found.length < wanted.length) refuse(absent)
  return wanted
}

/** Type, customer, role and groups of a user; all checked. @throws Refusal naming the invalid field. */
export async function checkPlace(ctx: Caller, asked: Asked): Promise<Place> {
  const { actor, db } = ctx
  // The super administrator is created by the installation; no user can become one.
  if (asked.userType === 'superAdmin' || outranks(asked.userType, actor.type))
    refuse(peopleRefusals.typeTooHigh, {}, 'userType')
  if (isPlatformType(asked.userType)) {
    const roleId = await checkRole(ctx, asked.roleId, null)
    return { type: asked.userType, customerId: null, roleId, groupIds: [], defaultGroupId: null }
  }
  const named =
    asked.customerId ?? actor.customerId ?? refuse(peopleRefusals.customerRequired, {}, 'customerId')
  const { id: customerId } = await reachCustomer(ctx, named)
  const roleId = await checkRole(ctx, asked.roleId, customerId)
  if (asked.userType === 'normal') {
    const groupIds = await checkGroups(ctx, asked.groupIds, customerId)
    return { type: asked.userType, customerId, roleId, groupIds, defaultGroupId: groupIds[0] ?? null }
  }
  const [home] = await db
    .select({ id: groups.id })
    .from(groups)
    .where(and(eq(groups.customerId, customerId), eq(groups.isDefault, true)))
  return { type: asked.userType, customerId, roleId, groupIds: [], defaultGroupId: home?.id ?? null }
}

/** [docs/decisions/004] @throws Refusal naming the field. */
export function checkNewPassword(password: string, field: string): void {
  if (!isGoodPassword(password)) refuse(sessionRefusals.passwordRule, {}, field)
}

/** An administrator sets a user's password; all logins of that user end. */
export async function resetPassword(ctx: CallContext, password: string): Promise<null> {
  if (!holds(ctx.actor, userEditPermission)) refuse(sessionRefusals.noPermission)
  const user = lesserUser(ctx)
  checkNewPassword(password, 'newpassword')
  const made = await hashPassword(password)
  await ctx.sql.begin(async (tx) => {
    await tx`update users set password_hash = ${made} where id = ${user.id}`
    await tx`update sessions set ended_at = now() where user_id = ${user.id} and ended_at is null`
    await tx`update api_tokens set revoked_at = now() where user_id = ${user.id} and revoked_at is null`
    // A link that is still on its way must not replace this password, nor the address.
    await detachInvitation(tx, user.id)
    await dropBindings(tx, user.id)
  })
  ctx.note({ after: { newPassword: true } })
  return null
}
