/** Whether the user of an open session may still use it: when the login ends, so does the session [docs/threats.md]. */
import { and, eq, isNull } from 'drizzle-orm'
import type { Context } from '#infra/context'
import { PLATFORM_NAME } from '#schema/kit/known-name'
import {
  isBehind,
  remoteLanPermission,
  remoteOperationPermission,
  remoteWatchPermission,
} from '#schema/remote/remote-access'
import type { RemoteEnd } from '#schema/remote/remote-session'
import { remoteSessions } from '#schema/tables/remote'
import { type Actor, holds, loadActor } from '../kit/actor.ts'
import { knowsNamesOf } from '../kit/known-name.ts'
import { visible } from '../kit/scope.ts'
import type { Watcher } from './audience.ts'
import { approvedUntil, mayReach, policyOf } from './device-policy.ts'
import { storedRemoteSession } from './remote-object.ts'
import type { Who } from './ticket.ts'
import type { TunnelSession } from './tunnel-session.ts'

type Sources = Pick<Context, 'sql' | 'db' | 'now'>

/** Whether their login or API token has not ended. */
export async function lasts({ sql }: Sources, { userId, loginId, tokenId }: Who): Promise<boolean> {
  const [entry] = await sql`
    select 1 from users u
    left join sessions s on s.id = ${loginId} and s.user_id = u.id
    left join api_tokens t on t.id = ${tokenId} and t.user_id = u.id
    where u.id = ${userId} and u.status = 1
      and ((s.id is not null and s.ended_at is null and s.expires_at > now())
        or (t.id is not null and t.revoked_at is null and t.expires_at > now()))`
  return entry !== undefined
}

/** The user, while their login or API token lasts. */
const actorOf = async (sources: Sources, who: Who): Promise<Actor | null> =>
  (await lasts(sources, who)) ? ((await loadActor(sources.sql, who.userId)) ?? null) : null

async function sees({ db }: Sources, actor: Actor, sessionId: string): Promise<boolean> {
  const [seen] = await db
    .select({ id: remoteSessions.id })
    .from(remoteSessions)
    .where(
      and(
        eq(remoteSessions.id, sessionId),
        isNull(remoteSessions.endedAt),
        storedRemoteSession.seen(visible(actor), actor),
      ),
    )
  return seen !== undefined
}

/** Why the session must end; null if it may continue. */
export async function whyEnded(
  sources: Sources,
  session: Pick<TunnelSession, 'id' | 'userId' | 'host' | 'port' | 'deviceId'>,
): Promise<RemoteEnd | null> {
  const [row] = await sources.sql<Who[]>`
    select r.user_id as "userId", r.login_id as "loginId", r.token_id as "tokenId"
    from remote_sessions r join devices d on d.id = r.device_id and d.customer_id = r.customer_id where r.id = ${session.id}`
  const actor = row && (await actorOf(sources, row))
  if (!actor || !holds(actor, remoteOperationPermission)) return 'accessEnded'
  if (isBehind(session) && !holds(actor, remoteLanPermission)) return 'accessEnded'
  if (!(await sees(sources, actor, session.id))) return 'accessEnded'
  const { sql, now } = sources
  // Also if the group has begun to require it, or the device was moved to such a group, while the session was open.
  const policy = await policyOf(sql, session.deviceId)
  if (!mayReach(policy, session)) return 'targetDenied'
  if (!policy.approval) return null
  if ((await approvedUntil(sql, session.deviceId, session.userId, now())) !== null) return null
  const [over] = await sql`
    select 1 from remote_accesses a join remote_sessions r on r.device_id = a.device_id and r.user_id = a.user_id
    where r.id = ${session.id} and a.state in ('approved', 'ended') and a.until >= r.created_at limit 1`
  return over ? 'approvalOver' : 'approvalNeeded'
}

/** The watcher of a session, under the name that the session's user may read; null if watching is not allowed. */
export async function watcherOf(
  sources: Sources,
  who: Who,
  session: { id: string; userId: number },
): Promise<Watcher | null> {
  const actor = await actorOf(sources, who)
  if (!actor || !holds(actor, remoteWatchPermission) || !(await sees(sources, actor, session.id))) return null
  const user = await loadActor(sources.sql, session.userId)
  const known = user !== null && user !== undefined && knowsNamesOf(user, actor.customerId)
  return { ...who, name: known ? actor.username : PLATFORM_NAME }
}
