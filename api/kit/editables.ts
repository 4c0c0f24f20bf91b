/** What can be edited: the fields that decide whether somebody else was there first, by the names of the bodies. */
import { sql } from 'drizzle-orm'
import { updateAlarmChannel } from '#schema/alarm/alarm-channel'
import { enableAlarmRule, updateAlarmRule } from '#schema/alarm/alarm-rule'
import { updateContact } from '#schema/alarm/contact'
import { modifyBackup } from '#schema/device/backup'
import { modifyDevice, placeDevice } from '#schema/device/device'
import { saveSchedule } from '#schema/device/schedule'
import { modifyTerminal } from '#schema/device/terminal'
import { clearGroupRemote, modifyGroupName } from '#schema/group/group'
import { modifyN2nServer, updateGroupInfo } from '#schema/group/n2n-server'
import { modifyParameter, setParameter } from '#schema/platform/parameter'
import { modifySavedView } from '#schema/platform/saved-view'
import { modifyPrinter } from '#schema/printing/printer'
import { modifyPrinterDriver } from '#schema/printing/printer-driver'
import { modifyReportSchedule } from '#schema/report/report-schedule'
import { alarmChannels } from '#schema/tables/alarm-channel'
import { alarmRules } from '#schema/tables/alarm-rule'
import { deviceBackups } from '#schema/tables/backup'
import { contacts } from '#schema/tables/contact'
import { devices } from '#schema/tables/device'
import { groups } from '#schema/tables/group'
import { n2nServers } from '#schema/tables/n2n-server'
import { extraParameters, parameterValues } from '#schema/tables/parameter'
import { printerDrivers, printers } from '#schema/tables/printer'
import { reportSchedules } from '#schema/tables/report-schedule'
import { savedViews } from '#schema/tables/saved-view'
import { schedules } from '#schema/tables/schedule'
import { terminals } from '#schema/tables/terminal'
import type { Editable } from './edition.ts'
import { peopleEditables } from './people-editables.ts'

/** What else a row holds, in order: two lists of the same are equal. */
const linked = (table: string, column: string) =>
  sql.raw(`array(select l.${column} from ${table} l where l.rule_id = alarm_rules.id order by l.${column})`)

export const editables = {
  ...peopleEditables,
  alarmChannel: {
    table: alarmChannels,
    id: alarmChannels.id,
    fields: { name: alarmChannels.name, template: alarmChannels.template, enabled: alarmChannels.enabled },
    hidden: [alarmChannels.urlSealed, alarmChannels.secretSealed],
    calls: [updateAlarmChannel],
    key: 'channelId',
  },
  alarmRule: {
    table: alarmRules,
    id: alarmRules.id,
    fields: {
      name: alarmRules.name,
      threshold: alarmRules.threshold,
      recoverAt: alarmRules.recoverAt,
      forMinutes: alarmRules.forMinutes,
      windowMinutes: alarmRules.windowMinutes,
      severity: alarmRules.severity,
      enabled: alarmRules.enabled,
      scope: alarmRules.scope,
      groupIds: linked('alarm_rule_groups', 'group_id'),
      deviceIds: linked('alarm_rule_devices', 'device_id'),
      contactIds: linked('alarm_rule_contacts', 'contact_id'),
      channelIds: linked('alarm_rule_channels', 'channel_id'),
      byEmail: alarmRules.byEmail,
      toUsers: alarmRules.toUsers,
      mode: alarmRules.mode,
      intervalMinutes: alarmRules.intervalMinutes,
      quietFrom: alarmRules.quietFrom,
      quietTo: alarmRules.quietTo,
      timeZone: alarmRules.timeZone,
      alertText: alarmRules.alertText,
      recoveryText: alarmRules.recoveryText,
    },
    // What a kind, a scope or a mode has no use for is sent and not kept.
    told: ['name', 'severity', 'enabled', 'scope', 'mode', 'contactIds', 'channelIds', 'byEmail', 'toUsers'],
    calls: [updateAlarmRule, enableAlarmRule],
    key: 'ruleId',
  },
  backup: {
    table: deviceBackups,
    id: deviceBackups.id,
    fields: { remark: deviceBackups.remark },
    calls: [modifyBackup],
    key: 'backupId',
  },
  contact: {
    table: contacts,
    id: contacts.id,
    fields: {
      name: contacts.name,
      phone: contacts.phone,
      email: contacts.email,
      wechat: contacts.wechat,
      remark: contacts.remark,
    },
    calls: [updateContact],
    key: 'contactId',
  },
  device: {
    table: devices,
    id: devices.id,
    fields: {
      deviceName: devices.name,
      address: devices.address,
    },
    calls: [modifyDevice],
    key: 'deviceId',
  },
  /** Apart: who renames a device takes nothing from who moves its pin. */
  devicePin: {
    table: devices,
    id: devices.id,
    fields: { longitude: devices.longitude, latitude: devices.latitude },
    calls: [placeDevice],
    key: 'deviceId',
  },
  group: {
    table: groups,
    id: groups.id,
    fields: {
      groupName: groups.name,
      uid: sql<number>`coalesce(${groups.ownerId}, 0)`,
      name: groups.remoteAccount,
      ip: groups.remoteIp,
      n2nInfoBridge: groups.bridged,
      n2nIfnoMaskbit: groups.maskBits,
      loginType: groups.loginType,
      loginNum: groups.loginNum,
      groupServiceDistribution: sql<number>`coalesce(${groups.n2nServerId}, 0)`,
    },
    hidden: [groups.remotePassword],
    calls: [modifyGroupName, clearGroupRemote],
    key: 'gid',
    listed: { call: updateGroupInfo, key: 'n2nInfoIds' },
  },
  n2nServer: {
    table: n2nServers,
    id: n2nServers.id,
    fields: {
      name: n2nServers.name,
      address: n2nServers.address,
      port: n2nServers.port,
      version: n2nServers.version,
      managementPort: n2nServers.managementPort,
      managementAddress: n2nServers.managementAddress,
    },
    calls: [modifyN2nServer],
    key: 'serverId',
  },
  parameterValue: {
    table: parameterValues,
    id: parameterValues.key,
    fields: { value: parameterValues.value },
    // Its key is struck out of the log like every key.
    calls: [setParameter],
  },
  extraParameter: {
    table: extraParameters,
    id: extraParameters.id,
    fields: {
      nameZh: extraParameters.nameZh,
      nameEn: extraParameters.nameEn,
      description: extraParameters.description,
      value: extraParameters.value,
    },
    calls: [modifyParameter],
    key: 'id',
  },
  printer: {
    table: printers,
    id: printers.id,
    fields: { alias: printers.alias },
    calls: [modifyPrinter],
    key: 'id',
  },
  printerDriver: {
    table: printerDrivers,
    id: printerDrivers.id,
    fields: {
      sign: printerDrivers.sign,
      type: printerDrivers.type,
      address: printerDrivers.address,
      debugState: printerDrivers.debugState,
      remark: printerDrivers.remark,
    },
    calls: [modifyPrinterDriver],
    key: 'id',
  },
  reportSchedule: {
    table: reportSchedules,
    id: reportSchedules.id,
    fields: {
      name: reportSchedules.name,
      range: sql<string>`${reportSchedules.filter} ->> 'range'`,
      every: reportSchedules.every,
      weekday: sql<number>`case when ${reportSchedules.every} = 'week' then ${reportSchedules.dayNumber} else 1 end`,
      monthDay: sql<number>`case when ${reportSchedules.every} = 'month' then ${reportSchedules.dayNumber} else 1 end`,
      at: sql<string>`to_char(make_interval(mins => ${reportSchedules.minute}), 'HH24:MI')`,
      zone: reportSchedules.zone,
      recipients: reportSchedules.recipients,
      enabled: reportSchedules.enabled,
    },
    told: ['name', 'range', 'every', 'at', 'zone', 'recipients', 'enabled'],
    calls: [modifyReportSchedule],
    key: 'id',
  },
  savedView: {
    table: savedViews,
    id: savedViews.id,
    fields: {
      name: savedViews.name,
      query: savedViews.query,
      shared: savedViews.shared,
      isDefault: savedViews.isDefault,
    },
    calls: [modifySavedView],
    key: 'id',
  },
  schedule: {
    table: schedules,
    id: schedules.deviceId,
    fields: {
      enabled: schedules.enabled,
      kind: schedules.kind,
      date: schedules.date,
      time: schedules.time,
      weekdays: schedules.weekdays,
      timeZone: schedules.timeZone,
    },
    calls: [saveSchedule],
    key: 'deviceId',
  },
  terminal: {
    table: terminals,
    id: terminals.id,
    fields: {
      name: terminals.name,
      deviceId: terminals.deviceId,
      template: terminals.template,
      protocol: terminals.protocol,
      slaveId: terminals.slaveId,
      slaveAddress: terminals.slaveAddress,
      port: terminals.port,
      serialPort: terminals.serialPort,
      serial: terminals.serial,
      number: terminals.number,
      location: terminals.location,
    },
    calls: [modifyTerminal],
    key: 'id',
  },
} as const satisfies Record<string, Editable>
