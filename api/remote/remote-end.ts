/** Ends sessions: one by one, and by a sweep those whose time is over. Set-based; any api process may do it. */
import type { Context } from '#infra/context'
import { openTunnel } from '#schema/remote/open-tunnel'
import { REMOTE_AWAY_MS, REMOTE_LOST_MS, REQUEST_MAX_MS, type RemoteEnd } from '#schema/remote/remote-session'

type Sql = Context['sql']

/** If a session is ended twice, the first reason is kept. */
export async function endRemote(sql: Sql, id: string, why: RemoteEnd, detail: string | null, now: Date) {
  await sql`
    update remote_sessions set state = 'ended', ended_at = ${now}, end_reason = ${why}, end_detail = ${detail}
    where id = ${id} and ended_at is null`
  await dropRequests(sql, now)
}

/**
 * Ends commands for tunnels that no session waits for any more: it has ended, or has sent another command. As long
 * as one is open, the device counts as busy and cannot be connected to. A tunnel that was open is done, even if the
 * session ended before the device said so.
 */
export const dropRequests = (sql: Sql, now: Date) => sql`
  update commands c set ended_at = ${now}, state = case
      when exists (select 1 from remote_sessions r where r.command_id = c.id and r.tunnel_at is not null) then 'done'
      when c.state = 'queued' then 'expired' else 'timedOut' end
  where c.ended_at is null and c.name = ${openTunnel.name}
    and not exists (select 1 from remote_sessions r where r.command_id = c.id and r.ended_at is null)`

type Sweeper = Pick<Context, 'sql' | 'now' | 'parameters'>

/**
 * Ends requests that the device refused or did not answer, sessions whose time is over, and sessions whose process is
 * gone. The device's message about a failed command is shown unchanged.
 */
export async function sweepRemotes({ sql, now, parameters }: Sweeper): Promise<void> {
  const at = now()
  const before = (ms: number) => new Date(at.getTime() - ms)
  await sql`
    update remote_sessions r set state = 'ended', ended_at = ${at}, end_detail = c.error,
      end_reason = case when r.broken_at is not null then 'lost'
        when c.state = 'expired' then 'deviceOffline'
        when c.state = 'failed' and d.features is null then 'versionUnsupported'
        when c.state = 'failed' then 'connectFailed' else 'requestTimeout' end
    from commands c, devices d
    where r.ended_at is null and r.state = 'requested' and c.id = r.command_id and d.id = r.device_id
      and case when r.broken_at is null
        then c.state in ('failed', 'expired', 'timedOut') or r.asked_at < ${before(REQUEST_MAX_MS)}
        else r.broken_at < ${before(REMOTE_AWAY_MS)} end`
  // It was not decided in time, or the approved time is over.
  await sql`
    update remote_accesses set state = case state when 'waiting' then 'expired' else 'ended' end
    where state in ('waiting', 'approved') and until <= ${at}`
  // A session that was given no more time than its approval says so: its user has to request another one.
  await sql`
    update remote_sessions r set state = 'ended', ended_at = ${at}, end_reason = case when exists (
        select 1 from remote_accesses a where a.device_id = r.device_id and a.user_id = r.user_id
          and a.state = 'ended' and a.until = r.expires_at) then 'approvalOver' else 'expired' end
    where ended_at is null and expires_at <= ${at}`
  // Sessions of a dead process; a live one ends its own earlier.
  await sql`
    update terminal_recordings t set state = 'ended', ended_at = r.ended_at from remote_sessions r
    where t.ended_at is null and r.id = t.session_id and r.ended_at < ${before(REMOTE_LOST_MS)}`
  // Also recordings of shells whose tunnel broke when their process died: the next shell has its own recording.
  await sql`
    update terminal_recordings t set state = 'ended', ended_at = r.asked_at from remote_sessions r
    where t.ended_at is null and r.id = t.session_id and r.ended_at is null
      and t.started_at < r.asked_at and r.asked_at < ${before(REMOTE_LOST_MS)}`
  const open = await sql<{ customerId: number }[]>`
    select distinct customer_id as "customerId" from remote_sessions where ended_at is null and state <> 'requested'`
  for (const { customerId } of open) {
    const idleMs = (await parameters.get('remoteIdleMinutes', customerId)) * 60_000
    await sql`
      update remote_sessions set state = 'ended', ended_at = ${at}, end_reason = 'idle'
      where ended_at is null and state <> 'requested' and customer_id = ${customerId}
        and coalesce(active_at, tunnel_at) < ${before(idleMs)}`
  }
  await dropRequests(sql, at)
}
