import type { ISql } from 'postgres'

/** A device says hello at once; one connected for longer without is a device that does not, or was reported anew. */
const HELLO_MS = 15_000

/**
 * Whether device `d` with state `s` listens: connected, trusted, and greeted on this connection. Before its hello
 * nobody knows whether it has subscribed, and what is sent may be lost.
 */
export const isReady = (sql: ISql, now: Date) => sql`(
  s.online and d.secret_hash is not null and d.deleted_at is null
  and (d.hello_at >= s.last_login_at - interval '1 second' or s.last_login_at < ${new Date(now.getTime() - HELLO_MS)}))`
