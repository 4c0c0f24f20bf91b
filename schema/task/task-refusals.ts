import { refusal } from '../kit/refusal.ts'

export const taskRefusals = {
  taskNoEligible: refusal(130, '没有符合条件的设备', '沒有符合條件的裝置', 'No device is eligible'),
  taskOngoing: refusal(131, '任务仍在进行中', '任務仍在進行中', 'The task is still ongoing'),
  taskCompleted: refusal(132, '任务已完成', '任務已完成', 'The task is completed'),
  taskNothingToRetry: refusal(
    133,
    '没有可重试的失败设备',
    '沒有可重試的失敗裝置',
    'No failed device to retry',
  ),
  taskTooMany: refusal(
    134,
    '一次任务最多 {max} 台设备',
    '一次任務最多 {max} 台裝置',
    'A task takes at most {max} devices',
  ),
  taskPaused: refusal(136, '任务已经暂停', '任務已經暫停', 'The task is paused already'),
  taskNotPaused: refusal(137, '任务没有暂停', '任務沒有暫停', 'The task is not paused'),
  taskOfOthersToo: refusal(
    138,
    '任务还包含其他分组的设备，只有能看到全部设备的用户才能暂停或继续',
    '任務還包含其他群組的裝置，只有能看到全部裝置的使用者才能暫停或繼續',
    'The task has devices of other groups too: only somebody who sees them all may pause or resume it',
  ),
  fileServerUnknown: refusal(135, '未知的文件服务器', '未知的檔案伺服器', 'Unknown file server'),
}
