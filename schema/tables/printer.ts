import { sql } from 'drizzle-orm'
import { boolean, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { printerStates, printMethods } from '../printing/printer.ts'
import { driverDebugStates, driverTypes } from '../printing/printer-driver.ts'
import { at, nameKey, serialId } from './columns.ts'
import { devices } from './device.ts'
import { BY_PEOPLE, kept } from './kept.ts'

/** One row per printer at a device; counters are the device's own. */
export const printers = pgTable(
  'printers',
  {
    id: serialId('id'),
    deviceId: integer('device_id')
      .notNull()
      .references(() => devices.id, { onDelete: 'cascade' }),
    /** The device's name for it. */
    localId: text('local_id').notNull(),
    /** null: not set. */
    alias: text('alias'),
    vendor: text('vendor'),
    type: text('type'),
    driverSign: text('driver_sign'),
    status: text('status', { enum: printerStates }).notNull(),
    statusAt: at('status_at').notNull(),
    present: boolean('present').notNull().default(true),
    method: text('method', { enum: printMethods }).notNull(),
    port: text('port').notNull(),
    successCount: integer('success_count').notNull(),
    failCount: integer('fail_count').notNull(),
    lastPrintAt: at('last_print_at'),
  },
  (t) => [
    uniqueIndex('printers_local').on(t.deviceId, t.localId),
    index('printers_driver').on(t.driverSign),
    index('printers_absent').on(t.statusAt).where(sql`not ${t.present}`),
  ],
)

export const printerDrivers = pgTable(
  'printer_drivers',
  {
    id: serialId('id'),
    address: text('address').notNull(),
    type: text('type', { enum: driverTypes }).notNull(),
    sign: text('sign').notNull(),
    debugState: text('debug_state', { enum: driverDebugStates }).notNull().default('notDebugged'),
    remark: text('remark'),
    updatedAt: at('updated_at').notNull().defaultNow(),
  },
  (t) => [uniqueIndex('printer_drivers_sign').on(nameKey(t.sign))],
)
export const printerDriversKept = kept(printerDrivers, BY_PEOPLE)
