import { refusal } from '../kit/refusal.ts'

export const detailRefusals = {
  backupMissing: refusal(
    230,
    '该备份没有文件：设备尚未上传或上传失败',
    '該備份沒有檔案：裝置尚未上傳或上傳失敗',
    'This backup has no file: the device has not uploaded it, or failed to',
  ),
  backupWaiting: refusal(
    231,
    '备份正在进行，完成后才能删除',
    '備份正在進行，完成後才能刪除',
    'The backup is under way; it can be deleted when it has ended',
  ),
  timeZoneUnknown: refusal(
    232,
    '未知的时区 {timeZone}',
    '未知的時區 {timeZone}',
    'Unknown time zone {timeZone}',
  ),
  scheduleNoDate: refusal(233, '请选择日期', '請選擇日期', 'Choose a date'),
  scheduleNoDays: refusal(234, '请至少选择一天', '請至少選擇一天', 'Choose at least one day'),
  schedulePast: refusal(
    235,
    '该时间已过，请选择将来的时间',
    '該時間已過，請選擇將來的時間',
    'That moment has passed; choose one to come',
  ),
}
