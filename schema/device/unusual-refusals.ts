import { refusal } from '../kit/refusal.ts'

/** 220–229. */
export const unusualRefusals = {
  snDeleted: refusal(
    220,
    '序列号 {sn} 在异常设备中，请恢复或彻底删除',
    '序號 {sn} 在異常裝置中，請還原或徹底刪除',
    'Serial number {sn} is among the abnormal devices: restore or purge it',
  ),
  swapSame: refusal(
    221,
    '新设备与原设备的序列号相同',
    '新裝置與原裝置的序號相同',
    'The new serial number is the old one',
  ),
  swapTaken: refusal(
    222,
    '设备 {sn} 已替换过其他设备',
    '裝置 {sn} 已替換過其他裝置',
    'Device {sn} has taken the place of another one already',
  ),
}
