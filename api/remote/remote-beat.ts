/** Once a second: stores the traffic of the tunnels, and closes those that are no longer allowed. */
import type { Context } from '#infra/context'
import { closeCodes } from '#schema/remote/forward-frame'
import { REMOTE_BEAT_MS } from '#schema/remote/remote-session'
import { leadsToShell } from './own-address.ts'
import { endRemote, sweepRemotes } from './remote-end.ts'
import { reopenTunnels, withoutTunnel } from './reopen-tunnels.ts'
import { lasts, watcherOf, whyEnded } from './still-allowed.ts'
import { whoText } from './ticket.ts'
import type { Tunnel, Tunnels } from './tunnels.ts'

/** Adds the traffic, even if the session has ended meanwhile; returns false if it has. */
export async function tellTunnel({ sql, now }: Context, tunnel: Tunnel): Promise<boolean> {
  const { fromDevice, toDevice, isReached, session } = tunnel
  tunnel.fromDevice = 0
  tunnel.toDevice = 0
  const at = now()
  const [row] = await sql<{ open: boolean }[]>`
    update remote_sessions set beat_at = ${at},
      state = case when state = 'tunnelUp' and ${isReached} then 'ready' else state end,
      ready_at = case when ${isReached} then coalesce(ready_at, ${at}) else ready_at end,
      active_at = case when ${fromDevice + toDevice > 0} then ${at} else active_at end,
      from_device_bytes = from_device_bytes + ${fromDevice}, to_device_bytes = to_device_bytes + ${toDevice}
    where id = ${session.id} returning ended_at is null as open`
  return row?.open ?? false
}

/**
 * Its customer may have begun to require recordings while a shell was open without one, or the device forwarded.
 * @returns whether the session must end
 */
async function endUnrecorded(context: Context, { session, shells }: Tunnel): Promise<boolean> {
  const without = [...shells.values()].filter((shell) => !shell.isRecorded)
  if (without.length === 0 && session.kind !== 'forward') return false
  const [must] = await context.sql`
    select 1 from customers where id = ${session.customerId} and terminal_recording = 'required'`
  if (!must) return false
  for (const shell of without) shell.end({ t: 'refused', why: shell.unrecorded?.why ?? 'notRecorded' })
  return session.kind === 'forward' && leadsToShell(context, session.deviceId, session)
}

async function look(context: Context, tunnel: Tunnel): Promise<void> {
  if (!(await tellTunnel(context, tunnel))) return tunnel.close('ended')
  for (const [socket, watcher] of tunnel.audience.all())
    if (!(await watcherOf(context, watcher, tunnel.session))) socket.close(closeCodes.sessionEnded)
  // A session may be continued with another login than its own.
  const open = Map.groupBy([...tunnel.pages, ...tunnel.uses], ([, login]) => whoText(login))
  for (const uses of open.values()) {
    const [[, login] = []] = uses
    if (login && !(await lasts(context, login))) for (const [use] of uses) use.close(closeCodes.sessionEnded)
  }
  const ends = await whyEnded(context, tunnel.session)
  const why = ends ?? ((await endUnrecorded(context, tunnel)) ? 'accessEnded' : null)
  if (why === null) return
  await endRemote(context.sql, tunnel.session.id, why, null, context.now())
  tunnel.close('ended')
}

export function startRemoteBeat(context: Context, tunnels: Tunnels): { close(): Promise<void> } {
  let beating: Promise<unknown> | null = null
  const beat = async () => {
    await sweepRemotes(context)
    const held = tunnels.all().map(({ session }) => session.id)
    await reopenTunnels(context, await withoutTunnel(context, held))
    await Promise.all(tunnels.all().map((tunnel) => look(context, tunnel)))
  }
  const timer = setInterval(() => {
    beating ??= beat()
      .catch((error: unknown) => context.log.warn({ err: error }, 'no beat of the remote sessions'))
      .finally(() => {
        beating = null
      })
  }, REMOTE_BEAT_MS)
  return {
    close: async () => {
      clearInterval(timer)
      await beating
    },
  }
}
