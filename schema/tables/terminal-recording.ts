import { sql } from 'drizzle-orm'
import { index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import type { RecordingState } from '../remote/recording-policy.ts'
import { at, bytes } from './columns.ts'
import { devices } from './device.ts'

/** One row per recorded shell. Its file is there from the first line on, so that a crash loses only the last ones. */
export const terminalRecordings = pgTable(
  'terminal_recordings',
  {
    id: uuid('id').primaryKey(),
    /** Sessions are kept for another time than recordings. */
    sessionId: uuid('session_id').notNull(),
    deviceId: integer('device_id')
      .notNull()
      .references(() => devices.id),
    /** The device's owner then. */
    customerId: integer('customer_id').notNull(),
    userId: integer('user_id').notNull(),
    account: text('account').notNull(),
    state: text('state').$type<RecordingState>().notNull().default('recording'),
    startedAt: at('started_at').notNull().defaultNow(),
    endedAt: at('ended_at'),
    durationMs: bytes('duration_ms').notNull().default(0),
    sizeBytes: bytes('size_bytes').notNull().default(0),
    fileKey: text('file_key').notNull(),
  },
  (t) => [
    index('terminal_recordings_device').on(t.deviceId, t.startedAt),
    index('terminal_recordings_session').on(t.sessionId),
    index('terminal_recordings_open').on(t.startedAt).where(sql`${t.endedAt} is null`),
    index('terminal_recordings_ended').on(t.endedAt),
  ],
)
