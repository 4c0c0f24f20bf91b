/**
 * Pages whose tunnel is being reopened: after a restart of this process, or while a router changes its uplink, requests
 * of a browser wait for it instead of ending on an error page [decisions/134].
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '#infra/context'
import { REMOTE_BEAT_MS } from '#schema/remote/remote-session'
import { cookieWho, labelOf } from '../ticket.ts'
import type { Tunnel, Tunnels } from '../tunnels.ts'

const WAIT_MS = 25_000
const LOOK_MS = 100
/** Polling interval for open pages without a tunnel, regardless of the number of requests. */
const READ_MS = 1_000
/** A process without a heartbeat for this long is dead. */
const SILENT_MS = 2 * REMOTE_BEAT_MS
/** Maximum time between the row's update and the tunnel itself. */
const ALMOST_MS = 2_000
/** Maximum waiting requests, because each keeps a connection; more are refused immediately. */
const WAITING_MAX = 500

type Away = (label: string, cookies: readonly string[], isGone: () => boolean) => Promise<Tunnel | null>

export function tunnelWaiter(
  { sql, env, now }: Pick<Context, 'sql' | 'env' | 'now'>,
  tunnels: Tunnels,
): Away {
  let read: Promise<ReadonlyMap<string, string>> | null = null
  let readMs = Number.NEGATIVE_INFINITY
  let waiting = 0

  async function readAway(): Promise<ReadonlyMap<string, string>> {
    const silent = new Date(now().getTime() - SILENT_MS)
    const rows = await sql<{ id: string }[]>`
      select id from remote_sessions
      where ended_at is null and kind in ('web', 'lan')
        and ((state = 'requested' and broken_at is not null) or (state <> 'requested' and beat_at < ${silent}))`
    return new Map(rows.map(({ id }) => [labelOf(env.JWT_SECRET, id), id]))
  }
  /** One query for all requests within the same second. */
  function away(): Promise<ReadonlyMap<string, string>> {
    if (read === null || performance.now() - readMs > READ_MS) {
      readMs = performance.now()
      read = readAway()
    }
    return read
  }

  return async (label, cookies, isGone) => {
    if (waiting >= WAITING_MAX || cookies.length === 0) return null
    const until = performance.now() + WAIT_MS
    let knownMs = Number.NEGATIVE_INFINITY
    waiting++
    try {
      while (performance.now() < until && !isGone()) {
        const tunnel = tunnels.labelled(label)
        if (tunnel) return tunnel
        const id = (await away()).get(label)
        if (id !== undefined) knownMs = performance.now()
        // Requests without the session's cookie neither wait nor learn anything.
        const isTheirs =
          id === undefined || cookies.some((cookie) => cookieWho(env.JWT_SECRET, id, cookie) !== null)
        if (!isTheirs || performance.now() - knownMs > ALMOST_MS) return null
        await sleep(LOOK_MS)
      }
      return null
    } finally {
      waiting--
    }
  }
}
