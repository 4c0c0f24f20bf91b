import { refusal } from '../kit/refusal.ts'

export const deviceRefusals = {
  notFound: refusal(110, '未找到数据', '未找到資料', 'No data found'),
  nothingSelected: refusal(111, '未选择设备', '未選擇裝置', 'No device selected'),
  deviceOffline: refusal(112, '设备不在线', '裝置未連線', 'Device not online'),
  deviceUnsupported: refusal(
    113,
    '设备不支持此功能',
    '裝置不支援此功能',
    'Device does not support this feature',
  ),
  snTaken: refusal(114, '序列号 {sn} 已存在', '序號 {sn} 已存在', 'Serial number {sn} already exists'),
  nameTaken: refusal(115, '名称 {name} 已存在', '名稱 {name} 已存在', 'Name {name} already exists'),
  groupUnknown: refusal(116, '分组 {group} 不存在', '群組 {group} 不存在', 'Group {group} does not exist'),
  commandBusy: refusal(
    117,
    '该设备已有同类指令在执行',
    '該裝置已有同類指令在執行',
    'The same command is already running on this device',
  ),
  csvUnreadable: refusal(
    118,
    '无法读取 CSV：第 {line} 行的引号不成对',
    '無法讀取 CSV：第 {line} 列的引號不成對',
    'The CSV cannot be read: the quotes in row {line} do not match',
  ),
  csvTooLong: refusal(119, 'CSV 超过 {max} 行', 'CSV 超過 {max} 列', 'The CSV has more than {max} rows'),
  keyExhausted: refusal(
    140,
    '注册密钥无效或已用尽',
    '註冊金鑰無效或已用盡',
    'The enrolment key is invalid, expired or used up',
  ),
  grantExceeds: refusal(
    141,
    '不能授予自己没有的权限',
    '不能授予自己沒有的權限',
    'You cannot grant a permission that you do not hold',
  ),
  csvColumn: refusal(
    142,
    '未知列 {column}，可用列：{allowed}',
    '未知欄位 {column}，可用欄位：{allowed}',
    'Unknown column {column}; columns are {allowed}',
  ),
  csvNoColumn: refusal(143, '缺少列 {column}', '缺少欄位 {column}', 'The column {column} is missing'),
  csvRepeated: refusal(
    144,
    '与第 {line} 行序列号相同',
    '與第 {line} 列序號相同',
    'Same serial number as in line {line}',
  ),
  csvNoGroup: refusal(145, '未指定分组', '未指定群組', 'No group is named'),
  csvGroupAmbiguous: refusal(
    146,
    '多个客户都有分组 {group}，请先选择分组',
    '多個客戶都有群組 {group}，請先選擇群組',
    'Several customers have a group {group}: choose a group of the customer first',
  ),
  snExists: refusal(147, '设备已存在', '裝置已存在', 'The device exists already'),
  badValue: refusal(148, '格式不正确', '格式不正確', 'not a valid value'),
}
