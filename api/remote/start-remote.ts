/** Remote operation in the api process: the SSH server for tunnels, and what goes through them. */
import type { Context } from '#infra/context'
import { Recordings } from './recordings.ts'
import { startRemoteBeat, tellTunnel } from './remote-beat.ts'
import { endRemote } from './remote-end.ts'
import { sessionSockets, type Upgrade } from './session-sockets.ts'
import { openSshDoor } from './ssh-door.ts'
import { Tickets } from './ticket.ts'
import { type Tunnel, Tunnels } from './tunnels.ts'
import { openWebProxy } from './web-proxy.ts'

export type Remote = { upgrade: Upgrade; close(): Promise<void> }

/** null: SSH_PORT is 0. @throws EADDRINUSE */
export async function startRemote(context: Context): Promise<Remote | null> {
  if (context.env.SSH_PORT === 0) return null
  let closing = false
  const ends = new Set<Promise<unknown>>()
  const tunnels = new Tunnels((tunnel: Tunnel) => {
    // The device or the network ended it; a row that has ended keeps its reason.
    const end = tellTunnel(context, tunnel)
      .then(() => endRemote(context.sql, tunnel.session.id, 'lost', null, context.now()))
      .catch((error: unknown) => context.log.warn({ err: error }, 'the end of a session was not recorded'))
      .finally(() => ends.delete(end))
    if (!closing) ends.add(end)
  })
  const door = await openSshDoor(context, tunnels)
  const tickets = new Tickets(context.env.JWT_SECRET)
  const recordings = new Recordings(context)
  const sockets = sessionSockets(context, tunnels, tickets, recordings)
  const pages = await openWebProxy(context, tunnels, tickets).catch(async (error: unknown) => {
    await door.close()
    throw error
  })
  const beat = startRemoteBeat(context, tunnels)
  return {
    upgrade: sockets.upgrade,
    close: async () => {
      closing = true
      sockets.close()
      await pages?.close()
      for (const tunnel of tunnels.all()) tunnel.close()
      await door.close()
      await beat.close()
      await Promise.all(ends)
      await recordings.close()
    },
  }
}
