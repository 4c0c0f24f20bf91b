import { sql } from 'drizzle-orm'
import { boolean, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { terminalProtocols } from '../device/terminal.ts'
import { at, nameKey, serialId } from './columns.ts'
import { devices } from './device.ts'
import { BY_PEOPLE, kept } from './kept.ts'

export const terminals = pgTable(
  'terminals',
  {
    id: serialId('id'),
    deviceId: integer('device_id')
      .notNull()
      .references(() => devices.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    serial: text('serial'),
    template: text('template').notNull(),
    protocol: text('protocol', { enum: terminalProtocols }).notNull(),
    slaveId: integer('slave_id').notNull(),
    slaveAddress: text('slave_address').notNull(),
    port: integer('port'),
    serialPort: integer('serial_port'),
    hidden: boolean('hidden').notNull().default(false),
    number: text('number'),
    location: text('location'),
    createdAt: at('created_at').notNull().defaultNow(),
  },
  (t) => [
    uniqueIndex('terminals_name').on(t.deviceId, nameKey(t.name)),
    /** Two names for one slave would read it twice. */
    uniqueIndex('terminals_slave').on(
      t.deviceId,
      t.protocol,
      t.slaveAddress,
      sql`coalesce(${t.port}, 0)`,
      sql`coalesce(${t.serialPort}, 0)`,
      t.slaveId,
    ),
    index('terminals_name_order').on(t.name),
  ],
)
export const terminalsKept = kept(terminals, BY_PEOPLE)
