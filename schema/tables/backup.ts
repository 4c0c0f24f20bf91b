import { sql } from 'drizzle-orm'
import { index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { at, bytes } from './columns.ts'
import { devices } from './device.ts'

/** One row per requested backup; the file exists when `file_key` is set. */
export const deviceBackups = pgTable(
  'device_backups',
  {
    id: uuid('id').primaryKey(),
    deviceId: integer('device_id')
      .notNull()
      .references(() => devices.id),
    /** The device's owner when it was made. null: unknown, visible to platform users only. */
    customerId: integer('customer_id'),
    /** The serial number of the machine that made it, if that was the previous one. */
    fromSn: text('from_sn'),
    commandId: uuid('command_id').notNull(),
    createdBy: integer('created_by'),
    createdAt: at('created_at').notNull().defaultNow(),
    remark: text('remark'),
    /** Until when the device may upload. */
    linkExpiresAt: at('link_expires_at').notNull(),
    fileKey: text('file_key'),
    sizeBytes: bytes('size_bytes'),
    sha256: text('sha256'),
    configHash: text('config_hash'),
    firmware: text('firmware'),
  },
  (t) => [
    index('device_backups_device').on(t.deviceId, t.createdAt),
    index('device_backups_empty').on(t.createdAt).where(sql`${t.fileKey} is null`),
  ],
)
