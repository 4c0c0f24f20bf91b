import {
  boolean,
  doublePrecision,
  index,
  integer,
  pgTable,
  smallint,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import {
  accesses,
  byteOrders,
  dataTypes,
  functionTypes,
  ioControllers,
  registerTypes,
  reportTypes,
  templateTypes,
} from '../monitor/fields.ts'
import { at, nameKey, serialId } from './columns.ts'
import { customers } from './customer.ts'
import { BY_PEOPLE, kept } from './kept.ts'

/** [§3 Collection template] The variables of one equipment model, and how its slaves are polled. */
export const collectionTemplates = pgTable(
  'collection_templates',
  {
    id: serialId('id'),
    customerId: integer('customer_id')
      .notNull()
      .references(() => customers.id),
    name: text('name').notNull(),
    type: text('type', { enum: templateTypes }).notNull(),
    vendor: text('vendor'),
    remark: text('remark'),
    /** The key of the template of the library that it was made from. */
    libraryKey: text('library_key'),
    byteOrder: text('byte_order', { enum: byteOrders }).notNull().default('ABCD'),
    /** Registers that may be read along between two variables, so that one request is enough. */
    maxGap: integer('max_gap').notNull().default(8),
    maxRegisters: integer('max_registers').notNull().default(125),
    timeoutMs: integer('timeout_ms').notNull().default(1_000),
    pauseMs: integer('pause_ms').notNull().default(0),
    connectDelayMs: integer('connect_delay_ms').notNull().default(0),
    retries: integer('retries').notNull().default(2),
    /** How often variables that are reported on change are read. */
    pollMs: integer('poll_ms').notNull().default(5_000),
    /** The slot of the next variable: slots are never reused, because old samples are stored under them. */
    nextSlot: smallint('next_slot').notNull().default(0),
    createdBy: integer('created_by'),
    createdAt: at('created_at').notNull().defaultNow(),
    updatedAt: at('updated_at').notNull().defaultNow(),
  },
  (t) => [
    uniqueIndex('collection_templates_name').on(t.customerId, nameKey(t.name)),
    index('collection_templates_order').on(t.name, t.id),
  ],
)
export const collectionTemplatesKept = kept(collectionTemplates, BY_PEOPLE)

/** [§3 Variable] Of a template: each terminal with this template has all of its variables. */
export const variables = pgTable(
  'variables',
  {
    id: serialId('id'),
    templateId: integer('template_id')
      .notNull()
      .references(() => collectionTemplates.id, { onDelete: 'cascade' }),
    slot: smallint('slot').notNull(),
    name: text('name').notNull(),
    unit: text('unit').notNull(),
    /** null: an interface of the gateway itself. */
    registerType: text('register_type', { enum: registerTypes }),
    address: integer('address'),
    dataType: text('data_type', { enum: dataTypes }).notNull(),
    /** null: that of the template. */
    byteOrder: text('byte_order', { enum: byteOrders }),
    bit: integer('bit'),
    length: integer('length'),
    noValue: text('no_value'),
    /** SunSpec: the register that holds the power of ten which the value is multiplied by. */
    powerAddress: integer('power_address'),
    /** value = raw × factor + offset, rounded to `precision` decimal places. */
    factor: doublePrecision('factor').notNull().default(1),
    addend: doublePrecision('addend').notNull().default(0),
    precision: integer('precision').notNull().default(0),
    functionType: text('function_type', { enum: functionTypes }).notNull().default('gauge'),
    access: text('access', { enum: accesses }).notNull().default('read'),
    /** Outside of them a value is kept, with the quality outOfRange. */
    min: doublePrecision('min'),
    max: doublePrecision('max'),
    reportType: text('report_type', { enum: reportTypes }).notNull().default('both'),
    cycleS: integer('cycle_s').notNull().default(60),
    /** In the unit of the variable. */
    deadband: doublePrecision('deadband').notNull().default(0),
    minIntervalMs: integer('min_interval_ms').notNull().default(0),
    ioController: text('io_controller', { enum: ioControllers }).notNull().default('modbus'),
    interfaceNumber: integer('interface_number'),
    /** Over other variables of the template. */
    formula: text('formula'),
    hidden: boolean('hidden').notNull().default(false),
    createdAt: at('created_at').notNull().defaultNow(),
    updatedAt: at('updated_at').notNull().defaultNow(),
  },
  (t) => [
    uniqueIndex('variables_slot').on(t.templateId, t.slot),
    uniqueIndex('variables_name').on(t.templateId, nameKey(t.name)),
  ],
)
export const variablesKept = kept(variables, BY_PEOPLE)
