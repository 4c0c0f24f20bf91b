import { sql } from 'drizzle-orm'
import { bigint, boolean, index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { northFaults, northKinds } from '../monitor/north-kinds.ts'
import { at, bytes, nameKey, serialId } from './columns.ts'
import { customers } from './customer.ts'
import { BY_PEOPLE, kept } from './kept.ts'
import { projects } from './project.ts'

/** Targets that values and alarms of a project are forwarded to, and the progress of each. */
export const northTargets = pgTable(
  'north_targets',
  {
    id: serialId('id'),
    customerId: integer('customer_id')
      .notNull()
      .references(() => customers.id),
    projectId: integer('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    kind: text('kind', { enum: northKinds }).notNull(),
    /** Encrypted: path and query of a web address may be a password. */
    addressSealed: text('address_sealed').notNull(),
    /** Scheme and host for display. */
    addressShown: text('address_shown').notNull(),
    username: text('username'),
    /** Encrypted: the password at the broker, or the bearer token of a web address. */
    secretSealed: text('secret_sealed'),
    /** mqtt and kafka: with placeholders. */
    topic: text('topic'),
    /** JSON with placeholders; null: ours (schema/monitor/north-message.ts). */
    template: text('template'),
    values: boolean('values').notNull().default(true),
    alarms: boolean('alarms').notNull().default(true),
    enabled: boolean('enabled').notNull().default(true),
    createdBy: integer('created_by'),
    createdAt: at('created_at').notNull().defaultNow(),
    updatedAt: at('updated_at').notNull().defaultNow(),
    /** The last report that the target has acknowledged, in the order of storing. */
    storedBy: bytes('stored_by').notNull().default(sql`pg_current_xact_id()::text::bigint`),
    terminalId: integer('terminal_id').notNull().default(0),
    reportAt: at('report_at').notNull().default(sql`to_timestamp(0)`),
    /** The last change of an alarm that the target has acknowledged, likewise. */
    alarmsBy: bytes('alarms_by').notNull().default(sql`pg_current_xact_id()::text::bigint`),
    alarmId: bytes('alarm_id').notNull().default(0),
    sentCount: bigint('sent_count', { mode: 'number' }).notNull().default(0),
    sentAt: at('sent_at'),
    /** When the backlog was last empty: everything in it was stored later. */
    caughtUpAt: at('caught_up_at').notNull().defaultNow(),
    waiting: boolean('waiting').notNull().default(false),
    failures: integer('failures').notNull().default(0),
    fault: text('fault', { enum: northFaults }),
    faultStatus: integer('fault_status'),
    faultAt: at('fault_at'),
    /** Messages that it refused for their content, and that were passed over; its response to the last one. */
    passedCount: bigint('passed_count', { mode: 'number' }).notNull().default(0),
    passedAt: at('passed_at'),
    passedStatus: integer('passed_status'),
    dueAt: at('due_at').notNull().defaultNow(),
    /** Lease: the worker process that forwards to it now, and until when. */
    lease: uuid('lease'),
    leasedUntil: at('leased_until'),
  },
  (t) => [
    uniqueIndex('north_targets_name').on(t.customerId, nameKey(t.name)),
    index('north_targets_project').on(t.projectId),
    index('north_targets_due').on(t.dueAt).where(sql`${t.enabled}`),
  ],
)
export const northTargetsKept = kept(northTargets, BY_PEOPLE)
