/** How long, and how many, is kept of what grows without end. Which rows go is said in tables/retention.ts. */
import { parameter, texts } from '../kit/parameter.ts'

const removed = texts('超过此期限的记录会被删除', '超過此期限的記錄會被刪除', 'Older records are deleted')

const kept = (
  names: ReturnType<typeof texts>,
  [initial, min, max]: [number, number, number],
  more = removed,
) => parameter(names, more, { unit: 'days', initial, min, max })

/** Logs of what people did are kept at least so long, whatever anybody sets; a trigger holds to it too. */
export const LOG_DAYS_MIN = 180

export const retentionParameters = {
  statusDays: kept(texts('状态数据保留', '狀態資料保留', 'Status samples kept'), [30, 2, 366]),
  deviceLogDays: kept(texts('设备日志保留', '裝置日誌保留', 'Device logs kept'), [30, 2, 366]),
  probeDays: kept(texts('网络监测数据保留', '網路監測資料保留', 'Network monitoring kept'), [30, 2, 366]),
  hourDays: kept(
    texts('小时统计保留', '小時統計保留', 'Hourly sums kept'),
    [90, 31, 730],
    texts(
      '报表的按小时统计；更早的时段只能按天查看',
      '報表的按小時統計；更早的時段只能按天檢視',
      'Of reports; older ranges are told by days only',
    ),
  ),
  trafficDays: kept(
    texts('每日流量保留', '每日流量保留', 'Daily traffic kept'),
    [730, 62, 3650],
    texts(
      '单台设备的每日流量；更早的日期计入设备详情中的总流量',
      '單台裝置的每日流量；更早的日期計入裝置詳情中的總流量',
      'Of single devices; older days stay in the total of the device’s detail',
    ),
  ),
  presenceDays: kept(
    texts('上下线记录保留', '上下線記錄保留', 'Online/offline records kept'),
    [365, 7, 3650],
    texts(
      '更早的记录会被删除；每台设备的最后一条始终保留',
      '更早的記錄會被刪除；每台裝置的最後一條始終保留',
      'Older ones are deleted; the last one of each device always stays',
    ),
  ),
  simSwitchDays: kept(texts('切卡记录保留', '切卡記錄保留', 'SIM switches kept'), [730, 30, 3650]),
  warningDays: kept(texts('设备警告保留', '裝置警告保留', 'Device warnings kept'), [90, 7, 3650]),
  printerDays: kept(
    texts('已移除打印机保留', '已移除印表機保留', 'Absent printers kept'),
    [365, 7, 3650],
    texts(
      '设备不再上报的打印机，到期后连同别名一起删除',
      '裝置不再回報的印表機，到期後連同別名一起刪除',
      'A printer that its device no longer names is deleted after so long, its alias with it',
    ),
  ),
  commandDays: kept(
    texts('指令记录保留', '指令記錄保留', 'Commands kept'),
    [180, 7, 3650],
    texts(
      '已结束的指令、诊断及其结果',
      '已結束的指令、診斷及其結果',
      'Commands and diagnoses that have ended, with their results',
    ),
  ),
  scheduleRunDays: kept(
    texts('定时重启记录保留', '定時重新啟動記錄保留', 'Scheduled restarts kept'),
    [365, 30, 3650],
  ),
  backupsKept: parameter(
    texts('每台设备的配置备份数', '每台裝置的設定備份數', 'Backups kept per device'),
    texts('超出时删除最早的备份', '超出時刪除最早的備份', 'The oldest beyond this number are deleted'),
    { unit: 'pieces', initial: 20, min: 1, max: 200 },
  ),
  failedBackupDays: kept(
    texts('失败的备份保留', '失敗的備份保留', 'Failed backups kept'),
    [30, 1, 366],
    texts('没有文件的备份记录', '沒有檔案的備份記錄', 'Entries of backups that have no file'),
  ),
  taskDays: kept(
    texts('已完成任务保留', '已完成任務保留', 'Completed tasks kept'),
    [1095, 90, 3650],
    texts(
      '任务及其每台设备的结果；进行中的任务不受影响',
      '任務及其每台裝置的結果；進行中的任務不受影響',
      'Tasks with the results of their devices; ongoing ones stay',
    ),
  ),
  taskEventDays: kept(texts('任务过程保留', '任務過程保留', 'Task history kept'), [365, 30, 3650]),
  alarmDays: kept(
    texts('已恢复告警保留', '已恢復告警保留', 'Cleared alarms kept'),
    [730, 30, 3650],
    texts(
      '从恢复时算起；未恢复的告警不受影响',
      '從恢復時算起；未恢復的告警不受影響',
      'Counted from when they cleared; active alarms stay',
    ),
  ),
  noticeDays: kept(
    texts('告警通知记录保留', '告警通知記錄保留', 'Alarm notices kept'),
    [180, 7, 3650],
    texts(
      '通知及其邮件、Webhook 发送记录；尚未发出的不受影响',
      '通知及其郵件、Webhook 傳送記錄；尚未送出的不受影響',
      'With their delivery log; what has yet to be sent stays',
    ),
  ),
  mailDays: kept(
    texts('邮件保留', '郵件保留', 'Mail kept'),
    [90, 7, 3650],
    texts(
      '已发送或失败的邮件；告警邮件随其通知保留',
      '已傳送或失敗的郵件；告警郵件隨其通知保留',
      'Sent or failed; mail of an alarm notice stays as long as the notice',
    ),
  ),
  operationDays: kept(texts('操作日志保留', '操作日誌保留', 'Operation log kept'), [730, LOG_DAYS_MIN, 3650]),
  loginDays: kept(texts('登录日志保留', '登入日誌保留', 'Login history kept'), [365, LOG_DAYS_MIN, 3650]),
} as const
