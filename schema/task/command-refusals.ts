import { refusal } from '../kit/refusal.ts'

export const commandRefusals = {
  notForMany: refusal(
    290,
    '仅允许对单台设备操作',
    '僅允許對單一裝置操作',
    'Only single device operation allowed',
  ),
  noneEligible: refusal(
    291,
    '没有可以立即执行的设备',
    '沒有可以立即執行的裝置',
    'None of these devices can take it now',
  ),
  selectedOffline: refusal(295, '所选设备不在线', '所選裝置未連線', 'Selected device not online'),
  taskGrew: refusal(
    292,
    '现在匹配 {count} 台设备，多于所确认的数量，请重新确认',
    '現在符合 {count} 台裝置，多於所確認的數量，請重新確認',
    '{count} devices match now, more than was confirmed: look again',
  ),
}
