import { sql } from 'drizzle-orm'
import { bigint, boolean, index, integer, pgTable, real, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { languages } from '../kit/refusal.ts'
import { packageTypes } from '../task/package.ts'
import { taskFailures, taskOutcomes, taskStatuses, taskSteps } from '../task/task.ts'
import { pauseReasons, TASK_MAX_ACTIVE } from '../task/upgrade-guard.ts'
import { at, bytes, serialId } from './columns.ts'
import { customers } from './customer.ts'
import { devices } from './device.ts'
import { packages } from './package.ts'
import { users } from './user.ts'

/** A task keeps its own copy of what it promised (version, hashes): a package changed later fails, it is not flashed. */
export const tasks = pgTable(
  'tasks',
  {
    id: serialId('id'),
    kind: text('kind').notNull(),
    /** null: created by a platform user over several customers. */
    customerId: integer('customer_id').references(() => customers.id),
    name: text('name').notNull(),
    description: text('description').notNull().default(''),
    packageId: integer('package_id')
      .notNull()
      .references(() => packages.id),
    packageName: text('package_name').notNull(),
    type: text('type', { enum: packageTypes }).notNull(),
    model: text('model').notNull(),
    version: text('version').notNull(),
    sizeBytes: bytes('size_bytes').notNull(),
    sha256: text('sha256').notNull(),
    md5: text('md5').notNull(),
    keepConfig: boolean('keep_config').notNull(),
    server: text('server'),
    status: text('status', { enum: taskStatuses }).notNull().default('ongoing'),
    startAt: at('start_at').notNull(),
    waitOfflineMinutes: integer('wait_offline_minutes').notNull(),
    /** The limits that pause it [decisions/048]; null: none. */
    maxFailures: integer('max_failures'),
    maxFailurePercent: integer('max_failure_percent'),
    maxInFlight: integer('max_in_flight').notNull().default(TASK_MAX_ACTIVE),
    /** Null: it goes on. Nothing of a paused task is sent. */
    pausedAt: at('paused_at'),
    pauseReason: text('pause_reason', { enum: pauseReasons }),
    pausedBy: integer('paused_by').references(() => users.id, { onDelete: 'set null' }),
    /** What the limit was judged by. */
    pausedFailed: integer('paused_failed'),
    pausedTried: integer('paused_tried'),
    /** In which its creator is written to. */
    language: text('language', { enum: languages }).notNull().default('zh-CN'),
    createdBy: integer('created_by').references(() => users.id, { onDelete: 'set null' }),
    createdAt: at('created_at').notNull().defaultNow(),
    completedAt: at('completed_at'),
  },
  (t) => [
    index('tasks_customer_created').on(t.customerId, t.createdAt),
    index('tasks_ongoing').on(t.id).where(sql`${t.status} = 'ongoing'`),
  ],
)

/**
 * One device's part of a task. `sending`: `none` not offered; `intent` committed, offer may or may not have left;
 * `sent` the broker took it; `asking` after a crash, the device is being asked; `withdrawing` the task was paused, and
 * whether the device has begun to install is not known until it answers.
 */
export const sendingStates = ['none', 'intent', 'sent', 'asking', 'withdrawing'] as const

export const taskItems = pgTable(
  'task_items',
  {
    id: uuid('id').primaryKey(),
    taskId: integer('task_id')
      .notNull()
      .references(() => tasks.id, { onDelete: 'cascade' }),
    deviceId: integer('device_id')
      .notNull()
      .references(() => devices.id),
    customerId: integer('customer_id').notNull(),
    attempt: integer('attempt').notNull().default(1),
    /** A retry is a new item with a new id; the old one is kept and no longer counted. */
    superseded: boolean('superseded').notNull().default(false),
    step: text('step', { enum: taskSteps }).notNull().default('created'),
    percent: real('percent'),
    outcome: text('outcome', { enum: taskOutcomes }),
    failure: text('failure', { enum: taskFailures }),
    failureDetail: text('failure_detail'),
    /** While it runs: what its device says keeps it waiting; the failure, should its time run out. */
    heldUpBy: text('held_up_by', { enum: taskFailures }),
    sending: text('sending', { enum: sendingStates }).notNull().default('none'),
    sendingAt: at('sending_at'),
    /** How often the offer was made, always under this id; 0: the device knows nothing of the item. */
    offers: integer('offers').notNull().default(0),
    /** The last offer; how long devices take is counted from it. */
    offeredAt: at('offered_at'),
    /** Ended before the task was last resumed: a person has seen it, its limits count anew. */
    beforeResume: boolean('before_resume').notNull().default(false),
    stepAt: at('step_at').notNull().defaultNow(),
    deadlineAt: at('deadline_at').notNull(),
    fromVersion: text('from_version'),
    /** Boot id when the offer was made: back with another one means that it rebooted. */
    fromBootId: text('from_boot_id'),
  },
  (t) => [
    index('task_items_task').on(t.taskId),
    index('task_items_device').on(t.deviceId, t.stepAt),
    index('task_items_deadline').on(t.deadlineAt).where(sql`${t.outcome} is null`),
    // Ended by the platform while the device may still work on it: it has yet to be told.
    index('task_items_untold')
      .on(t.deviceId)
      .where(sql`${t.outcome} in ('failed', 'cancelled') and ${t.sending} <> 'none'`),
    // [threats 49] Two tasks on one device queue up; the database itself refuses to mix them.
    uniqueIndex('task_items_active')
      .on(t.deviceId)
      .where(sql`${t.outcome} is null and ${t.sending} <> 'none'`),
  ],
)

export const taskEvents = pgTable(
  'task_events',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    itemId: uuid('item_id')
      .notNull()
      .references(() => taskItems.id, { onDelete: 'cascade' }),
    deviceId: integer('device_id').notNull(),
    at: at('at').notNull().defaultNow(),
    /** A step, an outcome, or `asked`. */
    what: text('what').notNull(),
    detail: text('detail'),
  },
  (t) => [
    index('task_events_item').on(t.itemId),
    index('task_events_device').on(t.deviceId, t.at),
    index('task_events_at').using('brin', t.at),
  ],
)
