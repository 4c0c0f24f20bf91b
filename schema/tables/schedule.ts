import { sql } from 'drizzle-orm'
import { bigint, boolean, date, index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { runMakers, runStates, scheduleKinds } from '../device/schedule.ts'
import { at } from './columns.ts'
import { devices } from './device.ts'
import { kept, PER_DEVICE } from './kept.ts'

/** The scheduled reboot of a device: the rule, its next run, and what was sent to the device. */
export const schedules = pgTable(
  'schedules',
  {
    deviceId: integer('device_id')
      .primaryKey()
      .references(() => devices.id, { onDelete: 'cascade' }),
    /** The owner of the rule: it ends when the device moves to another customer. */
    customerId: integer('customer_id').notNull(),
    enabled: boolean('enabled').notNull(),
    kind: text('kind', { enum: scheduleKinds }).notNull(),
    date: date('date', { mode: 'string' }),
    time: text('time').notNull(),
    weekdays: integer('weekdays').array().notNull(),
    timeZone: text('time_zone').notNull(),
    /** Counts the changes; the device reports the revision that it has. */
    revision: integer('revision').notNull().default(1),
    nextRunAt: at('next_run_at'),
    updatedBy: integer('updated_by'),
    updatedAt: at('updated_at').notNull().defaultNow(),
    /** What the device has confirmed, and up to which time it was sent. */
    confirmedRevision: integer('confirmed_revision').notNull().default(0),
    sentUntil: at('sent_until'),
    planCommandId: uuid('plan_command_id'),
    planTriedAt: at('plan_tried_at'),
  },
  (t) => [index('schedules_due').on(t.nextRunAt).where(sql`${t.enabled}`)],
)
export const schedulesKept = kept(schedules, PER_DEVICE)

/** One row per scheduled time: the time is the key, so that nothing runs twice. */
export const scheduleRuns = pgTable(
  'schedule_runs',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    deviceId: integer('device_id')
      .notNull()
      .references(() => devices.id, { onDelete: 'cascade' }),
    dueAt: at('due_at').notNull(),
    state: text('state', { enum: runStates }).notNull(),
    by: text('by', { enum: runMakers }),
    reason: text('reason'),
    commandId: uuid('command_id'),
    endedAt: at('ended_at'),
  },
  (t) => [
    uniqueIndex('schedule_runs_due').on(t.deviceId, t.dueAt),
    index('schedule_runs_at').on(t.dueAt),
    index('schedule_runs_open').on(t.dueAt).where(sql`${t.state} in ('sent', 'waiting')`),
  ],
)
