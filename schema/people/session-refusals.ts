import { refusal } from '../kit/refusal.ts'

export const sessionRefusals = {
  operationFailed: refusal(1, '操作失败', '操作失敗', 'Operation failed'),
  notLoggedIn: refusal(
    2,
    '登录状态已过期，请重新登录',
    '登入狀態已過期，請重新登入',
    'Login status expired, please log in again',
  ),
  invalid: refusal(3, '{field}：{reason}', '{field}：{reason}', '{field}: {reason}'),
  noPermission: refusal(
    5,
    '权限不足，无权操作',
    '權限不足，無權操作',
    'Permission insufficient, no right to operate',
  ),
  wrongPassword: refusal(15, '密码错误', '密碼錯誤', 'The password is wrong'),
  sessionEnded: refusal(
    20,
    '登录已在别处结束，请重新登录',
    '登入已在別處結束，請重新登入',
    'This login was ended, please log in again',
  ),
  wrongCredentials: refusal(101, '用户名或密码错误', '使用者名稱或密碼錯誤', 'Username or password wrong'),
  passwordTooShort: refusal(
    102,
    '密码太短，至少 6 位',
    '密碼太短，至少 6 位',
    'Password too short: at least 6 characters',
  ),
  tooManyAttempts: refusal(
    103,
    '尝试次数过多，请在 {seconds} 秒后重试',
    '嘗試次數過多，請在 {seconds} 秒後重試',
    'Too many attempts, try again in {seconds} seconds',
  ),
  passwordRule: refusal(
    104,
    '密码须为 6-16 位，且至少包含数字、字母、其他字符中的两种',
    '密碼須為 6-16 位，且至少包含數字、字母、其他字元中的兩種',
    'A password has 6-16 characters and at least two kinds among digits, letters and other characters',
  ),
  samePassword: refusal(
    149,
    '新密码不能与旧密码相同',
    '新密碼不能與舊密碼相同',
    'The new password is the old one',
  ),
}
