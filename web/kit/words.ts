/** Which words have texts, and which keys exist: zh-CN is the model, web/locales.test.ts holds the others to it. */
import type alarm from '#locales/zh-CN/alarm'
import type command from '#locales/zh-CN/command'
import type commandBatch from '#locales/zh-CN/command-batch'
import type contact from '#locales/zh-CN/contact'
import type customer from '#locales/zh-CN/customer'
import type dashboard from '#locales/zh-CN/dashboard'
import type detail from '#locales/zh-CN/detail'
import type device from '#locales/zh-CN/device'
import type deviceMap from '#locales/zh-CN/device-map'
import type group from '#locales/zh-CN/group'
import type kit from '#locales/zh-CN/kit'
import type loginLog from '#locales/zh-CN/login-log'
import type mail from '#locales/zh-CN/mail'
import type menu from '#locales/zh-CN/menu'
import type n2nServer from '#locales/zh-CN/n2n-server'
import type onlineReport from '#locales/zh-CN/online-report'
import type operation from '#locales/zh-CN/operation'
import type packageWords from '#locales/zh-CN/package'
import type palette from '#locales/zh-CN/palette'
import type parameter from '#locales/zh-CN/parameter'
import type printer from '#locales/zh-CN/printer'
import type printerDriver from '#locales/zh-CN/printer-driver'
import type profile from '#locales/zh-CN/profile'
import type report from '#locales/zh-CN/report'
import type reportSchedule from '#locales/zh-CN/report-schedule'
import type role from '#locales/zh-CN/role'
import type session from '#locales/zh-CN/session'
import type shell from '#locales/zh-CN/shell'
import type signalReport from '#locales/zh-CN/signal-report'
import type task from '#locales/zh-CN/task'
import type terminal from '#locales/zh-CN/terminal'
import type token from '#locales/zh-CN/token'
import type totp from '#locales/zh-CN/totp'
import type trafficReport from '#locales/zh-CN/traffic-report'
import type unusual from '#locales/zh-CN/unusual'
import type upgrade from '#locales/zh-CN/upgrade'
import type user from '#locales/zh-CN/user'
import type versionReport from '#locales/zh-CN/version-report'

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
