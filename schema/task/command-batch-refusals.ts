import { refusal } from '../kit/refusal.ts'

export const commandBatchRefusals = {
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
  batchGrew: refusal(
    292,
    '现在匹配 {count} 台设备，多于所确认的数量，请重新确认',
    '現在符合 {count} 台裝置，多於所確認的數量，請重新確認',
    '{count} devices match now, more than was confirmed: look again',
  ),
  batchTooMany: refusal(
    293,
    '一次最多 {max} 台设备',
    '一次最多 {max} 台裝置',
    'At most {max} devices at once',
  ),
  batchNotStopped: refusal(
    294,
    '该批量指令没有处于停止状态',
    '該批次指令並未停止',
    'This bulk command does not stand still',
  ),
}
