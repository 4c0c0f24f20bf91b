/**
 * A session whose tunnel broke, or whose process died, stays open: its device is asked to open the tunnel again, with a
 * new command and a new credential, until it does. After too long without a tunnel the session ends [decisions/134].
 */
import type { Context } from '#infra/context'
import { driveCommands } from '#schema/command/command'
import { openTunnel } from '#schema/remote/open-tunnel'
import { REMOTE_AWAY_MS, REMOTE_SILENT_MS, REOPEN_MS } from '#schema/remote/remote-session'
import { wake } from '../kit/wake-job.ts'
import { dropRequests } from './remote-end.ts'

type Reopener = Pick<Context, 'sql' | 'now' | 'parameters' | 'env' | 'queue' | 'log'>

/**
 * Only sessions that are still open. Of several processes only one asks: the others find that it was asked for just
 * now.
 */
export async function reopenTunnels(context: Reopener, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const { sql, now, parameters, env } = context
  const waitS = await parameters.get('commandWaitS')
  const at = now()
  const justNow = new Date(at.getTime() - REOPEN_MS)
  const deadlineAt = new Date(at.getTime() + waitS * 1000 * env.TASK_DEADLINE_SCALE)
  const asked = await sql`
    with broken as (
      update remote_sessions r set state = 'requested', command_id = gen_random_uuid(), asked_at = ${at},
        broken_at = coalesce(r.broken_at, ${at}), used_at = null, tunnel_at = null, ready_at = null
      from commands c
      where r.id = any(${ids as string[]}::uuid[]) and r.ended_at is null and c.id = r.command_id
        and (r.state <> 'requested' or (r.broken_at is not null and r.asked_at < ${justNow}))
      returning r.command_id, r.device_id, r.customer_id, r.user_id, c.args)
    insert into commands (id, device_id, customer_id, name, args, created_by, created_at, deadline_at)
    select command_id, device_id, customer_id, ${openTunnel.name}, args, user_id, ${at}, ${deadlineAt} from broken returning id`
  if (asked.length === 0) return
  // Otherwise the device would still be busy with the previous command.
  await dropRequests(sql, at)
  await wake(context, driveCommands)
}

/**
 * Open sessions that are recorded as having a tunnel although no process holds one, and those whose device was asked
 * without success: the command has ended, or was sent before the device reconnected.
 */
export async function withoutTunnel(
  { sql, now }: Pick<Reopener, 'sql' | 'now'>,
  held: readonly string[],
): Promise<string[]> {
  const before = (ms: number) => new Date(now().getTime() - ms)
  const found = await sql<{ id: string }[]>`
    select r.id from remote_sessions r join device_states d on d.device_id = r.device_id left join commands c on c.id = r.command_id
    where r.ended_at is null and r.id <> all(${held as string[]}::uuid[]) and (
      (r.state <> 'requested' and r.beat_at < ${before(REMOTE_SILENT_MS)})
      or (r.state = 'requested' and r.broken_at > ${before(REMOTE_AWAY_MS)} and r.asked_at < ${before(REOPEN_MS)}
        and (c.ended_at is not null or (c.state = 'sent' and c.sent_at < d.last_login_at))))`
  return found.map(({ id }) => id)
}
