import { and, asc, eq, ilike, inArray, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm'
import { ifReadable, unseal } from '#infra/secrets'
import {
  fristLevelGroup,
  getCustomerGroups,
  getGroupList,
  getGroupTree,
  getUserGroups,
  queryGroupKeyword,
} from '#schema/group/group'
import { groupEditPermission } from '#schema/group/group-pages'
import type { ParsedBodyOf } from '#schema/kit/call'
import { refuse } from '#schema/kit/refusal'
import { absent, sessionRefusals } from '#schema/people/session-refusals'
import { customers } from '#schema/tables/customer'
import { groups } from '#schema/tables/group'
import { n2nServers } from '#schema/tables/n2n-server'
import { users } from '#schema/tables/user'
import { holds, loadActor } from '../kit/actor.ts'
import { type CallContext, handler } from '../kit/handler.ts'
import { searchedName } from '../kit/known-name.ts'
import { listOf } from '../kit/list-of.ts'
import { contains } from '../kit/paging.ts'
import { visible } from '../kit/scope.ts'
import { groupTree } from '../kit/visible-ids.ts'
import { creators, fillGroups, foundGroups, parents, smallGroups, treeCounts } from './group-row.ts'

/**
 * [decisions/065] By the parent that the actor can see, as shown in the rows: 0 returns the topmost visible groups,
 * at any level; an invisible parent has no children. `foundGroups` joins only visible parents.
 */
function below({ actor }: CallContext, pid: number): SQL {
  const parent = actor.groupIds === null ? groups.parentId : parents.id
  return pid === 0 ? isNull(parent) : eq(parent, pid)
}
const named = (search: string | undefined) => (search ? ilike(groups.name, contains(search)) : undefined)

/** Everything if `pid` is the root; else the group's tree without the group itself. */
async function anywhereBelow(ctx: CallContext, pid: number): Promise<SQL | undefined> {
  if (pid === 0) return undefined
  const tree = await groupTree(ctx, pid)
  return inArray(
    groups.id,
    tree.filter((id) => id !== pid),
  )
}

/** [§9 Default allDevice] The same values as for the map. */
const ONLINE_DEVICES = 1
const ALL_DEVICES = 2

export const getGroupListHandler = listOf(
  getGroupList,
  'groups',
  async (ctx, { pid, allGroup, search }) => {
    const part =
      pid === undefined ? undefined : allGroup === 1 ? await anywhereBelow(ctx, pid) : below(ctx, pid)
    return foundGroups(ctx, and(part, named(search)))
  },
  async (found, ctx, { allDevice }) => {
    const rows = await fillGroups(found, ctx)
    if (allDevice === ALL_DEVICES) return rows
    return rows.map((row) => ({
      ...row,
      deviceTotal: allDevice === ONLINE_DEVICES ? row.deviceOnline : row.deviceTotal - row.deviceOnline,
    }))
  },
)

export const fristLevelGroupHandler = listOf(
  fristLevelGroup,
  'groups',
  (ctx, { pid, customer, search }) =>
    foundGroups(
      ctx,
      and(below(ctx, pid ?? 0), customer ? eq(groups.customerId, customer) : undefined, named(search)),
    ),
  (found, ctx) => fillGroups(found, ctx),
)

/** Passwords are encrypted, each differently: they are decrypted for searching, for users who may see them. */
async function withPassword({ db, actor, env }: CallContext, password: string): Promise<SQL> {
  if (!holds(actor, groupEditPermission)) refuse(sessionRefusals.noPermission)
  const sealed = await db
    .select({ id: groups.id, password: groups.remotePassword })
    .from(groups)
    .where(and(visible(actor).groups, isNotNull(groups.remotePassword)))
  const ids = sealed.filter((row) =>
    ifReadable(() => unseal(row.password ?? '', env.JWT_SECRET))?.includes(password),
  )
  return sql`${groups.id} = any(${sql.param(ids.map(({ id }) => id))}::int[])`
}

/** The time of the last change as text, so that any part of it can be searched. */
const changedText = sql`to_char(${groups.updatedAt} at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS')`
const superlink = sql`${n2nServers.name} || ' ' || ${n2nServers.address} || ':' || ${n2nServers.port}`

async function keywordCondition(ctx: CallContext, body: ParsedBodyOf<typeof queryGroupKeyword>) {
  const columns = {
    groupname: sql`${groups.name}`,
    parentname: sql`${parents.name}`,
    cname: sql`${customers.name}`,
    // [decisions/062] A name that is not shown cannot be found either.
    create: searchedName(ctx.actor, creators, groups.createdBy),
    superlink,
    account: sql`${groups.remoteAccount}`,
    ip: sql`${groups.remoteIp}`,
    updatetime: changedText,
  } as const
  const conditions = Object.entries(columns).map(([field, column]) => {
    const text = body[field as keyof typeof columns]
    return text ? sql`${column} ilike ${contains(text)}` : undefined
  })
  const keyword = body.keyword || body.search
  const anywhere = keyword
    ? or(...Object.values(columns).map((column) => sql`${column} ilike ${contains(keyword)}`))
    : undefined
  return and(
    ...conditions,
    anywhere,
    body.pid ? inArray(groups.id, await groupTree(ctx, body.pid)) : undefined,
    body.groLevel === undefined ? undefined : eq(groups.level, body.groLevel),
    body.cid === undefined ? undefined : eq(groups.customerId, body.cid),
    body.groupServiceDistribution === undefined
      ? undefined
      : eq(groups.n2nServerId, body.groupServiceDistribution),
    body.password ? await withPassword(ctx, body.password) : undefined,
  )
}

export const queryGroupKeywordHandler = listOf(
  queryGroupKeyword,
  'groups',
  async (ctx, body) => foundGroups(ctx, await keywordCondition(ctx, body)),
  async (found, ctx) => {
    const [rows, counts] = await Promise.all([fillGroups(found, ctx), treeCounts(found, ctx)])
    return rows.map((row) => ({ ...row, ...(counts.get(row.gid) ?? { treeTotal: 0, treeOnline: 0 }) }))
  },
)

export const getGroupTreeHandler = handler(getGroupTree, async (ctx) => {
  const owning = ctx.db
    .select({ cid: customers.id, customerName: customers.name })
    .from(customers)
    .where(
      and(
        visible(ctx.actor).customers,
        inArray(
          customers.id,
          ctx.db.select({ id: groups.customerId }).from(groups).where(visible(ctx.actor).groups),
        ),
      ),
    )
    .orderBy(asc(customers.name))
  const [list, owners] = await Promise.all([smallGroups(ctx), owning])
  return { customers: owners, list }
})

export const getCustomerGroupsHandler = handler(getCustomerGroups, async (ctx, { cid }) => {
  const [known] = await ctx.db
    .select({ id: customers.id })
    .from(customers)
    .where(and(visible(ctx.actor).customers, eq(customers.id, cid)))
  if (!known) refuse(absent)
  const list = await smallGroups(ctx, eq(groups.customerId, cid))
  return { list, total: list.length }
})

export const getUserGroupsHandler = handler(getUserGroups, async (ctx, { uid }) => {
  const [known] = await ctx.db
    .select({ id: users.id })
    .from(users)
    .where(and(visible(ctx.actor).users, eq(users.id, uid)))
  if (!known) refuse(absent)
  const seen = await loadActor(ctx.sql, uid)
  if (!seen) refuse(sessionRefusals.noPermission)
  const list = await smallGroups(ctx, visible(seen).groups)
  return { list, total: list.length }
})
