/** What is kept of variables when their reports are gone: sums by the quarter of an hour and by the hour [decisions/118]. */
import {
  bigint,
  boolean,
  customType,
  doublePrecision,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
} from 'drizzle-orm/pg-core'
import { at } from './columns.ts'
import { kept } from './kept.ts'

const steps = customType<{ data: (number | null)[]; driverData: string }>({
  dataType: () => 'double precision[]',
})

/** schema/monitor/rollup.ts says what each is; times in ms since the start. Wide columns first. */
const sums = () => ({
  at: at('at').notNull(),
  integral: doublePrecision('integral').notNull(),
  knownS: doublePrecision('known_s').notNull(),
  min: doublePrecision('min'),
  max: doublePrecision('max'),
  first: doublePrecision('first'),
  last: doublePrecision('last'),
  terminalId: integer('terminal_id').notNull(),
  good: integer('good').notNull(),
  bad: integer('bad').notNull(),
  firstMs: integer('first_ms').notNull(),
  lastMs: integer('last_ms').notNull(),
  slot: smallint('slot').notNull(),
  stands: boolean('stands').notNull(),
  /** second, beforeLast, from, to, grown. */
  steps: steps('steps'),
})

export const variableQuarters = pgTable('variable_quarters', sums(), (t) => [
  index('variable_quarters_at').using('brin', t.at),
  primaryKey({ columns: [t.terminalId, t.slot, t.at] }),
])
export const variableHours = pgTable('variable_hours', sums(), (t) => [
  index('variable_hours_at').using('brin', t.at),
  primaryKey({ columns: [t.terminalId, t.slot, t.at] }),
])

/** Hours of terminals for which reports came that are not summed yet. */
export const variableDirty = pgTable(
  'variable_dirty',
  { hour: at('hour').notNull(), terminalId: integer('terminal_id').notNull() },
  (t) => [primaryKey({ columns: [t.terminalId, t.hour] })],
)
export const variableDirtyKept = kept(variableDirty, 'rows leave when they are dealt with')

/** How far reports have been looked through for hours to sum, in the order of storing. */
export const rollupPositions = pgTable('rollup_positions', {
  name: text('name').primaryKey(),
  storedBy: bigint('stored_by', { mode: 'number' }).notNull(),
  /** Everything that was committed before is taken into account. */
  at: at('at').notNull(),
})
export const rollupPositionsKept = kept(rollupPositions, 'one row for each rollup')
