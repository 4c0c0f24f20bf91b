/** The caller: resolved from the token on every request, so that an ended login is rejected immediately. */

import type { FastifyInstance } from 'fastify'
import type { ISql } from 'postgres'
import type { Context } from '#infra/context'
import {
  allFunctionIds,
  allMenuIds,
  installationFunctionIds,
  installationMenuIds,
  monitorFunctionIds,
} from '#infra/rights'
import { hashSecret } from '#infra/secrets'
import type { Permission } from '#schema/kit/permission'
import { refuse } from '#schema/kit/refusal'
import { KIOSK_PREFIX, kioskFunctionIds } from '#schema/monitor/kiosk'
import { isPlatformType, type UserType } from '#schema/people/session'
import { sessionRefusals } from '#schema/people/session-refusals'
import { API_TOKEN_PREFIX } from '#schema/people/token'

export type Actor = {
  userId: number
  username: string
  type: UserType
  /** null: a platform user, who sees every customer. */
  customerId: number | null
  /** [§6] The groups that a normal user is confined to, including subgroups; null: all of the customer's. */
  groupIds: readonly number[] | null
  functionIds: ReadonlySet<number>
  menuIds: ReadonlySet<number>
  /** null: the super administrator, who has all permissions. */
  roleId: number | null
  /** 1: Cloud Monitoring is enabled for the user [§2]. */
  monState: number
  /** The login of this request; null for API tokens. */
  sessionId: string | null
  /** The API token of this request. */
  apiToken: { id: number; expiresAt: Date } | null
  /**
   * A screen on a wall, opened by a link: it may make no calls but those of the big screen of that project, or else of one panel,
   * and of that panel reads only what its widgets show.
   */
  kiosk?: {
    id: number
    projectId: number
    panel: { id: number; terminalIds: number[]; variableIds: number[] } | null
  }
  /** The customer requires a second factor that the user has not set up: nothing else is permitted before. */
  mustEnrol: boolean
}

/** Whether the actor's role grants it; permissions of Cloud Monitoring count only if it is enabled for the user. */
export const holds = (actor: Pick<Actor, 'functionIds' | 'monState'>, { id }: Permission): boolean =>
  actor.functionIds.has(id) && (actor.monState === 1 || !monitorFunctionIds.has(id))

export type TokenClaims = { sid: string; uid: number }

type ActorRow = {
  id: number
  username: string
  type: UserType
  customerId: number | null
  status: number
  roleId: number | null
  monState: number
  functionIds: number[] | null
  menuIds: number[] | null
  groupIds: number[] | null
  mustEnrol: boolean
}

async function loadUser(sql: ISql, userId: number): Promise<ActorRow | undefined> {
  const [row] = await sql<ActorRow[]>`
    select u.id, u.username, u.type, u.customer_id as "customerId", u.status,
      u.role_id as "roleId", u.mon_state as "monState",
      r.function_ids as "functionIds", r.menu_ids as "menuIds",
      case when u.type = 'normal' then array(
        with recursive tree as (
          select g.id from user_groups ug join groups g on g.id = ug.group_id and g.customer_id = u.customer_id
          where ug.user_id = u.id
          union select c.id from groups c join tree t on c.parent_id = t.id
        ) select id from tree) end as "groupIds",
      coalesce(c.totp_required, false) and u.totp_at is null as "mustEnrol"
    from users u left join roles r on r.id = u.role_id left join customers c on c.id = u.customer_id
    where u.id = ${userId}`
  return row
}

/** Permissions of the installation are never a customer's, even if a role contains them. */
function heldBy(row: ActorRow): { functionIds: readonly number[]; menuIds: readonly number[] } {
  // Before the second factor is set up nothing else is available.
  if (row.mustEnrol) return { functionIds: [], menuIds: [] }
  if (row.type === 'superAdmin') return { functionIds: allFunctionIds, menuIds: allMenuIds }
  const held = { functionIds: row.functionIds ?? [], menuIds: row.menuIds ?? [] }
  if (isPlatformType(row.type)) return held
  return {
    functionIds: held.functionIds.filter((id) => !installationFunctionIds.includes(id)),
    menuIds: held.menuIds.filter((id) => !installationMenuIds.includes(id)),
  }
}

type Way = Pick<Actor, 'sessionId' | 'apiToken'>

function toActor(row: ActorRow, way: Way, scope: readonly number[]): Actor {
  const { functionIds: held, menuIds } = heldBy(row)
  return {
    userId: row.id,
    username: row.username,
    type: row.type,
    customerId: row.customerId,
    groupIds: row.groupIds,
    functionIds: new Set(scope.length === 0 ? held : held.filter((id) => scope.includes(id))),
    menuIds: new Set(menuIds),
    roleId: row.roleId,
    monState: row.monState,
    mustEnrol: row.mustEnrol,
    ...way,
  }
}

/**
 * The actor that a user would be, logged in or not: for deciding what may be done on their behalf. Null if there is no
 * such user.
 */
export async function loadActor(sql: ISql, userId: number): Promise<Actor | null> {
  const row = await loadUser(sql, userId)
  return row ? toActor(row, { sessionId: null, apiToken: null }, []) : null
}

async function fromApiToken(sql: Context['sql'], token: string): Promise<Actor> {
  const [found] = await sql<{ id: number; expiresAt: Date; userId: number; functionIds: number[] }[]>`
    update api_tokens set last_used_at = now()
    where hash = ${hashSecret(token)} and revoked_at is null and expires_at > now()
    returning id, expires_at as "expiresAt", user_id as "userId", function_ids as "functionIds"`
  if (!found) refuse(sessionRefusals.notLoggedIn)
  const row = await loadUser(sql, found.userId)
  if (row?.status !== 1) refuse(sessionRefusals.sessionEnded)
  return toActor(
    row,
    { sessionId: null, apiToken: { id: found.id, expiresAt: found.expiresAt } },
    found.functionIds,
  )
}

/** The n-th variable of the n-th terminal. */
const panelOf = (of: { panelId: number | null; terminalIds: number[]; variableIds: number[] }) =>
  of.panelId === null ? null : { id: of.panelId, terminalIds: of.terminalIds, variableIds: of.variableIds }

/**
 * A link to a big screen shows what its creator may see now, within the groups of its project. It becomes invalid when
 * the creator's account is deleted or moves to another customer.
 */
async function fromKioskLink(sql: Context['sql'], token: string): Promise<Actor> {
  const [link] = await sql<
    {
      id: number
      projectId: number
      panelId: number | null
      terminalIds: number[]
      variableIds: number[]
      userId: number
      customerId: number
      groupIds: number[]
    }[]
  >`
    with found as (
      update kiosk_links set last_used_at = now()
      where hash = ${hashSecret(token)} and revoked_at is null and expires_at > now()
      returning id, project_id, panel_id, user_id
    )
    select found.id, found.project_id as "projectId", found.panel_id as "panelId", found.user_id as "userId", p.customer_id as "customerId",
      array(
        with recursive tree as (
          select p.group_id as id union select g.id from groups g join tree on g.parent_id = tree.id
        ) select id from tree) as "groupIds", shown.*
    from found join projects p on p.id = found.project_id,
      lateral (select coalesce(array_agg((v->>'terminalId')::int), '{}') as "terminalIds",
          coalesce(array_agg((v->>'variableId')::int), '{}') as "variableIds"
        from panels, jsonb_array_elements(widgets) w, jsonb_array_elements(w->'variables') v
        where panels.id = found.panel_id) shown`
  if (!link) refuse(sessionRefusals.notLoggedIn)
  const row = await loadUser(sql, link.userId)
  if (row?.status !== 1 || row.mustEnrol) refuse(sessionRefusals.sessionEnded)
  if (row.customerId !== null && row.customerId !== link.customerId) refuse(sessionRefusals.sessionEnded)
  const maker = toActor(row, { sessionId: null, apiToken: null }, kioskFunctionIds)
  return {
    ...maker,
    type: 'normal',
    customerId: link.customerId,
    groupIds: link.groupIds.filter((id) => row.groupIds === null || row.groupIds.includes(id)),
    menuIds: new Set(),
    kiosk: { id: link.id, projectId: link.projectId, panel: panelOf(link) },
  }
}

/** The actor of a token. @throws Refusal 2 for a missing, forged or expired token, 20 for a login that was ended. */
export async function resolveActor(
  ctx: Context,
  jwt: FastifyInstance['jwt'],
  token: unknown,
): Promise<Actor> {
  if (typeof token !== 'string' || token === '') refuse(sessionRefusals.notLoggedIn)
  if (token.startsWith(API_TOKEN_PREFIX)) return fromApiToken(ctx.sql, token)
  if (token.startsWith(KIOSK_PREFIX)) return fromKioskLink(ctx.sql, token)
  let claims: TokenClaims
  try {
    claims = jwt.verify<TokenClaims>(token)
  } catch {
    // The same response for every kind of invalid signature, so that nothing is revealed.
    refuse(sessionRefusals.notLoggedIn)
  }
  const [session] = await ctx.sql<{ userId: number; endedAt: Date | null; late: boolean }[]>`
    select user_id as "userId", ended_at as "endedAt", expires_at < now() as late from sessions where id = ${claims.sid}`
  if (!session || session.late) refuse(sessionRefusals.notLoggedIn)
  if (session.endedAt !== null) refuse(sessionRefusals.sessionEnded)
  const row = await loadUser(ctx.sql, session.userId)
  if (row?.status !== 1) refuse(sessionRefusals.sessionEnded)
  return toActor(row, { sessionId: claims.sid, apiToken: null }, [])
}
