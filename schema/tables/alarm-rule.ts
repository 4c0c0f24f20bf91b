import {
  boolean,
  doublePrecision,
  index,
  integer,
  pgTable,
  primaryKey,
  real,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { alarmKindNames, severities } from '../alarm/alarm-kind.ts'
import { alarmScopes, pushModes } from '../alarm/alarm-rule.ts'
import { repetitions } from '../alarm/quiet.ts'
import { languages } from '../kit/refusal.ts'
import { operators } from '../monitor/notice/variable-condition.ts'
import { alarmChannels } from './alarm-channel.ts'
import { variables } from './collection-template.ts'
import { at, nameKey, serialId } from './columns.ts'
import { contacts } from './contact.ts'
import { customers } from './customer.ts'
import { devices } from './device.ts'
import { groups } from './group.ts'
import { BY_PEOPLE, kept } from './kept.ts'
import { terminals } from './terminal.ts'

/** [§3 Alarm notice] What is monitored, and who is notified. */
export const alarmRules = pgTable(
  'alarm_rules',
  {
    id: serialId('id'),
    customerId: integer('customer_id')
      .notNull()
      .references(() => customers.id),
    name: text('name').notNull(),
    kind: text('kind', { enum: alarmKindNames }).notNull(),
    severity: text('severity', { enum: severities }).notNull(),
    enabled: boolean('enabled').notNull().default(true),
    threshold: real('threshold'),
    recoverAt: real('recover_at'),
    /** The condition must last this long. */
    forMinutes: integer('for_minutes').notNull().default(0),
    /** The same for variables, whose conditions last seconds. */
    forSeconds: integer('for_seconds').notNull().default(0),
    /** The window for counting. */
    windowMinutes: integer('window_minutes'),
    /**
     * Stored explicitly instead of derived from empty lists: a rule whose last group is deleted must not apply to
     * all.
     */
    scope: text('scope', { enum: alarmScopes }).notNull(),
    mode: text('mode', { enum: pushModes }).notNull().default('once'),
    intervalMinutes: integer('interval_minutes'),
    byEmail: boolean('by_email').notNull().default(true),
    /** Also notify users who may see the device and whose alarm switch is on. */
    toUsers: boolean('to_users').notNull().default(false),
    quietFrom: text('quiet_from'),
    quietTo: text('quiet_to'),
    timeZone: text('time_zone').notNull(),
    /** The language of notices. */
    language: text('language', { enum: languages }).notNull(),
    alertText: text('alert_text').notNull(),
    recoveryText: text('recovery_text').notNull(),
    createdBy: integer('created_by'),
    createdAt: at('created_at').notNull().defaultNow(),
    updatedAt: at('updated_at').notNull().defaultNow(),
  },
  (t) => [uniqueIndex('alarm_rules_name').on(t.customerId, nameKey(t.name))],
)
export const alarmRulesKept = kept(alarmRules, BY_PEOPLE)

const ruleId = () =>
  integer('rule_id')
    .notNull()
    .references(() => alarmRules.id, { onDelete: 'cascade' })

/** Groups of a rule, including subgroups. */
export const alarmRuleGroups = pgTable(
  'alarm_rule_groups',
  {
    ruleId: ruleId(),
    groupId: integer('group_id')
      .notNull()
      .references(() => groups.id, { onDelete: 'cascade' }),
  },
  (t) => [primaryKey({ columns: [t.ruleId, t.groupId] }), index('alarm_rule_groups_group').on(t.groupId)],
)
export const alarmRuleGroupsKept = kept(alarmRuleGroups, 'goes with its rule')
export const alarmRuleDevices = pgTable(
  'alarm_rule_devices',
  {
    ruleId: ruleId(),
    deviceId: integer('device_id')
      .notNull()
      .references(() => devices.id, { onDelete: 'cascade' }),
  },
  (t) => [primaryKey({ columns: [t.ruleId, t.deviceId] }), index('alarm_rule_devices_device').on(t.deviceId)],
)
export const alarmRuleDevicesKept = kept(alarmRuleDevices, 'goes with its rule')
/** For a rule about a variable with the scope `devices`: its terminals instead of devices. */
export const alarmRuleTerminals = pgTable(
  'alarm_rule_terminals',
  {
    ruleId: ruleId(),
    terminalId: integer('terminal_id')
      .notNull()
      .references(() => terminals.id, { onDelete: 'cascade' }),
  },
  (t) => [
    primaryKey({ columns: [t.ruleId, t.terminalId] }),
    index('alarm_rule_terminals_terminal').on(t.terminalId),
  ],
)
export const alarmRuleTerminalsKept = kept(alarmRuleTerminals, 'goes with its rule')
/**
 * The condition of a rule of the kind `variable` (§3, trigger condition), as defined by
 * schema/monitor/notice/variable-condition.
 */
export const alarmConditions = pgTable(
  'alarm_conditions',
  {
    ruleId: ruleId().primaryKey(),
    /** null: the variable was deleted. The rule is kept, so that its loss is noticed. */
    variableId: integer('variable_id').references(() => variables.id, { onDelete: 'set null' }),
    variableName: text('variable_name').notNull(),
    unit: text('unit').notNull(),
    operator: text('operator', { enum: operators }).notNull(),
    low: doublePrecision('low'),
    high: doublePrecision('high'),
    recoverAt: doublePrecision('recover_at'),
    hysteresis: doublePrecision('hysteresis'),
    bit: integer('bit'),
    withinS: integer('within_s'),
    minutes: integer('minutes'),
    /** A formula over variables of the same template. `variableId` is the one whose name and value alarms show. */
    formula: text('formula'),
  },
  (t) => [index('alarm_conditions_variable').on(t.variableId)],
)
/** The formulas of enabled notices with the variables that they may name: rows of `NoticeFormula`. */
export const NOTICE_FORMULAS = `
  select r.id as "ruleId", c.formula, (
    select json_agg(json_build_object('name', v.name, 'dataType', v.data_type, 'slot', v.slot,
      'reportType', v.report_type, 'cycleS', v.cycle_s)) from variables v where v.template_id = w.template_id) as variables
  from alarm_rules r join alarm_conditions c on c.rule_id = r.id join variables w on w.id = c.variable_id
  where r.enabled and r.kind = 'variable' and c.operator = 'formula'`
export const alarmConditionsKept = kept(alarmConditions, 'goes with its rule')
/** No cascade from the contact: a receiver of alarms must not disappear silently. */
export const alarmRuleContacts = pgTable(
  'alarm_rule_contacts',
  {
    ruleId: ruleId(),
    contactId: integer('contact_id')
      .notNull()
      .references(() => contacts.id),
  },
  (t) => [
    primaryKey({ columns: [t.ruleId, t.contactId] }),
    index('alarm_rule_contacts_contact').on(t.contactId),
  ],
)
export const alarmRuleContactsKept = kept(alarmRuleContacts, 'goes with its rule')
export const alarmRuleChannels = pgTable(
  'alarm_rule_channels',
  {
    ruleId: ruleId(),
    channelId: integer('channel_id')
      .notNull()
      .references(() => alarmChannels.id),
  },
  (t) => [
    primaryKey({ columns: [t.ruleId, t.channelId] }),
    index('alarm_rule_channels_channel').on(t.channelId),
  ],
)
export const alarmRuleChannelsKept = kept(alarmRuleChannels, 'goes with its rule')

/** Maintenance windows: while one is active, no alarm starts for the devices that it covers. */
export const maintenances = pgTable(
  'maintenances',
  {
    id: serialId('id'),
    customerId: integer('customer_id')
      .notNull()
      .references(() => customers.id),
    name: text('name').notNull(),
    scope: text('scope', { enum: alarmScopes }).notNull(),
    startsAt: at('starts_at').notNull(),
    endsAt: at('ends_at').notNull(),
    repeats: text('repeats', { enum: repetitions }).notNull().default('once'),
    timeZone: text('time_zone').notNull(),
    createdBy: integer('created_by'),
    createdAt: at('created_at').notNull().defaultNow(),
  },
  (t) => [index('maintenances_customer').on(t.customerId, t.startsAt)],
)
export const maintenancesKept = kept(maintenances, BY_PEOPLE)
const maintenanceId = () =>
  integer('maintenance_id')
    .notNull()
    .references(() => maintenances.id, { onDelete: 'cascade' })
export const maintenanceGroups = pgTable(
  'maintenance_groups',
  {
    maintenanceId: maintenanceId(),
    groupId: integer('group_id')
      .notNull()
      .references(() => groups.id, { onDelete: 'cascade' }),
  },
  (t) => [
    primaryKey({ columns: [t.maintenanceId, t.groupId] }),
    index('maintenance_groups_group').on(t.groupId),
  ],
)
export const maintenanceGroupsKept = kept(maintenanceGroups, 'goes with its maintenance window')
export const maintenanceDevices = pgTable(
  'maintenance_devices',
  {
    maintenanceId: maintenanceId(),
    deviceId: integer('device_id')
      .notNull()
      .references(() => devices.id, { onDelete: 'cascade' }),
  },
  (t) => [
    primaryKey({ columns: [t.maintenanceId, t.deviceId] }),
    index('maintenance_devices_device').on(t.deviceId),
  ],
)
export const maintenanceDevicesKept = kept(maintenanceDevices, 'goes with its maintenance window')
