import type { ISql } from 'postgres'

/**
 * A device sends hello immediately; one connected for longer without it does not send any, or was reported
 * again after a restart of the broker.
 */
const HELLO_MS = 15_000

/**
 * Whether device `d` with state `s` is ready: connected, trusted, and has said hello on this connection.
 * Before its hello it may not have subscribed yet, and messages may be lost.
 */
export const isReady = (sql: ISql, now: Date) => sql`(
  s.online and d.secret_hash is not null and d.deleted_at is null
  and (d.hello_at >= s.last_login_at - interval '1 second' or s.last_login_at < ${new Date(now.getTime() - HELLO_MS)}))`
