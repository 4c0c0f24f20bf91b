import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  real,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { languages } from '../kit/refusal.ts'
import { taskFailures, taskSteps, type WaitedStep } from '../kit/task-kind.ts'
import { sendingStates, taskOutcomes, taskStatuses } from '../task/moves.ts'
import { fileTypes } from '../task/offered-file.ts'
import { approvalStates } from '../task/task-approval.ts'
import { type DecisionFacts, taskDecisionKinds } from '../task/task-decision.ts'
import { pauseReasons, TASK_MAX_ACTIVE } from '../task/task-guard.ts'
import type { JoinFilter } from '../task/task-join.ts'
import { type RetryRule, WAVE_SUCCESS_PERCENT } from '../task/task-rollout.ts'
import type { LeftOut } from '../task/task-target.ts'
import { waveKinds, waveStates } from '../task/task-wave.ts'
import type { ClockWindow } from '../task/task-window.ts'
import { deviceBackups } from './backup.ts'
import { at, bytes, serialId } from './columns.ts'

import { customers } from './customer.ts'
import { devices } from './device.ts'
import { kept } from './kept.ts'
import { configFiles, packages } from './package.ts'
import { users } from './user.ts'

/**
 * A task has its own copy of the package's data (version, hashes): a package changed later fails instead of being
 * flashed.
 */
export const tasks = pgTable(
  'tasks',
  {
    id: serialId('id'),
    kind: text('kind').notNull(),
    /** null: created by a platform user over several customers. */
    customerId: integer('customer_id').references(() => customers.id),
    name: text('name').notNull(),
    description: text('description').notNull().default(''),
    /** The package, for kinds that install one. */
    packageId: integer('package_id').references(() => packages.id),
    /** For kinds that send a configuration file: that, or the backup of its device. Both may be deleted later. */
    configFileId: integer('config_file_id').references(() => configFiles.id, { onDelete: 'set null' }),
    backupId: uuid('backup_id').references(() => deviceBackups.id, { onDelete: 'set null' }),
    /** The name of the package or of the configuration file. */
    packageName: text('package_name'),
    type: text('type', { enum: fileTypes }),
    model: text('model'),
    version: text('version'),
    sizeBytes: bytes('size_bytes'),
    sha256: text('sha256'),
    md5: text('md5'),
    signature: text('signature'),
    keepConfig: boolean('keep_config'),
    /** The command and its arguments, for kinds that send one. */
    command: text('command'),
    args: jsonb('args').$type<Record<string, unknown>>(),
    server: text('server'),
    status: text('status', { enum: taskStatuses }).notNull().default('ongoing'),
    startAt: at('start_at').notNull(),
    waitOfflineMinutes: integer('wait_offline_minutes').notNull(),
    /** Deadline of each step in seconds, from the parameters when it was created. */
    deadlines: jsonb('deadlines').$type<Partial<Record<WaitedStep, number>>>().notNull().default({}),
    /** Items not sent by then expire; null: it waits for its devices. */
    expiresAt: at('expires_at'),
    /** The limits that pause it [decisions/048]; null: none. */
    maxFailures: integer('max_failures'),
    maxFailurePercent: integer('max_failure_percent'),
    maxInFlight: integer('max_in_flight').notNull().default(TASK_MAX_ACTIVE),
    /** Starts with few devices and adds more as they come back. */
    slowStart: boolean('slow_start').notNull().default(false),
    maxPerSecond: integer('max_per_second'),
    /**
     * The share of a group's devices in it that may be away at the same time, 0–1; at least one. Null: no such limit.
     */
    groupShare: real('group_share'),
    /** Null: not paused. Nothing of a paused task is sent. */
    pausedAt: at('paused_at'),
    pauseReason: text('pause_reason', { enum: pauseReasons }),
    pausedBy: integer('paused_by'),
    /** Whether a second person has approved it; null: it needs none. While it waits it is paused. [decisions/094] */
    approval: text('approval', { enum: approvalStates }),
    approvalBy: integer('approval_by'),
    approvalAt: at('approval_at'),
    approvalUntil: at('approval_until'),
    approvalNote: text('approval_note'),
    /** Items of waves beyond this one wait. */
    wave: integer('wave').notNull().default(0),
    lastWave: integer('last_wave').notNull().default(0),
    waveSuccessPercent: integer('wave_success_percent').notNull().default(WAVE_SUCCESS_PERCENT),
    /** A device is done when it has been healthy for so long after its proof; null: at its proof. */
    soakMinutes: integer('soak_minutes'),
    /** The hours of the device's own day in which something is sent to it; null: any. */
    window: jsonb('window').$type<ClockWindow>(),
    /** The filter that it follows, and until when: it does not end before. [decisions/108] */
    joins: jsonb('joins').$type<JoinFilter>(),
    joinUntil: at('join_until'),
    /** Only for devices whose last status names no mobile network as their uplink. */
    unmetered: boolean('unmetered').notNull().default(false),
    /** Failures that the platform retries. */
    retries: jsonb('retries').$type<RetryRule[]>(),
    /** The failures that reached the limit. */
    pausedFailed: integer('paused_failed'),
    pausedTried: integer('paused_tried'),
    /** Number of devices that matched its selection, and of those left out. */
    matching: integer('matching'),
    leftOut: jsonb('left_out').$type<LeftOut[]>().notNull().default([]),
    /** Chosen by the caller: the same request finds this task instead of creating another. */
    requestId: uuid('request_id'),
    /** The language of mails to its creator. */
    language: text('language', { enum: languages }).notNull().default('zh-CN'),
    createdBy: integer('created_by'),
    /** The user who created or last resumed it: it continues only while they could create it. [decisions/073] */
    responsibleId: integer('responsible_id').references(() => users.id, { onDelete: 'set null' }),
    createdAt: at('created_at').notNull().defaultNow(),
    /** When its first device was due; null: not yet. */
    startedAt: at('started_at'),
    completedAt: at('completed_at'),
  },
  (t) => [
    index('tasks_customer_created').on(t.customerId, t.createdAt),
    uniqueIndex('tasks_request').on(t.createdBy, t.requestId),
    // Deleting one of these looks for its tasks.
    index('tasks_config_file').on(t.configFileId).where(sql`${t.configFileId} is not null`),
    index('tasks_backup').on(t.backupId).where(sql`${t.backupId} is not null`),
    index('tasks_ongoing').on(t.id).where(sql`${t.status} = 'ongoing'`),
  ],
)

/** One device's part of a task. The transitions of `step`, `sending` and `outcome` are in task/moves.ts. */
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
    wave: integer('wave').notNull().default(0),
    /** A retry is a new item with a new id; the old one is kept and no longer counted. */
    superseded: boolean('superseded').notNull().default(false),
    step: text('step', { enum: taskSteps }).notNull().default('created'),
    percent: real('percent'),
    outcome: text('outcome', { enum: taskOutcomes }),
    failure: text('failure', { enum: taskFailures }),
    failureDetail: text('failure_detail'),
    /** While it runs: the failure that the device is retrying; the failure of the item if its deadline passes. */
    heldUpBy: text('held_up_by', { enum: taskFailures }),
    sending: text('sending', { enum: sendingStates }).notNull().default('none'),
    sendingAt: at('sending_at'),
    /** How often the offer was sent, always with this id; 0: the device knows nothing of the item. */
    offers: integer('offers').notNull().default(0),
    /** The last offer; durations are measured from it. */
    offeredAt: at('offered_at'),
    /** Ended before the task was last resumed: excluded from its limits. */
    beforeResume: boolean('before_resume').notNull().default(false),
    stepAt: at('step_at').notNull().defaultNow(),
    deadlineAt: at('deadline_at').notNull(),
    fromVersion: text('from_version'),
    /** While it soaks: since when, and until when it must stay healthy. */
    soakSince: at('soak_since'),
    soakUntil: at('soak_until'),
    /** Failed: when the platform retries it; null: it does not. */
    retryAt: at('retry_at'),
    /** A user cancelled it, or its device is gone: the platform retries it no more. */
    retryOff: boolean('retry_off').notNull().default(false),
    /** Its own arguments, if the kind has different ones for each device; else those of the task. */
    args: jsonb('args').$type<Record<string, unknown>>(),
    /** The target configuration, for kinds that prove it. */
    targetHash: text('target_hash'),
    /** The device's result of the command. */
    result: jsonb('result').$type<Record<string, unknown>>(),
    /** Boot id when the offer was sent: another one means that the device rebooted. */
    fromBootId: text('from_boot_id'),
  },
  (t) => [
    index('task_items_task').on(t.taskId),
    index('task_items_device').on(t.deviceId, t.stepAt),
    index('task_items_failed').on(t.stepAt, t.deviceId).where(sql`${t.outcome} = 'failed'`),
    index('task_items_deadline').on(t.deadlineAt).where(sql`${t.outcome} is null`),
    index('task_items_soaking').on(t.soakUntil).where(sql`${t.sending} = 'soaking'`),
    index('task_items_to_retry').on(t.taskId, t.retryAt).where(sql`${t.retryAt} is not null`),
    // Ended by the platform while the device may still work on it: the device has yet to be informed.
    index('task_items_to_inform')
      .on(t.deviceId)
      .where(sql`${t.outcome} in ('failed', 'cancelled') and ${t.sending} <> 'none'`),
    // [threats 49] Two tasks on one device are queued; the database enforces it.
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

/** What was decided about a task as a whole; what happened to one device is in `task_events`. */
export const taskDecisions = pgTable(
  'task_decisions',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    taskId: integer('task_id')
      .notNull()
      .references(() => tasks.id, { onDelete: 'cascade' }),
    at: at('at').notNull().defaultNow(),
    what: text('what', { enum: taskDecisionKinds }).notNull(),
    facts: jsonb('facts').$type<DecisionFacts>().notNull().default({}),
    /** false: a user did it, whose account may be deleted since. */
    byEngine: boolean('by_engine').notNull(),
    userId: integer('user_id'),
    /** Whether those who want the event were notified, see `channelEvents`. */
    notified: boolean('notified').notNull().default(false),
  },
  (t) => [
    index('task_decisions_task').on(t.taskId, t.at),
    index('task_decisions_to_notify')
      .on(t.id)
      .where(sql`not notified and what in ('approvalAsked', 'started', 'paused', 'completed')`),
  ],
)
export const taskDecisionsKept = kept(taskDecisions, 'some rows for each task, deleted with it')

/** The waves of a task that has any; its items name theirs by number. */
export const taskWaves = pgTable(
  'task_waves',
  {
    taskId: integer('task_id')
      .notNull()
      .references(() => tasks.id, { onDelete: 'cascade' }),
    nth: integer('nth').notNull(),
    by: text('by', { enum: waveKinds }).notNull(),
    value: integer('value'),
    groupName: text('group_name'),
    state: text('state', { enum: waveStates }).notNull().default('waiting'),
    startedAt: at('started_at'),
    endedAt: at('ended_at'),
  },
  (t) => [primaryKey({ columns: [t.taskId, t.nth] })],
)
export const taskWavesKept = kept(taskWaves, 'at most 21 for each task, deleted with it')
