import { refusal } from '../kit/refusal.ts'

export const transportRefusals = {
  badJson: refusal(400, '请求格式错误', '請求格式錯誤', 'The request is malformed'),
  unknownPath: refusal(404, '接口不存在', '介面不存在', 'No such call'),
  tooSlow: refusal(408, '请求超时，未完整到达', '請求逾時，未完整送達', 'The request did not arrive in time'),
  tooLarge: refusal(413, '请求过大', '請求過大', 'The request is too large'),
  pathTooLong: refusal(414, '请求地址过长', '請求網址過長', 'The address is too long'),
  wrongMediaType: refusal(415, '不支持的内容类型', '不支援的內容類型', 'Unsupported content type'),
  expectation: refusal(
    417,
    '不支持的 Expect 请求头',
    '不支援的 Expect 標頭',
    'The Expect header is not supported',
  ),
  tooManyRequests: refusal(429, '请求过于频繁', '請求過於頻繁', 'Too many requests'),
  headersTooLarge: refusal(431, '请求头过大', '請求標頭過大', 'The request’s headers are too large'),
  fault: refusal(
    500,
    '系统内部错误，请求编号 {requestId}',
    '系統內部錯誤，請求編號 {requestId}',
    'Internal error, request id {requestId}',
  ),
  unavailable: refusal(
    503,
    '服务暂不可用，请稍后重试',
    '服務暫不可用，請稍後重試',
    'Service unavailable, try again shortly',
  ),
  storageFull: refusal(
    507,
    '服务器磁盘空间不足，未保存；请联系管理员清理后重试',
    '伺服器磁碟空間不足，未儲存；請聯絡管理員清理後重試',
    'The server’s disk is full and nothing was saved; ask its operator to make room, then try again',
  ),
}
