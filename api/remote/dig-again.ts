/**
 * A session whose tunnel broke, or whose process is gone, stays open: its device is asked to dig again, with a command and a
 * credential of their own. What does not come back in time ends like any request [decisions/134].
 */
import type { Context } from '#infra/context'
import { driveCommands } from '#schema/command/command'
import { openTunnel } from '#schema/remote/open-tunnel'
import { wake } from '../kit/wake-job.ts'

type Digger = Pick<Context, 'sql' | 'now' | 'parameters' | 'env' | 'queue' | 'log'>

/** Of those that are still open and said to have a tunnel: compare-and-set, so that each is asked once. */
export async function digAgain(context: Digger, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const { sql, now, parameters, env } = context
  const waitS = await parameters.get('commandWaitS')
  const at = now()
  const deadlineAt = new Date(at.getTime() + waitS * 1000 * env.TASK_DEADLINE_SCALE)
  const asked = await sql`
    with broken as (
      update remote_sessions r set state = 'requested', command_id = gen_random_uuid(), asked_at = ${at},
        used_at = null, tunnel_at = null, ready_at = null
      from commands c
      where r.id = any(${ids as string[]}::uuid[]) and r.ended_at is null and r.state <> 'requested' and c.id = r.command_id
      returning r.command_id, r.device_id, r.customer_id, r.user_id, c.args)
    insert into commands (id, device_id, customer_id, name, args, created_by, created_at, deadline_at)
    select command_id, device_id, customer_id, ${openTunnel.name}, args, user_id, ${at}, ${deadlineAt} from broken returning id`
  if (asked.length > 0) await wake(context, driveCommands)
}
