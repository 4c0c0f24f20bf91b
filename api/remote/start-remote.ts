/** Remote operation in the api process: the SSH server for tunnels, and everything that uses them. */
import type { Context } from '#infra/context'
import { Recordings } from './recordings.ts'
import { startRemoteBeat, tellTunnel } from './remote-beat.ts'
import { reopenTunnels } from './reopen-tunnels.ts'
import { sessionSockets, type Upgrade } from './session-sockets.ts'
import { startSshServer } from './ssh-server.ts'
import { Tickets } from './ticket.ts'
import { type Tunnel, type TunnelEnd, Tunnels } from './tunnels.ts'
import { openWebProxy } from './web/web-proxy.ts'

export type Remote = { upgrade: Upgrade; close(): Promise<void> }

/** Releases the tunnels of this process, so that the next one need not wait until this one counts as dead. */
const leave = ({ sql }: Context, held: readonly string[]) => sql`
  update remote_sessions set beat_at = '-infinity' where id = any(${held as string[]}::uuid[]) and ended_at is null`

/** null: SSH_PORT is 0. @throws EADDRINUSE */
export async function startRemote(context: Context): Promise<Remote | null> {
  if (context.env.SSH_PORT === 0) return null
  const ends = new Set<Promise<unknown>>()
  const tunnels = new Tunnels((tunnel: Tunnel, how: TunnelEnd) => {
    // The device or the network broke it; an ended row is not changed.
    const end = tellTunnel(context, tunnel)
      .then(() => (how === 'interrupted' ? reopenTunnels(context, [tunnel.session.id]) : undefined))
      .catch((error: unknown) => context.log.warn({ err: error }, 'a broken tunnel was not asked for again'))
      .finally(() => ends.delete(end))
    // Awaited at the end, too: otherwise it could mark the tunnel as alive after `leave` has released it.
    ends.add(end)
  })
  const server = await startSshServer(context, tunnels)
  const tickets = new Tickets(context.env.JWT_SECRET)
  const recordings = new Recordings(context)
  const sockets = sessionSockets(context, tunnels, tickets, recordings)
  const pages = await openWebProxy(context, tunnels, tickets).catch(async (error: unknown) => {
    await server.close()
    throw error
  })
  const beat = startRemoteBeat(context, tunnels)
  return {
    upgrade: sockets.upgrade,
    close: async () => {
      sockets.close()
      await pages?.close()
      const held = tunnels.all().map(({ session }) => session.id)
      // 'ended' does not ask devices to reopen tunnels while no process is here; the next process does.
      for (const tunnel of tunnels.all()) tunnel.close('ended')
      await server.close()
      await beat.close()
      await Promise.all(ends)
      await recordings.close()
      await leave(context, held)
    },
  }
}
