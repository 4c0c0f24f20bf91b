/** Every product code [§8] with its text. 0 success, 1 failed, 2/20 session, 5 permission, 15 wrong password; ours from 100. */
import type { RefusalKind } from './kit/refusal.ts'

const kind = (code: number, zhCN: string, zhTW: string, enUS: string): RefusalKind => ({
  code,
  'zh-CN': zhCN,
  'zh-TW': zhTW,
  'en-US': enUS,
})

export const refusals = {
  operationFailed: kind(1, '操作失败', '操作失敗', 'Operation failed'),
  notLoggedIn: kind(
    2,
    '登录状态已过期，请重新登录',
    '登入狀態已過期，請重新登入',
    'Login status expired, please log in again',
  ),
  invalid: kind(3, '{field}：{reason}', '{field}：{reason}', '{field}: {reason}'),
  noPermission: kind(
    5,
    '权限不足，无权操作',
    '權限不足，無權操作',
    'Permission insufficient, no right to operate',
  ),
  wrongPassword: kind(15, '密码错误', '密碼錯誤', 'The password is wrong'),
  sessionEnded: kind(
    20,
    '登录已在别处结束，请重新登录',
    '登入已在別處結束，請重新登入',
    'This login was ended, please log in again',
  ),

  wrongCredentials: kind(101, '用户名或密码错误', '使用者名稱或密碼錯誤', 'Username or password wrong'),
  passwordTooShort: kind(
    102,
    '密码太短，至少 6 位',
    '密碼太短，至少 6 位',
    'Password too short: at least 6 characters',
  ),
  tooManyAttempts: kind(
    103,
    '尝试次数过多，请在 {seconds} 秒后重试',
    '嘗試次數過多，請在 {seconds} 秒後重試',
    'Too many attempts, try again in {seconds} seconds',
  ),
  passwordRule: kind(
    104,
    '密码须为 6-16 位，且至少包含数字、字母、其他字符中的两种',
    '密碼須為 6-16 位，且至少包含數字、字母、其他字元中的兩種',
    'A password has 6-16 characters and at least two kinds among digits, letters and other characters',
  ),
  notFound: kind(110, '未找到数据', '未找到資料', 'No data found'),
  nothingSelected: kind(111, '未选择设备', '未選擇裝置', 'No device selected'),
  deviceOffline: kind(112, '设备不在线', '裝置不在線', 'Device not online'),
  deviceUnsupported: kind(
    113,
    '设备不支持此功能',
    '裝置不支援此功能',
    'Device does not support this feature',
  ),
  snTaken: kind(114, '序列号 {sn} 已存在', '序號 {sn} 已存在', 'Serial number {sn} already exists'),
  nameTaken: kind(115, '名称 {name} 已存在', '名稱 {name} 已存在', 'Name {name} already exists'),
  groupUnknown: kind(116, '分组 {group} 不存在', '群組 {group} 不存在', 'Group {group} does not exist'),
  commandBusy: kind(
    117,
    '该设备已有同类指令在执行',
    '該裝置已有同類指令在執行',
    'The same command is already running on this device',
  ),
  csvUnreadable: kind(
    118,
    '无法读取 CSV：{reason}',
    '無法讀取 CSV：{reason}',
    'The CSV cannot be read: {reason}',
  ),
  csvTooLong: kind(119, 'CSV 超过 {max} 行', 'CSV 超過 {max} 列', 'The CSV has more than {max} rows'),

  packageNotTarGz: kind(
    120,
    '文件必须是 .tar.gz 格式',
    '檔案必須是 .tar.gz 格式',
    'The file must be a .tar.gz',
  ),
  packageUnsafe: kind(
    121,
    '压缩包不安全：{reason}',
    '壓縮檔不安全：{reason}',
    'The archive is unsafe: {reason}',
  ),
  packageTooLarge: kind(
    122,
    '文件超过 {maxMb} MB',
    '檔案超過 {maxMb} MB',
    'The file is larger than {maxMb} MB',
  ),
  packageExists: kind(
    123,
    '型号 {model} 的版本 {version} 已存在',
    '型號 {model} 的版本 {version} 已存在',
    'Version {version} for model {model} already exists',
  ),
  packageInUse: kind(
    124,
    '软件包正被进行中的任务使用',
    '套件正被進行中的任務使用',
    'The package is used by a running task',
  ),
  packageTruncated: kind(
    125,
    '上传中断，文件不完整',
    '上傳中斷，檔案不完整',
    'The upload broke off, the file is incomplete',
  ),
  packageNotSynced: kind(
    126,
    '软件包尚未同步到文件服务器',
    '套件尚未同步到檔案伺服器',
    'The package is not synced to the file server yet',
  ),

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

  keyExhausted: kind(
    140,
    '注册密钥无效或已用尽',
    '註冊金鑰無效或已用盡',
    'The enrolment key is invalid, expired or used up',
  ),
  grantExceeds: kind(
    141,
    '不能授予自己没有的权限',
    '不能授予自己沒有的權限',
    'Nobody grants what he does not hold',
  ),

  csvColumn: kind(
    142,
    '未知列 {column}，可用列：{allowed}',
    '未知欄位 {column}，可用欄位：{allowed}',
    'Unknown column {column}; columns are {allowed}',
  ),
  csvNoColumn: kind(143, '缺少列 {column}', '缺少欄位 {column}', 'The column {column} is missing'),
  csvRepeated: kind(
    144,
    '与第 {line} 行序列号相同',
    '與第 {line} 列序號相同',
    'Same serial number as in line {line}',
  ),
  csvNoGroup: kind(145, '未指定分组', '未指定群組', 'No group is named'),
  csvGroupAmbiguous: kind(
    146,
    '多个客户都有分组 {group}，请先选择分组',
    '多個客戶都有群組 {group}，請先選擇群組',
    'Several customers have a group {group}: choose a group of the customer first',
  ),
  badValue: kind(148, '格式不正确', '格式不正確', 'not a valid value'),
  snExists: kind(147, '设备已存在', '裝置已存在', 'The device exists already'),
  packageSharing: kind(
    127,
    '客户用户的软件包只能给本客户使用',
    '客戶使用者的套件只能給本客戶使用',
    'A package of a customer is for that customer only',
  ),

  samePassword: kind(
    149,
    '新密码不能与旧密码相同',
    '新密碼不能與舊密碼相同',
    'The new password is the old one',
  ),

  driverSignTaken: kind(
    280,
    '驱动标识 {sign} 已存在',
    '驅動標識 {sign} 已存在',
    'The driver sign {sign} exists already',
  ),
  driverInUse: kind(
    281,
    '有 {count} 台打印机正在使用该驱动',
    '有 {count} 台印表機正在使用該驅動',
    'The driver is used by {count} printers',
  ),
  printerPresent: kind(
    282,
    '打印机仍连接在设备上，无法删除',
    '印表機仍連接在裝置上，無法刪除',
    'The printer is still attached to its device and cannot be deleted',
  ),
  terminalNameTaken: kind(
    283,
    '该设备下已有名为 {name} 的终端',
    '該裝置下已有名為 {name} 的終端',
    'The device has a terminal named {name} already',
  ),
  slaveTaken: kind(
    284,
    '该从站已添加为终端',
    '該從站已新增為終端',
    'This slave is a terminal already',
  ),

  badJson: kind(400, '请求格式错误', '請求格式錯誤', 'The request is malformed'),
  unknownPath: kind(404, '接口不存在', '介面不存在', 'No such call'),
  tooLarge: kind(413, '请求过大', '請求過大', 'The request is too large'),
  wrongMediaType: kind(415, '不支持的内容类型', '不支援的內容類型', 'Unsupported content type'),
  tooManyRequests: kind(429, '请求过于频繁', '請求過於頻繁', 'Too many requests'),
  fault: kind(
    500,
    '系统内部错误，请求编号 {requestId}',
    '系統內部錯誤，請求編號 {requestId}',
    'Internal error, request id {requestId}',
  ),
  unavailable: kind(
    503,
    '服务暂不可用，请稍后重试',
    '服務暫不可用，請稍後重試',
    'Service unavailable, try again shortly',
  ),
} as const satisfies Record<string, RefusalKind>
export type RefusalName = keyof typeof refusals
