import { refusal } from '../kit/refusal.ts'

export const packageRefusals = {
  packageNotTarGz: refusal(
    120,
    '文件必须是 .tar.gz 格式',
    '檔案必須是 .tar.gz 格式',
    'The file must be a .tar.gz',
  ),
  packageUnsafe: refusal(
    121,
    '压缩包不安全：{reason}',
    '壓縮檔不安全：{reason}',
    'The archive is unsafe: {reason}',
  ),
  packageTooLarge: refusal(
    122,
    '文件超过 {maxMb} MB',
    '檔案超過 {maxMb} MB',
    'The file is larger than {maxMb} MB',
  ),
  packageExists: refusal(
    123,
    '型号 {model} 的版本 {version} 已存在',
    '型號 {model} 的版本 {version} 已存在',
    'Version {version} for model {model} already exists',
  ),
  packageInUse: refusal(
    124,
    '软件包正被进行中的任务使用',
    '套件正被進行中的任務使用',
    'The package is used by a running task',
  ),
  packageTruncated: refusal(
    125,
    '上传中断，文件不完整',
    '上傳中斷，檔案不完整',
    'The upload broke off, the file is incomplete',
  ),
  packageNotSynced: refusal(
    126,
    '软件包尚未同步到文件服务器',
    '套件尚未同步到檔案伺服器',
    'The package is not synced to the file server yet',
  ),
  packageSharing: refusal(
    127,
    '客户用户的软件包只能给本客户使用',
    '客戶使用者的套件只能給本客戶使用',
    'A package of a customer is for that customer only',
  ),
}
