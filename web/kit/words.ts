/** Which words have texts, and which keys exist: zh-CN is the model, web/locales.test.ts holds the others to it. */
import type alarm from '../locales/zh-CN/alarm.json'
import type command from '../locales/zh-CN/command.json'
import type commandBatch from '../locales/zh-CN/command-batch.json'
import type contact from '../locales/zh-CN/contact.json'
import type customer from '../locales/zh-CN/customer.json'
import type dashboard from '../locales/zh-CN/dashboard.json'
import type detail from '../locales/zh-CN/detail.json'
import type device from '../locales/zh-CN/device.json'
import type deviceMap from '../locales/zh-CN/device-map.json'
import type group from '../locales/zh-CN/group.json'
import type kit from '../locales/zh-CN/kit.json'
import type loginLog from '../locales/zh-CN/login-log.json'
import type mail from '../locales/zh-CN/mail.json'
import type menu from '../locales/zh-CN/menu.json'
import type n2nServer from '../locales/zh-CN/n2n-server.json'
import type onlineReport from '../locales/zh-CN/online-report.json'
import type operation from '../locales/zh-CN/operation.json'
import type packageWords from '../locales/zh-CN/package.json'
import type palette from '../locales/zh-CN/palette.json'
import type parameter from '../locales/zh-CN/parameter.json'
import type printer from '../locales/zh-CN/printer.json'
import type printerDriver from '../locales/zh-CN/printer-driver.json'
import type profile from '../locales/zh-CN/profile.json'
import type report from '../locales/zh-CN/report.json'
import type reportSchedule from '../locales/zh-CN/report-schedule.json'
import type role from '../locales/zh-CN/role.json'
import type session from '../locales/zh-CN/session.json'
import type shell from '../locales/zh-CN/shell.json'
import type signalReport from '../locales/zh-CN/signal-report.json'
import type task from '../locales/zh-CN/task.json'
import type terminal from '../locales/zh-CN/terminal.json'
import type token from '../locales/zh-CN/token.json'
import type totp from '../locales/zh-CN/totp.json'
import type trafficReport from '../locales/zh-CN/traffic-report.json'
import type unusual from '../locales/zh-CN/unusual.json'
import type upgrade from '../locales/zh-CN/upgrade.json'
import type user from '../locales/zh-CN/user.json'
import type versionReport from '../locales/zh-CN/version-report.json'

type Texts = {
  'online-report': typeof onlineReport
  report: typeof report
  'report-schedule': typeof reportSchedule
  'signal-report': typeof signalReport
  'traffic-report': typeof trafficReport
  'version-report': typeof versionReport
  alarm: typeof alarm
  command: typeof command
  'command-batch': typeof commandBatch
  customer: typeof customer
  contact: typeof contact
  dashboard: typeof dashboard
  detail: typeof detail
  device: typeof device
  'device-map': typeof deviceMap
  group: typeof group
  kit: typeof kit
  'login-log': typeof loginLog
  mail: typeof mail
  menu: typeof menu
  'n2n-server': typeof n2nServer
  operation: typeof operation
  package: typeof packageWords
  palette: typeof palette
  parameter: typeof parameter
  printer: typeof printer
  'printer-driver': typeof printerDriver
  profile: typeof profile
  role: typeof role
  session: typeof session
  shell: typeof shell
  task: typeof task
  terminal: typeof terminal
  token: typeof token
  totp: typeof totp
  unusual: typeof unusual
  upgrade: typeof upgrade
  user: typeof user
}
type Path<T> = T extends string
  ? never
  : { [K in keyof T & string]: T[K] extends string ? K : `${K}.${Path<T[K]>}` }[keyof T & string]

export type Word = keyof Texts
export type Key = { [W in Word]: `${W}:${Path<Texts[W]>}` }[Word]
