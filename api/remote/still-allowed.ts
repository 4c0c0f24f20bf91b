/** Whether the user of an open session may still have it: a login that ends, ends here too [docs/threats.md]. */
import { and, eq } from 'drizzle-orm'
import type { Context } from '#infra/context'
import { isBehind, remoteLanPermission, remoteOperationPermission } from '#schema/remote/remote-access'
import { remoteSessions } from '#schema/tables/remote'
import { holds, loadActor } from '../kit/actor.ts'
import { visible } from '../kit/scope.ts'
import { storedRemoteSession } from './remote-object.ts'

export async function isStillAllowed(
  { sql, db }: Pick<Context, 'sql' | 'db'>,
  session: { id: string; userId: number; host: string },
): Promise<boolean> {
  const [entry] = await sql`
    select 1 from remote_sessions r join users u on u.id = r.user_id and u.status = 1
    left join sessions s on s.id = r.login_id left join api_tokens t on t.id = r.token_id
    where r.id = ${session.id} and r.ended_at is null
      and ((s.id is not null and s.ended_at is null and s.expires_at > now())
        or (t.id is not null and t.revoked_at is null and t.expires_at > now()))`
  const actor = entry && (await loadActor(sql, session.userId))
  if (!actor || !holds(actor, remoteOperationPermission)) return false
  if (isBehind(session) && !holds(actor, remoteLanPermission)) return false
  const [seen] = await db
    .select({ id: remoteSessions.id })
    .from(remoteSessions)
    .where(and(eq(remoteSessions.id, session.id), storedRemoteSession.seen(visible(actor), actor)))
  return seen !== undefined
}
