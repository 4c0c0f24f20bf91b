/**
 * Polls every supernode that has a management port, ten at a time; figures that cannot be read are unknown, not zero.
 */
import { readSupernode } from '#infra/group/n2n-management'
import { watchN2nServers } from '#schema/group/n2n-server'
import { processor, type WorkerContext } from '../kit/processor.ts'

const AT_ONCE = 10
const REASON_MAX = 200

type Server = { id: number; host: string; port: number }

async function look(ctx: WorkerContext, { id, host, port }: Server): Promise<boolean> {
  try {
    const { startedAt, edges } = await readSupernode(host, port)
    const total = [...edges.values()].reduce((sum, count) => sum + count, 0)
    // Written only if the address is still the same: it may have been changed meanwhile. One statement: the change waits for all of it.
    await ctx.sql`
      with same as (
        update n2n_servers set up = true, edges = ${total}, started_at = ${startedAt}, check_error = null,
          checked_at = ${ctx.now()}, last_seen_at = ${ctx.now()}
        where id = ${id} and coalesce(management_address, address) = ${host} and management_port = ${port} returning id)
      update groups set remote_logins = coalesce(seen.count, 0)
      from same join groups g on g.n2n_server_id = same.id
        left join unnest(${[...edges.keys()]}::text[], ${[...edges.values()]}::int[]) as seen(name, count) on seen.name = g.remote_account
      where groups.id = g.id and g.remote_account is not null
        and groups.remote_logins is distinct from coalesce(seen.count, 0)`
    return true
  } catch (error) {
    const reason = (error instanceof Error ? error.message : String(error)).slice(0, REASON_MAX)
    await ctx.sql`
      update n2n_servers set up = false, edges = null, check_error = ${reason}, checked_at = ${ctx.now()}
      where id = ${id} and coalesce(management_address, address) = ${host} and management_port = ${port}`
    await ctx.sql`update groups set remote_logins = null where n2n_server_id = ${id} and remote_logins is not null`
    return false
  }
}

export const watchN2nServersJob = processor(watchN2nServers, async (ctx) => {
  const waiting = await ctx.sql<Server[]>`
    select id, coalesce(management_address, address) as host, management_port as port
    from n2n_servers where management_port is not null order by id`
  let up = 0
  const one = async () => {
    for (let server = waiting.shift(); server; server = waiting.shift()) if (await look(ctx, server)) up += 1
  }
  await Promise.all(Array.from({ length: AT_ONCE }, one))
  return { up }
})
