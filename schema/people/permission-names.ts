/** What every function, menu and template role is called; a missing one does not compile. */

import type { Language } from '../kit/refusal.ts'
import type { MenuParent } from '../kit/screen.ts'
import type { FunctionName, MenuName, TemplateRole } from './functions.ts'

export type Names = Readonly<Record<Language, string>>
const names = (zhCN: string, zhTW: string, enUS: string): Names => ({
  'zh-CN': zhCN,
  'zh-TW': zhTW,
  'en-US': enUS,
})

export const functionNames: Readonly<Record<FunctionName, Names>> = {
  remoteOperation: names('远程操作与终端', '遠端操作與終端機', 'Remote operation and terminal'),
  deviceDetail: names('查看设备详情', '檢視裝置詳情', 'See device details'),
  profile: names('查看个人资料', '檢視個人資料', 'See own profile'),
  editProfile: names('修改个人资料', '修改個人資料', 'Edit own profile'),
  changePassword: names('修改密码', '修改密碼', 'Change own password'),
  bindEmail: names('绑定邮箱', '綁定電子郵件', 'Bind an e-mail address'),
  deviceList: names('查看设备', '檢視裝置', 'See devices'),
  deviceCreate: names('添加与导入设备', '新增與匯入裝置', 'Add and import devices'),
  deviceEdit: names('编辑设备', '編輯裝置', 'Edit devices'),
  deviceSecret: names('更换设备密钥', '更換裝置金鑰', 'Renew device secrets'),
  deviceExport: names('导出设备', '匯出裝置', 'Export devices'),
  deviceReboot: names('重启设备', '重新啟動裝置', 'Reboot devices'),
  deviceLogs: names('获取设备日志', '取得裝置日誌', 'Fetch device logs'),
  deviceMove: names('移动设备', '移動裝置', 'Move devices'),
  deviceDelete: names('删除设备', '刪除裝置', 'Delete devices'),
  deviceSwap: names('更换硬件', '更換硬體', 'Swap hardware'),
  deviceServices: names('启停系统服务', '啟停系統服務', 'Start and stop system services'),
  deviceReset: names('恢复出厂设置', '恢復原廠設定', 'Factory reset'),
  deviceSchedule: names('定时重启', '定時重新啟動', 'Scheduled reboot'),
  deviceDiagnose: names('网络诊断', '網路診斷', 'Network diagnosis'),
  deviceBackup: names('配置备份', '設定備份', 'Configuration backup'),
  unusualList: names('查看异常设备', '檢視異常裝置', 'See abnormal devices'),
  deviceRestore: names('恢复设备', '還原裝置', 'Restore devices'),
  devicePurge: names('彻底删除设备', '徹底刪除裝置', 'Purge devices'),
  groupList: names('查看分组', '檢視群組', 'See groups'),
  enrolmentKeys: names('管理注册密钥', '管理註冊金鑰', 'Manage enrolment keys'),
  groupCreate: names('添加分组', '新增群組', 'Add groups'),
  groupEdit: names('编辑分组', '編輯群組', 'Edit groups'),
  groupDelete: names('删除分组', '刪除群組', 'Delete groups'),
  groupMove: names('移动分组', '移動群組', 'Move groups'),
  printerList: names('查看打印机', '檢視印表機', 'See printers'),
  printerEdit: names('编辑打印机', '編輯印表機', 'Edit printers'),
  terminalList: names('查看终端', '檢視終端設備', 'See terminals'),
  terminalEdit: names('编辑终端', '編輯終端設備', 'Edit terminals'),
  alarmList: names('查看实时告警', '檢視即時告警', 'See current alarms'),
  alarmHandle: names('处理告警', '處理告警', 'Handle alarms'),
  alarmHistory: names('查看告警历史', '檢視告警歷史', 'See the alarm history'),
  alarmRules: names('查看告警规则', '檢視告警規則', 'See alarm rules'),
  alarmRuleEdit: names('编辑告警规则', '編輯告警規則', 'Edit alarm rules'),
  alarmChannels: names('管理通知渠道', '管理通知管道', 'Manage notice channels'),
  contactList: names('查看联系人', '檢視聯絡人', 'See contacts'),
  contactEdit: names('编辑联系人', '編輯聯絡人', 'Edit contacts'),
  onlineReport: names('查看在线率', '檢視上線率', 'See the online rate'),
  reportSchedule: names('定时发送报表', '排程寄送報表', 'Schedule reports'),
  trafficReport: names('查看流量', '檢視流量', 'See traffic'),
  signalReport: names('查看信号', '檢視訊號', 'See signal'),
  versionReport: names('查看软件版本', '檢視軟體版本', 'See software versions'),
  packageList: names('查看软件包', '檢視套件', 'See packages'),
  packageUpload: names('上传软件包', '上傳套件', 'Upload packages'),
  packageDelete: names('删除软件包', '刪除套件', 'Delete packages'),
  upgradeList: names('查看升级任务', '檢視升級任務', 'See upgrade tasks'),
  upgradeCreate: names('创建升级任务', '建立升級任務', 'Create upgrade tasks'),
  upgradeControl: names('暂停、重试与取消升级', '暫停、重試與取消升級', 'Pause, retry and cancel upgrades'),
  upgradeDelete: names('删除升级任务', '刪除升級任務', 'Delete upgrade tasks'),
  apiTokens: names('管理自己的 API 令牌', '管理自己的 API 權杖', 'Manage own API tokens'),
  roleList: names('查看角色', '檢視角色', 'See roles'),
  roleEdit: names('编辑角色', '編輯角色', 'Edit roles'),
  viewAs: names('预览角色视图', '預覽角色畫面', 'View as a role'),
  customerList: names('查看客户', '檢視客戶', 'See customers'),
  customerCreate: names('添加客户', '新增客戶', 'Add customers'),
  customerEdit: names('编辑客户', '編輯客戶', 'Edit customers'),
  customerDelete: names('删除客户', '刪除客戶', 'Delete customers'),
  userList: names('查看用户', '檢視使用者', 'See users'),
  userCreate: names('添加用户', '新增使用者', 'Add users'),
  userEdit: names('编辑用户', '編輯使用者', 'Edit users'),
  userDelete: names('删除用户', '刪除使用者', 'Delete users'),
  n2nServerList: names('查看 n2n 服务器', '檢視 n2n 伺服器', 'See n2n servers'),
  n2nServerEdit: names('编辑 n2n 服务器', '編輯 n2n 伺服器', 'Edit n2n servers'),
  parameterList: names('查看参数', '檢視參數', 'See parameters'),
  parameterEdit: names('修改参数', '修改參數', 'Change parameters'),
  printerDriverList: names('查看打印机驱动', '檢視印表機驅動程式', 'See printer drivers'),
  printerDriverEdit: names('编辑打印机驱动', '編輯印表機驅動程式', 'Edit printer drivers'),
  operationLog: names('查看操作日志', '檢視操作日誌', 'See the operation log'),
  loginLog: names('查看登录日志', '檢視登入日誌', 'See the login history'),
  mailOutbox: names('查看发件箱', '檢視寄件匣', 'See the mail outbox'),
}

export const menuNames: Readonly<Record<MenuName, Names>> = {
  deviceList: names('设备列表', '裝置清單', 'Devices'),
  deviceDetail: names('设备详情', '裝置詳情', 'Device details'),
  groups: names('分组管理', '群組管理', 'Groups'),
  unusualDevices: names('异常设备', '異常裝置', 'Abnormal devices'),
  printers: names('打印机', '印表機', 'Printers'),
  terminals: names('终端', '終端', 'Terminals'),
  alarmHistory: names('历史告警', '歷史告警', 'Alarm history'),
  alarmRules: names('告警通知配置', '告警通知設定', 'Alarm notices'),
  alarms: names('实时告警', '即時告警', 'Real-time alarms'),
  contacts: names('告警联系人', '告警聯絡人', 'Alarm contacts'),
  onlineReport: names('在线率', '上線率', 'Online rate'),
  trafficReport: names('流量统计', '流量統計', 'Traffic'),
  signalReport: names('信号统计', '訊號統計', 'Signal'),
  versionReport: names('软件版本', '軟體版本', 'Software versions'),
  packages: names('软件包管理', '套件管理', 'Packages'),
  upgrades: names('软件任务', '軟體任務', 'Upgrade tasks'),
  roles: names('角色权限', '角色權限', 'Roles'),
  customers: names('客户管理', '客戶管理', 'Customers'),
  users: names('用户管理', '使用者管理', 'Users'),
  n2nServers: names('n2n 服务器', 'n2n 伺服器', 'n2n servers'),
  parameters: names('参数管理', '參數管理', 'Parameters'),
  printerDrivers: names('打印机驱动', '印表機驅動程式', 'Printer drivers'),
  operationLog: names('操作日志', '操作日誌', 'Operation log'),
  loginLog: names('登录日志', '登入日誌', 'Login history'),
  mailOutbox: names('发件箱', '寄件匣', 'Outbox'),
}

/** [§3 Menu response] */
export const parentNames: Readonly<Record<MenuParent, Names>> = {
  device: names('设备管理', '裝置管理', 'Device management'),
  fault: names('故障管理', '故障管理', 'Fault management'),
  report: names('统计报表', '統計報表', 'Statistical reports'),
  configuration: names('配置管理', '設定管理', 'Configuration management'),
  software: names('软件管理', '軟體管理', 'Software management'),
  system: names('系统管理', '系統管理', 'System management'),
  monitor: names('云监控', '雲端監控', 'Cloud monitoring'),
}

export const templateNames: Readonly<Record<TemplateRole, Names>> = {
  viewer: names('只读用户', '唯讀使用者', 'Viewer'),
  operator: names('操作员', '操作員', 'Operator'),
  customerAdmin: names('客户管理员', '客戶管理員', 'Customer administrator'),
  systemAdmin: names('系统管理员', '系統管理員', 'System administrator'),
}

export const templateAbout: Readonly<Record<TemplateRole, Names>> = {
  viewer: names('查看设备、告警与报表', '檢視裝置、告警與報表', 'Sees devices, alarms and reports'),
  operator: names(
    '查看，并操作和升级设备',
    '檢視，並操作和升級裝置',
    'Sees devices, and operates and upgrades them',
  ),
  customerAdmin: names(
    '管理本客户的设备、分组、用户与角色',
    '管理本客戶的裝置、群組、使用者與角色',
    'Runs a customer: devices, groups, users and roles',
  ),
  systemAdmin: names('管理整个平台', '管理整個平台', 'Runs the whole installation'),
}

/** What a template is for. */
export const templateText = (name: string, language: Language): string | null =>
  templateAbout[name as TemplateRole]?.[language] ?? null

/** What a role is called: templates in the reader's language, others as they were named. */
export function roleText(name: string, template: boolean, language: Language): string {
  const known = template ? templateNames[name as TemplateRole] : undefined
  return known?.[language] ?? name
}
