import { sql } from 'drizzle-orm'
import { boolean, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { parities, terminalProtocols } from '../monitor/fields.ts'
import { collectionTemplates } from './collection-template.ts'
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
    templateId: integer('template_id')
      .notNull()
      .references(() => collectionTemplates.id),
    /** Slots are those of the template: earlier samples belong to another one. */
    templateSince: at('template_since').notNull().defaultNow(),
    /** Of the serial line; all terminals on one bus say the same. */
    baudRate: integer('baud_rate'),
    parity: text('parity', { enum: parities }),
    dataBits: integer('data_bits'),
    stopBits: integer('stop_bits'),
    protocol: text('protocol', { enum: terminalProtocols }).notNull(),
    /** null: it has no slave, but is the gateway itself, or a foreign source. */
    slaveId: integer('slave_id'),
    slaveAddress: text('slave_address'),
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
    index('terminals_template').on(t.templateId),
  ],
)
export const terminalsKept = kept(terminals, BY_PEOPLE)
