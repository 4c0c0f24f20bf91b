import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  real,
  text,
  timestamp,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { endReasons, notifiedStates, outageGrounds, unknownReasons } from '../alarm/alarm.ts'
import { alarmKindNames, severities } from '../alarm/alarm-kind.ts'
import type { AlarmCondition } from '../monitor/notice/variable-condition.ts'
import { alarmRules } from './alarm-rule.ts'
import { variables } from './collection-template.ts'
import { at, bytes, serialId } from './columns.ts'
import { customers } from './customer.ts'
import { devices } from './device.ts'
import { kept, PER_DEVICE } from './kept.ts'
import { tasks } from './task.ts'
import { terminals } from './terminal.ts'

/** Worst first. Written out, because the index below must have exactly the same expression. */
export const severityRank = (severity: AnyPgColumn) =>
  sql`array_position(array[${sql.raw(severities.map((one) => `'${one}'`).join(', '))}], ${severity})`
/** The searchable text, with the trigram index below. */
export const alarmText = (
  t: Record<'sn' | 'deviceName' | 'ruleName' | 'terminalName' | 'variableName', AnyPgColumn>,
) =>
  sql`lower(${t.sn} || ' ' || ${t.deviceName} || ' ' || ${t.ruleName} || ' ' || coalesce(${t.terminalName}, '') || ' ' || coalesce(${t.variableName}, ''))`

/** One notice for many alarms: their common cause. */
export const alarmIncidents = pgTable(
  'alarm_incidents',
  {
    id: serialId('id'),
    customerId: integer('customer_id').notNull(),
    ruleId: integer('rule_id').references(() => alarmRules.id, { onDelete: 'set null' }),
    ground: text('ground', { enum: outageGrounds }).notNull(),
    /** The address, the carrier, or the group's id. */
    key: text('key').notNull(),
    /** The displayed name. */
    name: text('name').notNull(),
    startedAt: at('started_at').notNull(),
    endedAt: at('ended_at'),
    notified: text('notified', { enum: notifiedStates }).notNull().default('nothing'),
    notifiedAt: at('notified_at'),
    held: boolean('held').notNull().default(false),
  },
  (t) => [
    index('alarm_incidents_to_notify').on(t.ruleId).where(sql`${t.notified} <> 'all'`),
    index('alarm_incidents_at').on(t.startedAt),
  ],
)

/**
 * [§3 Alarm record] Names are copied: the record outlives rule, name and group of the device. About a device, or a
 * task [decisions/058]: then `device_name` is the task's, and serial number and group are empty.
 */
export const alarms = pgTable(
  'alarms',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    /** null: of a task over several customers, visible to platform users only. */
    customerId: integer('customer_id'),
    /** null: the rule was deleted, or none applied to the task. */
    ruleId: integer('rule_id').references(() => alarmRules.id, { onDelete: 'set null' }),
    ruleName: text('rule_name').notNull(),
    kind: text('kind', { enum: alarmKindNames }).notNull(),
    severity: text('severity', { enum: severities }).notNull(),
    deviceId: integer('device_id').references(() => devices.id, { onDelete: 'cascade' }),
    taskId: integer('task_id').references(() => tasks.id, { onDelete: 'set null' }),
    sn: text('sn').notNull(),
    deviceName: text('device_name').notNull(),
    groupId: integer('group_id'),
    groupName: text('group_name').notNull(),
    /** The part of the device: empty for the device itself, else the key of one of its parts (a variable). */
    subject: text('subject').notNull().default(''),
    value: real('value'),
    threshold: real('threshold'),
    /** For an event: the old and new value; of a variable: the value with its unit. */
    detail: text('detail'),
    /** Names for an alarm about a variable, as they were when it started. */
    terminalId: integer('terminal_id').references(() => terminals.id, { onDelete: 'set null' }),
    variableId: integer('variable_id').references(() => variables.id, { onDelete: 'set null' }),
    terminalName: text('terminal_name'),
    variableName: text('variable_name'),
    condition: jsonb('condition').$type<AlarmCondition>(),
    /** Since then its value is unknown: it is shown as such, and the alarm neither ends nor is notified. */
    unknownSince: at('unknown_since'),
    unknownWhy: text('unknown_why', { enum: unknownReasons }),
    startedAt: at('started_at').notNull(),
    /** When it was last opened; later than started_at if it returned. */
    lastAt: at('last_at').notNull(),
    endedAt: at('ended_at'),
    endReason: text('end_reason', { enum: endReasons }),
    /** How often it opened: flapping is counted on one alarm. */
    times: integer('times').notNull().default(1),
    /**
     * The transaction in which it opened, opened again or ended last (a trigger in by-hand.sql): for readers that need all changes in
     * order of storing. Its times are no order: buffered values may show that an alarm began and ended hours ago.
     */
    changedBy: bytes('changed_by').notNull().default(sql`pg_current_xact_id()::text::bigint`),
    ackAt: at('ack_at'),
    ackBy: integer('ack_by'),
    /** [§4] Unprocessed until a user has noted how it was handled. */
    handledAt: at('handled_at'),
    handledBy: integer('handled_by'),
    note: text('note'),
    incidentId: integer('incident_id').references(() => alarmIncidents.id, { onDelete: 'set null' }),
    /** What receivers were notified of. */
    notified: text('notified', { enum: notifiedStates }).notNull().default('nothing'),
    notifiedAt: at('notified_at'),
    /** Held back by quiet hours. */
    held: boolean('held').notNull().default(false),
  },
  (t) => [
    uniqueIndex('alarms_active').on(t.ruleId, t.deviceId, t.subject).where(sql`${t.endedAt} is null`),
    uniqueIndex('alarms_active_task')
      .on(t.taskId, sql`coalesce(${t.ruleId}, 0)`)
      .where(sql`${t.endedAt} is null and ${t.taskId} is not null`),
    index('alarms_changed').on(t.changedBy, t.id),
    index('alarms_task').on(t.taskId).where(sql`${t.taskId} is not null`),
    index('alarms_active_customer').on(t.customerId, t.lastAt).where(sql`${t.endedAt} is null`),
    index('alarms_active_device').on(t.deviceId, t.severity).where(sql`${t.endedAt} is null`),
    index('alarms_ended').on(t.endedAt).where(sql`${t.endedAt} is not null`),
    index('alarms_customer_at').on(t.customerId, t.lastAt),
    // A kind that a customer hardly has, and a group without alarms: without these its whole history would be read.
    index('alarms_customer_kind_at').on(t.customerId, t.kind, t.lastAt),
    index('alarms_group_at').on(t.groupId, t.lastAt),
    // Every sort order of the list, with its tie-breakers; scanned backwards for descending order.
    index('alarms_at').on(t.lastAt, t.id),
    index('alarms_started').on(t.startedAt, t.id),
    index('alarms_severity').on(
      severityRank(t.severity),
      t.lastAt.desc().nullsFirst(),
      t.id.desc().nullsFirst(),
    ),
    index('alarms_device_name').on(t.deviceName, t.lastAt.desc().nullsFirst(), t.id.desc().nullsFirst()),
    index('alarms_rule_name').on(t.ruleName, t.lastAt.desc().nullsFirst(), t.id.desc().nullsFirst()),
    index('alarms_search').using('gin', sql`(${alarmText(t)}) gin_trgm_ops`),
    index('alarms_device_at').on(t.deviceId, t.lastAt),
    index('alarms_to_notify').on(t.ruleId).where(sql`${t.notified} <> 'all'`),
    index('alarms_incident').on(t.incidentId),
    index('alarms_terminal').on(t.terminalId, t.lastAt).where(sql`${t.terminalId} is not null`),
    // A rare kind has a list of its own.
    index('alarms_of_variables').on(t.lastAt, t.id).where(sql`${t.kind} = 'variable'`),
    index('alarms_variable').on(t.variableId).where(sql`${t.variableId} is not null`),
  ],
)

/** Conditions that are true but have not lasted long enough. */
export const alarmPendings = pgTable(
  'alarm_pendings',
  {
    ruleId: integer('rule_id')
      .notNull()
      .references(() => alarmRules.id, { onDelete: 'cascade' }),
    deviceId: integer('device_id')
      .notNull()
      .references(() => devices.id, { onDelete: 'cascade' }),
    subject: text('subject').notNull().default(''),
    since: at('since').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.ruleId, t.deviceId, t.subject] }),
    index('alarm_pendings_device').on(t.deviceId),
  ],
)
export const alarmPendingsKept = kept(
  alarmPendings,
  'one row for each rule and device while a condition holds',
)

/** Last values of a device, for rules about changes; stored only while such a rule covers it. */
export const alarmMarks = pgTable('alarm_marks', {
  deviceId: integer('device_id')
    .primaryKey()
    .references(() => devices.id, { onDelete: 'cascade' }),
  iccid: text('iccid'),
  remoteIp: text('remote_ip'),
  /** The accepted configuration. */
  configHash: text('config_hash'),
  bootId: text('boot_id'),
  /** Boots of the last day, at most 30. */
  boots: timestamp('boots', { withTimezone: true, precision: 3, mode: 'date' }).array().notNull().default([]),
})
export const alarmMarksKept = kept(alarmMarks, PER_DEVICE)

/** Texts that users reuse when they handle alarms. */
export const alarmNoteTemplates = pgTable(
  'alarm_note_templates',
  {
    id: serialId('id'),
    customerId: integer('customer_id')
      .notNull()
      .references(() => customers.id, { onDelete: 'cascade' }),
    text: text('text').notNull(),
    createdAt: at('created_at').notNull().defaultNow(),
  },
  (t) => [uniqueIndex('alarm_note_templates_text').on(t.customerId, t.text)],
)
export const alarmNoteTemplatesKept = kept(alarmNoteTemplates, 'at most 50 of a customer')
