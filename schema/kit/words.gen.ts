// Generated from the files in locales/zh-CN by `npm run generate`; do not edit.

type Texts = {
  'alarm': typeof import('#locales/zh-CN/alarm')
  'command': typeof import('#locales/zh-CN/command')
  'command-many': typeof import('#locales/zh-CN/command-many')
  'config-file': typeof import('#locales/zh-CN/config-file')
  'config-task': typeof import('#locales/zh-CN/config-task')
  'contact': typeof import('#locales/zh-CN/contact')
  'customer': typeof import('#locales/zh-CN/customer')
  'dashboard': typeof import('#locales/zh-CN/dashboard')
  'detail': typeof import('#locales/zh-CN/detail')
  'device': typeof import('#locales/zh-CN/device')
  'device-map': typeof import('#locales/zh-CN/device-map')
  'device-state': typeof import('#locales/zh-CN/device-state')
  'group': typeof import('#locales/zh-CN/group')
  'invitation': typeof import('#locales/zh-CN/invitation')
  'kit': typeof import('#locales/zh-CN/kit')
  'login-log': typeof import('#locales/zh-CN/login-log')
  'mail': typeof import('#locales/zh-CN/mail')
  'menu': typeof import('#locales/zh-CN/menu')
  'n2n-server': typeof import('#locales/zh-CN/n2n-server')
  'online-report': typeof import('#locales/zh-CN/online-report')
  'operation': typeof import('#locales/zh-CN/operation')
  'package': typeof import('#locales/zh-CN/package')
  'palette': typeof import('#locales/zh-CN/palette')
  'parameter': typeof import('#locales/zh-CN/parameter')
  'printer': typeof import('#locales/zh-CN/printer')
  'printer-driver': typeof import('#locales/zh-CN/printer-driver')
  'profile': typeof import('#locales/zh-CN/profile')
  'report': typeof import('#locales/zh-CN/report')
  'report-schedule': typeof import('#locales/zh-CN/report-schedule')
  'role': typeof import('#locales/zh-CN/role')
  'rollout': typeof import('#locales/zh-CN/rollout')
  'session': typeof import('#locales/zh-CN/session')
  'severity': typeof import('#locales/zh-CN/severity')
  'shell': typeof import('#locales/zh-CN/shell')
  'signal-report': typeof import('#locales/zh-CN/signal-report')
  'task': typeof import('#locales/zh-CN/task')
  'terminal': typeof import('#locales/zh-CN/terminal')
  'token': typeof import('#locales/zh-CN/token')
  'totp': typeof import('#locales/zh-CN/totp')
  'traffic-report': typeof import('#locales/zh-CN/traffic-report')
  'unusual': typeof import('#locales/zh-CN/unusual')
  'upgrade': typeof import('#locales/zh-CN/upgrade')
  'user': typeof import('#locales/zh-CN/user')
  'version-report': typeof import('#locales/zh-CN/version-report')
}
type ServerTexts = {
  'account': typeof import('#locales/zh-CN/servers/account')
  'alarm': typeof import('#locales/zh-CN/servers/alarm')
  'command': typeof import('#locales/zh-CN/servers/command')
  'config-file': typeof import('#locales/zh-CN/servers/config-file')
  'customer': typeof import('#locales/zh-CN/servers/customer')
  'detail': typeof import('#locales/zh-CN/servers/detail')
  'device': typeof import('#locales/zh-CN/servers/device')
  'edition': typeof import('#locales/zh-CN/servers/edition')
  'group': typeof import('#locales/zh-CN/servers/group')
  'invitation': typeof import('#locales/zh-CN/servers/invitation')
  'operation': typeof import('#locales/zh-CN/servers/operation')
  'package': typeof import('#locales/zh-CN/servers/package')
  'parameter': typeof import('#locales/zh-CN/servers/parameter')
  'people': typeof import('#locales/zh-CN/servers/people')
  'printer': typeof import('#locales/zh-CN/servers/printer')
  'profile': typeof import('#locales/zh-CN/servers/profile')
  'report': typeof import('#locales/zh-CN/servers/report')
  'report-schedule': typeof import('#locales/zh-CN/servers/report-schedule')
  'session': typeof import('#locales/zh-CN/servers/session')
  'task': typeof import('#locales/zh-CN/servers/task')
  'transport': typeof import('#locales/zh-CN/servers/transport')
  'unusual': typeof import('#locales/zh-CN/servers/unusual')
  'view': typeof import('#locales/zh-CN/servers/view')
}
type Path<T> = T extends string
  ? never
  : { [K in keyof T & string]: T[K] extends string ? K : `${K}.${Path<T[K]>}` }[keyof T & string]

/** A file of locales/<language>/. */
export type Word = keyof Texts
/** `word:path.to.text`: a key that is in no file does not compile. */
export type Key = { [W in Word]: `${W}:${Path<Texts[W]>}` }[Word]
/** The same of locales/<language>/servers/, which the console does not have. */
export type ServerKey = { [W in keyof ServerTexts]: `${W}:${Path<ServerTexts[W]>}` }[keyof ServerTexts]
