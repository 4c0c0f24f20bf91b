import {
  and,
  arrayContained,
  arrayOverlaps,
  count,
  desc,
  eq,
  getTableColumns,
  isNull,
  not,
  or,
  sql,
} from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { installationFunctionIds, installationMenuIds, pageOf, permissionOf } from '#infra/rights'
import { nameOf } from '#infra/texts'
import { deviceRefusals } from '#schema/device/device-refusals'
import { type Language, refuse } from '#schema/kit/refusal'
import { peopleRefusals } from '#schema/people/people-refusals'
import {
  addRole,
  deleteRole,
  getRoleList,
  getRoleOptions,
  modifyRole,
  previewRole,
  roleEditPermission,
  roleListPermission,
  roleObject,
  roleScreen,
} from '#schema/people/role'
import { isPlatformType } from '#schema/people/session'
import { sessionRefusals } from '#schema/people/session-refusals'
import { customers } from '#schema/tables/customer'
import { roles, users } from '#schema/tables/user'
import { rowOf } from '../kit/about.ts'
import { edit, editionOf } from '../kit/edition.ts'
import { type CallContext, handler } from '../kit/handler.ts'
import { knownName } from '../kit/known-name.ts'
import { listOf } from '../kit/list-of.ts'
import { namedCustomer } from '../kit/owner.ts'
import { visible } from '../kit/scope.ts'
import { stored } from '../kit/stored.ts'
import { whenTaken } from '../kit/unique-violation.ts'
import { buildMenu } from './build-menu.ts'
import { type Grants, holdsAll } from './rights.ts'

const creators = alias(users, 'creators')

const kinds = (kind: 'template' | 'platform' | 'customer' | undefined) =>
  kind === 'template'
    ? eq(roles.template, true)
    : kind === 'platform'
      ? and(eq(roles.template, false), isNull(roles.customerId))
      : kind === 'customer'
        ? not(isNull(roles.customerId))
        : undefined

export const storedRole = stored({
  object: roleObject,
  table: roles,
  id: roles.id,
  name: roles.name,
  customerId: roles.customerId,
  seen: (walls) => walls.roles,
  row: () => getTableColumns(roles),
  parts: {
    main: {
      table: roles,
      id: roles.id,
      fields: {
        name: roles.name,
        description: roles.description,
        functionIds: roles.functionIds,
        menuIds: roles.menuIds,
      },
    },
  },
})

export const getRoleListHandler = listOf(
  getRoleList,
  'roles',
  ({ db, actor }) => ({
    table: roles,
    rows: db
      .select({
        id: roles.id,
        name: roles.name,
        description: roles.description,
        status: roles.status,
        template: roles.template,
        customerId: roles.customerId,
        customerName: customers.name,
        creator: knownName(actor, creators, roles.createdBy),
        createdAt: roles.createdAt,
        functionIds: roles.functionIds,
        menuIds: roles.menuIds,
        edition: editionOf(storedRole.parts.main),
        userCount:
          sql<number>`(select count(*) from ${users} where ${users.roleId} = ${roles.id} and ${visible(actor).users})`.mapWith(
            Number,
          ),
      })
      .from(roles)
      .leftJoin(customers, eq(customers.id, roles.customerId))
      .leftJoin(creators, eq(creators.id, roles.createdBy)),
    filters: { kind: kinds },
    first: desc(roles.template),
  }),
  (rows, { actor }) => rows.map((row) => ({ ...row, within: holdsAll(actor, row) })),
)

/** Roles for a user of this customer, or of the platform: none that grants more than the actor has. */
export const getRoleOptionsHandler = listOf(getRoleOptions, 'roles', ({ db, actor }, body) => {
  const customerId = isPlatformType(actor.type) ? body.customerId : (actor.customerId ?? undefined)
  const forCustomer = customerId !== undefined || body.newCustomer === true
  const others = customerId
    ? eq(roles.customerId, customerId)
    : body.newCustomer
      ? undefined
      : isNull(roles.customerId)
  return {
    table: roles,
    rows: db.select({ id: roles.id, name: roles.name, template: roles.template }).from(roles),
    where: and(
      or(eq(roles.template, true), others),
      forCustomer ? not(arrayOverlaps(roles.functionIds, [...installationFunctionIds])) : undefined,
      arrayContained(roles.functionIds, [...actor.functionIds]),
      arrayContained(roles.menuIds, [...actor.menuIds]),
    ),
    filters: { customerId: null, newCustomer: null },
    first: desc(roles.template),
  }
})

const functionText = (id: number, language: Language) => {
  const known = permissionOf(id)
  return known ? nameOf('permission', known.name, language) : String(id)
}

/** @throws Refusal if the actor lacks one of them, or a customer would get permissions of the installation. */
function checkGrants({ actor, language }: CallContext, grants: Grants, customerId: number | null): void {
  if (!holdsAll(actor, grants)) refuse(deviceRefusals.grantExceeds, {}, 'functionIds')
  if (customerId === null) return
  const beyond = grants.functionIds.filter((id) => installationFunctionIds.includes(id))
  const names = beyond.map((id) => functionText(id, language))
  if (beyond.length > 0 || grants.menuIds.some((id) => installationMenuIds.includes(id)))
    refuse(peopleRefusals.roleBeyondCustomer, { names: names.join(', ') || '-' }, 'functionIds')
}

function customerOf(ctx: CallContext): number | null {
  const named = namedCustomer(ctx)
  if (named !== null || isPlatformType(ctx.actor.type)) return named
  return ctx.actor.customerId ?? refuse(sessionRefusals.noPermission)
}

const unique = (ids: readonly number[]) => [...new Set(ids)].sort((a, b) => a - b)
const fieldsOf = (grants: Grants) => ({
  functions: grants.functionIds.map((id) => permissionOf(id)?.name ?? String(id)),
  pages: grants.menuIds.map((id) => pageOf(id)?.name ?? String(id)),
})

const taken = (name: string) =>
  whenTaken({ roles_name: () => refuse(deviceRefusals.nameTaken, { name }, 'name') })

export const addRoleHandler = handler(addRole, async (ctx, body) => {
  const customerId = customerOf(ctx)
  const grants = { functionIds: unique(body.functionIds), menuIds: unique(body.menuIds) }
  checkGrants(ctx, grants, customerId)
  const [row] = await ctx.db
    .insert(roles)
    .values({
      customerId,
      name: body.name,
      description: body.description,
      ...grants,
      createdBy: ctx.actor.userId,
    })
    .returning({ id: roles.id })
    .catch(taken(body.name))
  if (!row) throw new Error('insert returned nothing')
  ctx.note({ after: fieldsOf(grants) })
  return { roleId: row.id }
})

/** A role that the actor may change. @throws Refusal with the reason. */
function changeableRole(ctx: CallContext) {
  const role = rowOf(ctx, storedRole)
  if (role.template) refuse(peopleRefusals.templateLocked)
  if (!holdsAll(ctx.actor, role)) refuse(peopleRefusals.holdsMore)
  return role
}

/** Without these the actor could no longer repair their own role. */
const needed = { functionIds: [roleListPermission.id, roleEditPermission.id], menuIds: [roleScreen.menuId] }
const lacks = (grants: Grants) =>
  needed.functionIds.some((id) => !grants.functionIds.includes(id)) ||
  needed.menuIds.some((id) => !grants.menuIds.includes(id))

export const modifyRoleHandler = handler(modifyRole, async (ctx, body) => {
  const before = changeableRole(ctx)
  const grants = { functionIds: unique(body.functionIds), menuIds: unique(body.menuIds) }
  checkGrants(ctx, grants, before.customerId)
  if (before.id === ctx.actor.roleId && !lacks(before) && lacks(grants)) refuse(peopleRefusals.selfLockout)
  await edit(ctx, { opened: body.edition }, (tx) =>
    tx
      .update(roles)
      .set({ name: body.name, description: body.description, ...grants })
      .where(and(eq(roles.id, before.id), eq(roles.template, false))),
  ).catch(taken(body.name))
  const without = (ids: readonly number[], others: readonly number[]) =>
    ids.filter((id) => !others.includes(id))
  ctx.note({
    before: {
      removed: fieldsOf({
        functionIds: without(before.functionIds, grants.functionIds),
        menuIds: without(before.menuIds, grants.menuIds),
      }),
    },
    after: {
      added: fieldsOf({
        functionIds: without(grants.functionIds, before.functionIds),
        menuIds: without(grants.menuIds, before.menuIds),
      }),
    },
  })
  return null
})

export const deleteRoleHandler = handler(deleteRole, async (ctx) => {
  const before = changeableRole(ctx)
  await ctx.db.transaction(async (tx) => {
    // Locked first, so that the role cannot be assigned while it is being deleted.
    await tx.select({ id: roles.id }).from(roles).where(eq(roles.id, before.id)).for('update')
    const [used] = await tx.select({ total: count() }).from(users).where(eq(users.roleId, before.id))
    if (used && used.total > 0) refuse(peopleRefusals.roleInUse, { count: used.total })
    await tx.delete(roles).where(eq(roles.id, before.id))
  })
  ctx.note({ before: fieldsOf(before) })
  return null
})

export const previewRoleHandler = handler(previewRole, async (ctx, body) => {
  const rights = {
    type: body.platform ? ('systemAdmin' as const) : ('customerAdmin' as const),
    customerId: body.platform ? null : 0,
    menuIds: new Set(body.menuIds),
    functionIds: new Set(body.functionIds),
    monState: 1,
  }
  return {
    management: buildMenu(rights, 'management', ctx.language),
    monitor: buildMenu(rights, 'monitor', ctx.language),
    functions: unique(body.functionIds)
      .filter((id) => permissionOf(id) !== undefined)
      .map((functionId) => ({ functionId, functionName: functionText(functionId, ctx.language) })),
  }
})
