/** Collection of variables: polling plans of gateways, their reports, and the newest value of each variable. */
import { sql } from 'drizzle-orm'
import {
  bigint,
  customType,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  pgView,
  primaryKey,
  smallint,
  text,
} from 'drizzle-orm/pg-core'
import { slaveStates } from '../monitor/fields.ts'
import type { PlanScales } from '../monitor/scale.ts'
import type { PlanDocument } from '../monitor/wire.ts'
import { at } from './columns.ts'
import { devices } from './device.ts'
import { kept, PER_DEVICE } from './kept.ts'
import { terminals } from './terminal.ts'

/** The plans of a gateway. Former ones are kept while reports made with them may still arrive. */
export const pollPlans = pgTable(
  'poll_plans',
  {
    deviceId: integer('device_id')
      .notNull()
      .references(() => devices.id, { onDelete: 'cascade' }),
    revision: integer('revision').notNull(),
    /** Hash of the document without its revision, and of the scales: an equal plan gets no new revision. */
    hash: text('hash').notNull(),
    document: jsonb('document').$type<PlanDocument>().notNull(),
    /** How the platform scales each value. Never changes: a new factor makes a new revision. */
    scales: jsonb('scales').$type<PlanScales>().notNull(),
    createdAt: at('created_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.deviceId, t.revision] }), index('poll_plans_created').on(t.createdAt)],
)

/** The plan that a gateway should run, the one that it runs, and its response to it. */
export const collectionStates = pgTable(
  'collection_states',
  {
    deviceId: integer('device_id')
      .primaryKey()
      .references(() => devices.id, { onDelete: 'cascade' }),
    revision: integer('revision'),
    sentAt: at('sent_at'),
    runningRevision: integer('running_revision'),
    refusedRevision: integer('refused_revision'),
    refusedReason: text('refused_reason'),
    reportedAt: at('reported_at'),
    /** Subtracted from the timestamps of the gateway (schema/monitor/clock.ts). */
    clockOffsetMs: bigint('clock_offset_ms', { mode: 'number' }).notNull().default(0),
    /** Warnings of the compiler, such as overloaded buses. */
    lint: jsonb('lint').notNull().default([]),
    /** The input of the plan has changed since it was compiled. */
    staleSince: at('stale_since'),
  },
  (t) => [
    index('collection_states_stale').on(t.deviceId).where(sql`${t.staleSince} is not null`),
    index('collection_states_unsent')
      .on(t.deviceId)
      .where(sql`${t.revision} is distinct from ${t.runningRevision}`),
  ],
)
export const collectionStatesKept = kept(collectionStates, PER_DEVICE)

const slots = customType<{ data: number[]; driverData: string }>({ dataType: () => 'smallint[]' })
const times = customType<{ data: (number | null)[]; driverData: string }>({ dataType: () => 'bigint[]' })
const numbers = customType<{ data: (number | null)[]; driverData: string }>({
  dataType: () => 'double precision[]',
})

/**
 * One row for each report, partitioned by day of `at` (infra/partitions.ts). Values are scaled and rounded; arrays in the
 * order of `slots`. Wide columns first: fewer bytes are lost to alignment.
 */
export const variableReports = pgTable(
  'variable_reports',
  {
    at: at('at').notNull(),
    /**
     * The transaction that stored it. Readers that need all rows in order of storing read those below the oldest open
     * transaction: none is missed, and none is read twice.
     */
    storedBy: bigint('stored_by', { mode: 'number' })
      .notNull()
      .default(sql`pg_current_xact_id()::text::bigint`),
    terminalId: integer('terminal_id').notNull(),
    plan: integer('plan').notNull(),
    slots: slots('slots').notNull(),
    vals: numbers('vals').notNull(),
    /** null: all good. */
    quality: slots('quality'),
    /** Only where a value is text: the values in the order of `slots`. */
    texts: text('texts').array(),
  },
  (t) => [
    primaryKey({ columns: [t.terminalId, t.at] }),
    index('variable_reports_stored').using('brin', t.storedBy),
  ],
)

/**
 * Reports that no longer fitted into the buffer of an offline gateway. A table beside the reports, so that a repeated
 * message changes nothing.
 */
export const variableGaps = pgTable(
  'variable_gaps',
  {
    terminalId: integer('terminal_id')
      .notNull()
      .references(() => terminals.id, { onDelete: 'cascade' }),
    fromAt: at('from_at').notNull(),
    toAt: at('to_at').notNull(),
    reports: integer('reports').notNull(),
  },
  (t) => [primaryKey({ columns: [t.terminalId, t.fromAt] }), index('variable_gaps_to').on(t.toAt)],
)

/** Whether the slave of a terminal responds, by its gateway's last report. No row: not reported yet. */
export const terminalStates = pgTable('terminal_states', {
  terminalId: integer('terminal_id')
    .primaryKey()
    .references(() => terminals.id, { onDelete: 'cascade' }),
  state: text('state', { enum: slaveStates }).notNull(),
  since: at('since').notNull(),
  /** Cycles skipped since the gateway started, for lack of time on the bus. */
  missed: integer('missed').notNull().default(0),
})
export const terminalStatesKept = kept(terminalStates, 'one row for each terminal')

/**
 * The newest values of each terminal: arrays by slot (element slot + 1; null: never reported), because a row for each
 * variable costs twice the time of PostgreSQL for a report [decisions/111]. Read through the view `variable_latest`. A
 * trigger creates the row with the terminal, empties it when the template changes, and raises `version` whenever
 * reports in progress must no longer be stored: the broker overwrites only the version that it knows.
 */
export const terminalLatest = pgTable('terminal_latest', {
  terminalId: integer('terminal_id')
    .primaryKey()
    .references(() => terminals.id, { onDelete: 'cascade' }),
  version: integer('version').notNull().default(0),
  /** In ms since 1970. */
  at: times('at').notNull().default(sql`'{}'`),
  vals: numbers('vals').notNull().default(sql`'{}'`),
  /** null: all good. */
  quality: slots('quality'),
  texts: text('texts').array(),
  /** The newest good values and their times; null: the same as above. */
  goodAt: times('good_at'),
  goodVals: numbers('good_vals'),
})
export const terminalLatestKept = kept(terminalLatest, 'one row for each terminal')

/** The newest value of each variable of each terminal: a view of `terminal_latest` (schema/migrations/by-hand.sql). */
export const variableLatest = pgView('variable_latest', {
  terminalId: integer('terminal_id').notNull(),
  slot: smallint('slot').notNull(),
  at: at('at').notNull(),
  value: doublePrecision('value'),
  text: text('text'),
  quality: smallint('quality').notNull(),
  /** The newest value that was good, and when: shown while the present one is not. */
  goodAt: at('good_at'),
  goodValue: doublePrecision('good_value'),
}).existing()

/** Deleted terminals whose reports are still to be removed (workers/monitor/remove-reports.ts). */
export const goneTerminals = pgTable('gone_terminals', {
  terminalId: integer('terminal_id').primaryKey(),
  goneAt: at('gone_at').notNull().defaultNow(),
})
export const goneTerminalsKept = kept(goneTerminals, 'emptied by a job')
