import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { languages } from '../kit/refusal.ts'
import { type ReportBody, reportKinds } from '../report/report.ts'
import { scheduleEvery, scheduleStops } from '../report/report-schedule.ts'
import { at, serialId } from './columns.ts'
import { customers } from './customer.ts'
import { BY_PEOPLE, kept } from './kept.ts'
import { users } from './user.ts'

/** Reports sent by mail. Created with what their owner may see at that time, never more. */
export const reportSchedules = pgTable(
  'report_schedules',
  {
    id: serialId('id'),
    /** null: of a platform user. */
    customerId: integer('customer_id').references(() => customers.id, { onDelete: 'cascade' }),
    ownerId: integer('owner_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    report: text('report', { enum: reportKinds }).notNull(),
    filter: jsonb('filter').$type<ReportBody>().notNull(),
    every: text('every', { enum: scheduleEvery }).notNull(),
    /** Weekly: 1 Monday to 7 Sunday. Monthly: the day, or the month's last when it has fewer. */
    dayNumber: integer('day_number').notNull(),
    /** Minute of the local day. */
    minute: integer('minute').notNull(),
    zone: text('zone').notNull(),
    language: text('language', { enum: languages }).notNull(),
    recipients: text('recipients').array().notNull(),
    enabled: boolean('enabled').notNull().default(true),
    /** Why it stopped by itself; null: it runs, or a user switched it off. */
    stopped: text('stopped', { enum: scheduleStops }),
    nextRunAt: at('next_run_at').notNull(),
    lastRunAt: at('last_run_at'),
    /** Not sent before: the mail budget of its customer is exhausted. */
    heldUntil: at('held_until'),
    /** A user requested it now. */
    requestedAt: at('requested_at'),
    createdAt: at('created_at').notNull().defaultNow(),
  },
  (t) => [
    index('report_schedules_requested').on(t.requestedAt).where(sql`${t.requestedAt} is not null`),
    index('report_schedules_due').on(t.nextRunAt).where(sql`${t.enabled}`),
    index('report_schedules_customer').on(t.customerId, t.name),
    index('report_schedules_owner').on(t.ownerId),
  ],
)
export const reportSchedulesKept = kept(reportSchedules, BY_PEOPLE)
