import { sql } from 'drizzle-orm'
import { index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import type { RemoteKind, RemoteScheme } from '../remote/remote-access.ts'
import type { RemoteEnd, RemoteState } from '../remote/remote-session.ts'
import { at, bytes } from './columns.ts'
import { devices } from './device.ts'

/** One row per session of remote operation. Its credential is derived when its command is sent, and never stored. */
export const remoteSessions = pgTable(
  'remote_sessions',
  {
    id: uuid('id').primaryKey(),
    deviceId: integer('device_id')
      .notNull()
      .references(() => devices.id),
    /** The device's owner then. */
    customerId: integer('customer_id').notNull(),
    /** If the user is deleted, the session ends. */
    userId: integer('user_id').notNull(),
    /** The login or the API token that opened it; it ends with it. */
    loginId: uuid('login_id'),
    tokenId: integer('token_id'),
    commandId: uuid('command_id').notNull(),
    kind: text('kind').$type<RemoteKind>().notNull(),
    scheme: text('scheme').$type<RemoteScheme>().notNull(),
    host: text('host').notNull(),
    port: integer('port').notNull(),
    state: text('state').$type<RemoteState>().notNull().default('requested'),
    createdAt: at('created_at').notNull().defaultNow(),
    /** When its device was last asked to open the tunnel: at the beginning, and each time that it broke. */
    askedAt: at('asked_at').notNull().defaultNow(),
    /** Since when its tunnel is broken; null: it has one, or never had one. */
    brokenAt: at('broken_at'),
    /** When the credential was used: it is valid once. */
    usedAt: at('used_at'),
    tunnelAt: at('tunnel_at'),
    readyAt: at('ready_at'),
    activeAt: at('active_at'),
    expiresAt: at('expires_at').notNull(),
    /** Last heartbeat of the process that holds the tunnel. */
    beatAt: at('beat_at'),
    endedAt: at('ended_at'),
    endReason: text('end_reason').$type<RemoteEnd>(),
    endDetail: text('end_detail'),
    fromDeviceBytes: bytes('from_device_bytes').notNull().default(0),
    toDeviceBytes: bytes('to_device_bytes').notNull().default(0),
  },
  (t) => [
    index('remote_sessions_device').on(t.deviceId, t.createdAt),
    index('remote_sessions_open').on(t.createdAt).where(sql`${t.endedAt} is null`),
    index('remote_sessions_ended').on(t.endedAt),
  ],
)
