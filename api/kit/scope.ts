/**
 * The only tenant boundary: every query starts from `visible(actor)`. Each condition selects the rows of its table
 * that the actor may see; invisible rows are treated like missing ones.
 */
import {
  and,
  arrayOverlaps,
  eq,
  inArray,
  isNotNull,
  isNull,
  not,
  or,
  type SQL,
  type SQLWrapper,
  sql,
} from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { installationFunctionIds } from '#infra/rights'
import { isPlatformType } from '#schema/people/session'
import { alarms } from '#schema/tables/alarm'
import { alarmChannels, alarmDeliveries } from '#schema/tables/alarm-channel'
import {
  alarmRuleDevices,
  alarmRuleGroups,
  alarmRules,
  alarmRuleTerminals,
  maintenances,
} from '#schema/tables/alarm-rule'
import { deviceBackups } from '#schema/tables/backup'
import { collectionTemplates } from '#schema/tables/collection-template'
import { commands } from '#schema/tables/command'
import { configTemplates, configVariables } from '#schema/tables/config-template'
import { contacts } from '#schema/tables/contact'
import { customers, images } from '#schema/tables/customer'
import { devices, enrolmentKeys } from '#schema/tables/device'
import { groups } from '#schema/tables/group'
import { logins } from '#schema/tables/login'
import { mails } from '#schema/tables/mail'
import { operations } from '#schema/tables/operation'
import { configFiles, packages } from '#schema/tables/package'
import { extraParameters } from '#schema/tables/parameter'
import { advertisementGroups, advertisements } from '#schema/tables/portal'
import { projects } from '#schema/tables/project'
import { reportSchedules } from '#schema/tables/report-schedule'
import { reportScope } from '#schema/tables/report-scope'
import { savedViews } from '#schema/tables/saved-view'
import { sendBudgets } from '#schema/tables/send-budget'
import { apiTokens } from '#schema/tables/session'
import { signingKeys } from '#schema/tables/signing-key'
import { taskItems, tasks } from '#schema/tables/task'
import { terminals } from '#schema/tables/terminal'
import { roles, users } from '#schema/tables/user'
import type { Actor } from './actor.ts'

const everything = sql`true`
const nothing = sql`false`
const all = (...conditions: (SQL | undefined)[]): SQL => and(...conditions) ?? everything

export function visible(actor: Actor) {
  const platform = isPlatformType(actor.type)
  // A customer-type user without a customer sees nothing instead of everything.
  const own = (column: Parameters<typeof eq>[0]): SQL =>
    platform ? everything : actor.customerId === null ? nothing : eq(column, actor.customerId)
  const inGroups = (column: Parameters<typeof inArray>[0]): SQL =>
    actor.groupIds === null
      ? everything
      : actor.groupIds.length === 0
        ? nothing
        : inArray(column, [...actor.groupIds])
  /** One of the task's devices is in the actor's groups; deleted ones count. */
  const touches = (taskId: AnyPgColumn): SQL =>
    sql`exists (select 1 from ${taskItems} join ${devices} on ${devices.id} = ${taskItems.deviceId}
      where ${taskItems.taskId} = ${taskId} and ${inGroups(devices.groupId)})`
  return {
    /** For a table without an entry below: the rows of the actor's customer, by the column that holds it. */
    own,
    customers: own(customers.id),
    groups: all(own(groups.customerId), inGroups(groups.id)),
    /** Devices except abnormal (deleted) ones, which have their own list. */
    devices: all(own(devices.customerId), inGroups(devices.groupId), isNull(devices.deletedAt)),
    /** [§4] Deleted ones, which can be restored or purged. */
    unusualDevices: all(
      own(devices.customerId),
      inGroups(devices.groupId),
      isNotNull(devices.deletedAt),
      isNull(devices.purgedAt),
    ),
    users: platform
      ? everything
      : all(own(users.customerId), actor.type === 'normal' ? eq(users.id, actor.userId) : everything),
    /** A customer's own, and the templates for customers. */
    roles: platform
      ? everything
      : or(
          own(roles.customerId),
          all(eq(roles.template, true), not(arrayOverlaps(roles.functionIds, [...installationFunctionIds]))),
        ),
    /** Logos and avatars. */
    images: own(images.customerId),
    enrolmentKeys: all(own(enrolmentKeys.customerId), inGroups(enrolmentKeys.groupId)),
    /** Rows without a customer belong to the platform's own packages. */
    signingKeys: own(signingKeys.customerId),
    /** [§6 Package visibility] all users, designated customer, system administrators only. */
    packages: all(
      isNull(packages.deletedAt),
      platform
        ? everything
        : or(
            eq(packages.visibility, 'all'),
            all(eq(packages.visibility, 'customer'), own(packages.customerId)),
          ),
    ),
    /** Configurations contain passwords: only the actor's own customer's. */
    configFiles: own(configFiles.customerId),
    /** They may apply to any device of the customer, so only users who see all of it see them. */
    configTemplates: actor.groupIds === null ? own(configTemplates.customerId) : nothing,
    configVariables: actor.groupIds === null ? own(configVariables.customerId) : nothing,
    /** Both need `devices` joined: they are visible with their device. */
    printers: all(own(devices.customerId), inGroups(devices.groupId), isNull(devices.deletedAt)),
    terminals: all(own(devices.customerId), inGroups(devices.groupId), isNull(devices.deletedAt)),
    /** Of terminals that are visible: a link to a panel reads only the variables on it. */
    variables: (terminalId: SQLWrapper, variableId: SQLWrapper): SQL =>
      actor.kiosk?.panel
        ? sql`(${terminalId}, ${variableId}) in (select * from unnest(
            ${sql.param(actor.kiosk.panel.terminalIds)}::int[], ${sql.param(actor.kiosk.panel.variableIds)}::int[]))`
        : everything,
    /** Whoever sees the group sees the project. */
    projects: all(own(projects.customerId), inGroups(projects.groupId)),
    /** Visible to the whole customer, like its packages: terminals in any of its groups may use them. */
    collectionTemplates: own(collectionTemplates.customerId),
    /**
     * They belong to the customer that owned the device when they were created, whatever has happened to the device
     * since.
     */
    deviceBackups: own(deviceBackups.customerId),
    /** Owned by the installation, used by the printers of all customers. */
    printerDrivers: everything,
    /** A task that also has devices of other groups is visible, with the actor's own devices in it. */
    tasks: all(own(tasks.customerId), actor.groupIds === null ? everything : touches(tasks.id)),
    /** Needs `devices` joined; deleted ones count, so that a task's figures do not shrink. */
    taskItems: all(own(taskItems.customerId), inGroups(devices.groupId)),
    /** Needs `devices` joined; with the customer that the device had then. */
    commands: all(own(commands.customerId), inGroups(devices.groupId)),
    /**
     * Of the customer's own users, and what platform users did to its objects; a normal user sees their own
     * operations.
     */
    operations: platform
      ? everything
      : actor.type === 'normal'
        ? eq(operations.userId, actor.userId)
        : or(own(operations.customerId), own(operations.objectCustomerId)),
    logins: all(
      own(logins.customerId),
      actor.type === 'normal' ? eq(logins.userId, actor.userId) : everything,
    ),
    mails: own(mails.customerId),
    sendBudgets: own(sendBudgets.customerId),
    extraParameters: own(extraParameters.customerId),
    /** Rows that reports may sum: hours and days have the customer and the group of their time. */
    reports: reportScope({ platform, customerId: actor.customerId, groupIds: actor.groupIds }),
    /** All customers' devices. */
    everybody: platform,
    /** The user's own; administrators see those of their customer. */
    reportSchedules: all(
      own(reportSchedules.customerId),
      actor.type === 'normal' ? eq(reportSchedules.ownerId, actor.userId) : undefined,
    ),
    contacts: own(contacts.customerId),
    alarmChannels: own(alarmChannels.customerId),
    /** They contain data about devices of all groups. */
    alarmDeliveries: actor.groupIds === null ? own(alarmDeliveries.customerId) : nothing,
    maintenances: own(maintenances.customerId),
    /** Rules for the whole customer are visible to all its users; others if they affect a visible device. */
    alarmRules: all(
      own(alarmRules.customerId),
      actor.groupIds === null
        ? everything
        : or(
            eq(alarmRules.scope, 'customer'),
            sql`exists (select 1 from ${alarmRuleGroups} where ${alarmRuleGroups.ruleId} = ${alarmRules.id} and ${inGroups(alarmRuleGroups.groupId)})`,
            sql`exists (select 1 from ${alarmRuleDevices} join ${devices} on ${devices.id} = ${alarmRuleDevices.deviceId}
              where ${alarmRuleDevices.ruleId} = ${alarmRules.id} and ${inGroups(devices.groupId)})`,
            sql`exists (select 1 from ${alarmRuleTerminals} join ${terminals} on ${terminals.id} = ${alarmRuleTerminals.terminalId}
              join ${devices} on ${devices.id} = ${terminals.deviceId} where ${alarmRuleTerminals.ruleId} = ${alarmRules.id} and ${inGroups(devices.groupId)})`,
          ),
    ),
    /** By the group of the device when it raised the alarm; for a task, if one of its devices is visible. */
    alarms: all(
      own(alarms.customerId),
      actor.groupIds === null
        ? everything
        : or(
            inGroups(alarms.groupId),
            // Asked only of an alarm of a task: for others, too, PostgreSQL would read the items of all tasks for each statement.
            and(isNotNull(alarms.taskId), touches(alarms.taskId)),
          ),
    ),
    /** Those for all devices are visible to all users of the customer; others if one of their groups is. */
    advertisements: all(
      own(advertisements.customerId),
      actor.groupIds === null
        ? everything
        : or(
            eq(advertisements.scope, 'customer'),
            sql`exists (select 1 from ${advertisementGroups} where ${advertisementGroups.advertisementId} = ${advertisements.id} and ${inGroups(advertisementGroups.groupId)})`,
          ),
    ),
    /** The user's own, and those shared within the same customer; platform users share among themselves. */
    savedViews: or(
      eq(savedViews.userId, actor.userId),
      all(
        eq(savedViews.shared, true),
        actor.customerId === null
          ? platform
            ? isNull(savedViews.customerId)
            : nothing
          : eq(savedViews.customerId, actor.customerId),
      ),
    ),
    /** Supernodes belong to the installation; customers see only the one that serves their groups. */
    n2nServers: platform ? everything : nothing,
    /** API tokens are visible only to their owner, of any type. */
    apiTokens: eq(apiTokens.userId, actor.userId),
  }
}
