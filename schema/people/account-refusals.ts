import { refusal } from '../kit/refusal.ts'
import { TOTP_NEEDED } from '../people/totp.ts'

/** What one does with one's own account, and with the platform's parameters and mail. */
export const accountRefusals = {
  totpNeeded: refusal(
    TOTP_NEEDED,
    '请输入动态验证码',
    '請輸入動態驗證碼',
    'Enter the code of your authenticator app',
  ),
  totpWrong: refusal(
    181,
    '验证码错误或已使用过',
    '驗證碼錯誤或已使用過',
    'The code is wrong or was used already',
  ),
  totpEnrolFirst: refusal(
    182,
    '贵公司要求启用双重验证，请先完成设置',
    '貴公司要求啟用雙重驗證，請先完成設定',
    'Your company requires a second factor: set it up first',
  ),
  totpRequired: refusal(
    183,
    '贵公司要求双重验证，不能停用',
    '貴公司要求雙重驗證，不能停用',
    'Your company requires a second factor: it cannot be turned off',
  ),
  totpUnreadable: refusal(
    184,
    '无法读取双重验证密钥，请联系管理员重置',
    '無法讀取雙重驗證金鑰，請聯絡管理員重設',
    'The second factor cannot be read any more: ask an administrator to reset it',
  ),
  totpAlreadyOn: refusal(185, '双重验证已启用', '雙重驗證已啟用', 'The second factor is on already'),
  totpNotBegun: refusal(
    186,
    '请重新开始设置双重验证',
    '請重新開始設定雙重驗證',
    'Begin setting up the second factor again',
  ),
  emailFormat: refusal(187, '请输入正确的邮箱', '請輸入正確的電子郵件', 'Enter a correct e-mail address'),
  mailTooOften: refusal(
    188,
    '邮件发送过于频繁，请在 {minutes} 分钟后重试',
    '郵件寄送過於頻繁，請在 {minutes} 分鐘後重試',
    'Too many mails, try again in {minutes} minutes',
  ),
  linkInvalid: refusal(
    189,
    '链接无效、已使用或已过期',
    '連結無效、已使用或已過期',
    'The link is invalid, used or expired',
  ),
  parameterZhTaken: refusal(
    190,
    '参数中文名 {name} 已存在',
    '參數中文名稱 {name} 已存在',
    'A parameter with the Chinese name {name} already exists',
  ),
  parameterEnTaken: refusal(
    191,
    '参数英文名 {name} 已存在',
    '參數英文名稱 {name} 已存在',
    'A parameter with the English name {name} already exists',
  ),
  parameterRange: refusal(
    192,
    '取值范围为 {min} 到 {max}',
    '取值範圍為 {min} 到 {max}',
    'The value must lie between {min} and {max}',
  ),
  parameterShared: refusal(
    193,
    '该参数不能按客户设置',
    '該參數不能按客戶設定',
    'This parameter cannot be set for one customer',
  ),
  parameterTooMany: refusal(
    194,
    '自定义参数最多 {max} 个',
    '自訂參數最多 {max} 個',
    'At most {max} parameters can be added',
  ),
  tokenOutlives: refusal(
    195,
    '新令牌的有效期不能超过当前令牌',
    '新權杖的有效期不能超過目前權杖',
    'A token cannot make one that outlives it',
  ),
  mailNotFailed: refusal(
    196,
    '只能重发失败或保留的邮件',
    '只能重新寄送失敗或保留的郵件',
    'Only mail that failed or was kept can be sent again',
  ),
  noTransport: refusal(
    197,
    '未配置 SMTP_URL，无法发送邮件',
    '未設定 SMTP_URL，無法寄送郵件',
    'SMTP_URL is not set: no mail can leave',
  ),
  sendBudgetSpent: refusal(
    198,
    '本小时的发送额度（{perHour} 条）已用完，请在 {minutes} 分钟后重试',
    '本小時的傳送額度（{perHour} 則）已用完，請在 {minutes} 分鐘後重試',
    'The {perHour} that may be sent within an hour are used up, try again in {minutes} minutes',
  ),
}
