/** What notices say, in three languages. Placeholders are words in braces; what a device said is only ever a value. */

import type { MissReason } from '../device/schedule.ts'
import type { Language } from '../kit/refusal.ts'
import type { PrinterTrouble } from '../printing/printer.ts'
import { type AlarmKind, factsOf, type Severity } from './alarm-kind.ts'

export const placeholders = [
  'rule',
  'severity',
  'device',
  'task',
  'sn',
  'group',
  'condition',
  'value',
  'threshold',
  'time',
  'duration',
  'times',
] as const

type Words = {
  severity: Record<Severity, string>
  kind: Record<AlarmKind, string>
  alert: string
  recovery: string
  /** Of kinds that are about a task. */
  taskAlert: string
  taskRecovery: string
  failedOf: string
  printer: Record<PrinterTrouble, string>
  missed: Record<MissReason, string>
  unit: { minutes: string; times: string }
  alertSubject: string
  recoverySubject: string
  repeatSubject: string
  summarySubject: string
  manySubject: string
  manyOverSubject: string
  outageSubject: string
  outageOverSubject: string
  outage: Record<'address' | 'carrier' | 'group' | 'rule', string>
  more: string
  open: string
  over: string
  summary: string
  test: string
  duration: { day: string; hour: string; minute: string }
}

export const alarmWords: Record<Language, Words> = {
  'zh-CN': {
    severity: { critical: '紧急', major: '重要', minor: '次要', warning: '警告', info: '提示' },
    kind: {
      offline: '设备离线',
      signal: '信号过低',
      trafficDay: '日流量超限',
      trafficMonth: '月流量超限',
      load: 'CPU 负载过高',
      memory: '内存占用过高',
      temperature: '温度过高',
      reboots: '反复重启',
      simSwitched: 'SIM 卡已切换',
      newAddress: '从新地址登录',
      configDrift: '配置被更改',
      printerError: '打印机故障',
      rebootMissed: '定时重启未执行',
      upgradePaused: '升级自动暂停',
    },
    alert: '【{severity}】{device}（{sn}）{condition} {value}，分组 {group}，开始于 {time}。',
    recovery: '【恢复】{device}（{sn}）{condition}已恢复，持续 {duration}。',
    taskAlert: '【{severity}】升级任务“{task}”已自动暂停：{value}，开始于 {time}。',
    taskRecovery: '【恢复】升级任务“{task}”不再暂停，暂停时长 {duration}。',
    failedOf: '{tried} 台中 {failed} 台失败',
    printer: { outOfPaper: '缺纸', paperJam: '卡纸', coverOpen: '机盖打开', error: '故障' },
    missed: {
      offline: '设备离线',
      silent: '设备未应答',
      upgrading: '正在升级',
      platformDown: '平台当时未运行',
    },
    unit: { minutes: '分钟', times: '次' },
    alertSubject: '[{severity}] {rule}：{device}',
    recoverySubject: '[恢复] {rule}：{device}',
    repeatSubject: '[仍在告警] {rule}：{device}',
    summarySubject: '{rule}：暂缓通知的 {count} 条告警',
    manySubject: '[{severity}] {rule}：{count} 条告警',
    manyOverSubject: '[恢复] {rule}：{count} 条告警',
    outageSubject: '[{severity}] {rule}：{name}，{count} 台设备',
    outageOverSubject: '[恢复] {rule}：{name}，{count} 台设备',
    outage: {
      address: '网关 {name} 后的设备',
      carrier: '运营商 {name} 的设备',
      group: '分组 {name} 的设备',
      rule: '多处设备',
    },
    more: '另有 {count} 台',
    open: '告警中',
    over: '已恢复',
    summary: '暂缓通知的告警：',
    test: '这是一条来自 {rule} 的测试通知。',
    duration: { day: '天', hour: '小时', minute: '分钟' },
  },
  'zh-TW': {
    severity: { critical: '緊急', major: '重要', minor: '次要', warning: '警告', info: '提示' },
    kind: {
      offline: '裝置離線',
      signal: '訊號過低',
      trafficDay: '日流量超限',
      trafficMonth: '月流量超限',
      load: 'CPU 負載過高',
      memory: '記憶體用量過高',
      temperature: '溫度過高',
      reboots: '反覆重新啟動',
      simSwitched: 'SIM 卡已切換',
      newAddress: '從新位址登入',
      configDrift: '設定被更改',
      printerError: '印表機故障',
      rebootMissed: '定時重新啟動未執行',
      upgradePaused: '升級自動暫停',
    },
    alert: '【{severity}】{device}（{sn}）{condition} {value}，群組 {group}，開始於 {time}。',
    recovery: '【恢復】{device}（{sn}）{condition}已恢復，持續 {duration}。',
    taskAlert: '【{severity}】升級任務「{task}」已自動暫停：{value}，開始於 {time}。',
    taskRecovery: '【恢復】升級任務「{task}」不再暫停，暫停時間 {duration}。',
    failedOf: '{tried} 台中 {failed} 台失敗',
    printer: { outOfPaper: '缺紙', paperJam: '卡紙', coverOpen: '機蓋開啟', error: '故障' },
    missed: {
      offline: '裝置離線',
      silent: '裝置未回應',
      upgrading: '正在升級',
      platformDown: '平台當時未執行',
    },
    unit: { minutes: '分鐘', times: '次' },
    alertSubject: '[{severity}] {rule}：{device}',
    recoverySubject: '[恢復] {rule}：{device}',
    repeatSubject: '[仍在告警] {rule}：{device}',
    summarySubject: '{rule}：暫緩通知的 {count} 則告警',
    manySubject: '[{severity}] {rule}：{count} 則告警',
    manyOverSubject: '[恢復] {rule}：{count} 則告警',
    outageSubject: '[{severity}] {rule}：{name}，{count} 台裝置',
    outageOverSubject: '[恢復] {rule}：{name}，{count} 台裝置',
    outage: {
      address: '閘道 {name} 後的裝置',
      carrier: '電信業者 {name} 的裝置',
      group: '群組 {name} 的裝置',
      rule: '多處裝置',
    },
    more: '另有 {count} 台',
    open: '告警中',
    over: '已恢復',
    summary: '暫緩通知的告警：',
    test: '這是一則來自 {rule} 的測試通知。',
    duration: { day: '天', hour: '小時', minute: '分鐘' },
  },
  'en-US': {
    severity: { critical: 'Critical', major: 'Major', minor: 'Minor', warning: 'Warning', info: 'Info' },
    kind: {
      offline: 'offline',
      signal: 'signal low',
      trafficDay: 'daily traffic high',
      trafficMonth: 'monthly traffic high',
      load: 'CPU load high',
      memory: 'memory use high',
      temperature: 'temperature high',
      reboots: 'reboot loop',
      simSwitched: 'SIM switched',
      newAddress: 'login from a new address',
      configDrift: 'configuration changed',
      printerError: 'printer trouble',
      rebootMissed: 'scheduled reboot missed',
      upgradePaused: 'upgrade stopped itself',
    },
    alert: '[{severity}] {device} ({sn}): {condition} {value}. Group {group}, since {time}.',
    recovery: '[Recovered] {device} ({sn}): {condition} is over, it lasted {duration}.',
    taskAlert: '[{severity}] Upgrade {task} stopped itself: {value}. Since {time}.',
    taskRecovery: '[Recovered] Upgrade {task} is no longer paused; it stood still for {duration}.',
    failedOf: '{failed} of {tried} devices failed',
    printer: { outOfPaper: 'out of paper', paperJam: 'paper jam', coverOpen: 'cover open', error: 'error' },
    missed: {
      offline: 'because the device was offline',
      silent: 'because the device did not answer',
      upgrading: 'because it was being upgraded',
      platformDown: 'because the platform was not running',
    },
    unit: { minutes: 'min', times: 'times' },
    alertSubject: '[{severity}] {rule}: {device}',
    recoverySubject: '[Recovered] {rule}: {device}',
    repeatSubject: '[Still alarmed] {rule}: {device}',
    summarySubject: '{rule}: {count} alarms held back',
    manySubject: '[{severity}] {rule}: {count} alarms',
    manyOverSubject: '[Recovered] {rule}: {count} alarms',
    outageSubject: '[{severity}] {rule}: {name}, {count} devices',
    outageOverSubject: '[Recovered] {rule}: {name}, {count} devices',
    outage: {
      address: 'devices behind {name}',
      carrier: 'devices on {name}',
      group: 'devices in {name}',
      rule: 'devices in several places',
    },
    more: 'and {count} more',
    open: 'alarmed',
    over: 'recovered',
    summary: 'Alarms held back until now:',
    test: 'This is a test notice from {rule}.',
    duration: { day: 'd', hour: 'h', minute: 'min' },
  },
}

/** Replaces `{word}`; unknown ones stay as they are, and a value is never searched for placeholders. */
export const fill = (text: string, values: Readonly<Record<string, string | number>>) =>
  text.replace(/\{(\w+)\}/g, (whole, key: string) =>
    Object.hasOwn(values, key) ? String(values[key]) : whole,
  )

/** The texts proposed for a rule of this kind. */
export function textsOf(kind: AlarmKind, language: Language): { alert: string; recovery: string } {
  const { alert, recovery, taskAlert, taskRecovery } = alarmWords[language]
  return factsOf(kind).about === 'task' ? { alert: taskAlert, recovery: taskRecovery } : { alert, recovery }
}

/** The detail of an upgrade that stopped itself: "5/50". */
export function failedOf(detail: string | null): { failed: string; tried: string } {
  const [failed = '', tried = ''] = (detail ?? '').split('/')
  return { failed, tried }
}

/** The detail of a printer's trouble: whatever it is called, and its state. */
export function printerOf(detail: string): { printer: string; state: string } {
  const at = detail.lastIndexOf(': ')
  return { printer: detail.slice(0, Math.max(0, at)), state: detail.slice(at < 0 ? 0 : at + 2) }
}

/** Why a scheduled reboot was missed, or the device's own words for why it failed. */
function missedFor(reason: string | null, language: Language): string {
  const words: Readonly<Record<string, string>> = alarmWords[language].missed
  return words[reason ?? ''] ?? reason ?? ''
}

/** "17 min", "96 %": the figure with its unit; what an event changed where there is no figure. */
export function figure(
  of: { kind: AlarmKind; value: number | null; detail: string | null },
  language: Language,
): string {
  if (of.kind === 'upgradePaused') return fill(alarmWords[language].failedOf, failedOf(of.detail))
  if (of.kind === 'printerError' && of.detail) {
    const { printer, state } = printerOf(of.detail)
    const words: Readonly<Record<string, string>> = alarmWords[language].printer
    return printer && words[state] ? `${printer}: ${words[state]}` : of.detail
  }
  if (of.kind === 'rebootMissed') return missedFor(of.detail, language)
  if (of.value === null) return of.detail ?? ''
  const { unit } = factsOf(of.kind)
  const rounded = Math.round(of.value * 10) / 10
  const name =
    unit === 'minutes' || unit === 'times'
      ? alarmWords[language].unit[unit]
      : unit === 'load' || unit === undefined
        ? ''
        : unit
  return `${rounded} ${name}`.trim()
}

/** The two largest of days, hours, minutes. */
export function lasted(ms: number, language: Language): string {
  const { day, hour, minute } = alarmWords[language].duration
  const minutes = Math.max(1, Math.round(ms / 60_000))
  const parts: (readonly [number, string])[] = [
    [Math.floor(minutes / 1440), day],
    [Math.floor((minutes % 1440) / 60), hour],
    [minutes % 60, minute],
  ]
  const first = parts.findIndex(([n]) => n > 0)
  return parts
    .slice(first, first + 2)
    .filter(([n]) => n > 0)
    .map(([n, name]) => `${n} ${name}`)
    .join(' ')
}

/** 2026-11-21 14:02 UTC+8, in that zone: who reads it on the way need not know for where the rule was written. */
export function localMoment(at: Date, timeZone: string): string {
  const local = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' }).format(
    at,
  )
  const offset = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'shortOffset' })
    .formatToParts(at)
    .find(({ type }) => type === 'timeZoneName')
  return `${local} ${offset?.value.replace('GMT', 'UTC').replace(/\+0$/, '') ?? timeZone}`
}
