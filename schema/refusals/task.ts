import { kind } from './kind.ts'

export const taskRefusals = {
  taskNoEligible: kind(130, '没有符合条件的设备', '沒有符合條件的裝置', 'No device is eligible'),
  taskOngoing: kind(131, '任务仍在进行中', '任務仍在進行中', 'The task is still ongoing'),
  taskCompleted: kind(132, '任务已完成', '任務已完成', 'The task is completed'),
  taskNothingToRetry: kind(133, '没有可重试的失败设备', '沒有可重試的失敗裝置', 'No failed device to retry'),
  taskTooMany: kind(
    134,
    '一次任务最多 {max} 台设备',
    '一次任務最多 {max} 台裝置',
    'A task takes at most {max} devices',
  ),
  fileServerUnknown: kind(135, '未知的文件服务器', '未知的檔案伺服器', 'Unknown file server'),
} as const
