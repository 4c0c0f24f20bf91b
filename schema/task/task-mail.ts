/** What the creator of a task is written when it has stopped itself. */
import type { Language } from '../kit/refusal.ts'
import type { TaskFailure } from '../kit/task-kind.ts'

const failureNames: Record<TaskFailure, Record<Language, string>> = {
  wrongCredentials: names('用户名或密码错误', '使用者名稱或密碼錯誤', 'Wrong user or password'),
  fileNotFound: names('文件不存在 (404)', '檔案不存在 (404)', 'File not found (404)'),
  connectTimeout: names('连接超时', '連線逾時', 'Connect timeout'),
  domainError: names('域名解析失败', '網域名稱解析失敗', 'Domain error'),
  downloadTimeout: names('下载超时', '下載逾時', 'Download timeout'),
  md5Failed: names('MD5 校验失败', 'MD5 驗證失敗', 'MD5 check failed'),
  upgradeFailed: names('升级失败', '升級失敗', 'Upgrade failed'),
  unknownError: names('未知错误', '未知錯誤', 'Unknown error'),
  remoteConnectFailed: names('远程连接失败', '遠端連線失敗', 'Remote connect failed'),
  deviceOffline: names('设备离线', '裝置離線', 'Device offline'),
  packageVerifyFailed: names('软件包验证失败', '套件驗證失敗', 'Package verification failed'),
}

function names(zhCN: string, zhTW: string, enUS: string): Record<Language, string> {
  return { 'zh-CN': zhCN, 'zh-TW': zhTW, 'en-US': enUS }
}

type Stopped = {
  name: string
  /** Of the package; null: it sends a command. */
  version: string | null
  failed: number
  tried: number
  /** One entry per failed device. */
  failures: readonly TaskFailure[]
  url: string
}

const texts: Record<Language, (of: Stopped, causes: string) => { subject: string; text: string }> = {
  'zh-CN': ({ name, version, failed, tried, url }, causes) => ({
    subject: `任务“${name}”已自动暂停：${failed} 台失败`,
    text: `任务“${name}”${version === null ? '' : `（版本 ${version}）`}已自动暂停：下发的 ${tried} 台中有 ${failed} 台失败，达到了停止条件。

${causes}

尚未开始的设备不会再收到命令，已经开始执行的设备会继续完成。请查看后决定继续或取消：
${url}
`,
  }),
  'zh-TW': ({ name, version, failed, tried, url }, causes) => ({
    subject: `任務「${name}」已自動暫停：${failed} 台失敗`,
    text: `任務「${name}」${version === null ? '' : `（版本 ${version}）`}已自動暫停：下達的 ${tried} 台中有 ${failed} 台失敗，達到了停止條件。

${causes}

尚未開始的裝置不會再收到指令，已經開始執行的裝置會繼續完成。請檢視後決定繼續或取消：
${url}
`,
  }),
  'en-US': ({ name, version, failed, tried, url }, causes) => ({
    subject: `Task “${name}” stopped itself: ${failed} failed`,
    text: `The task “${name}”${version === null ? '' : ` (version ${version})`} stopped itself: ${failed} of the ${tried} devices tried have failed, which is its limit.

${causes}

Devices that have not begun are sent nothing more; those that are beyond recall go on. Look at it, then resume or cancel it:
${url}
`,
  }),
}

export function pauseMail(language: Language, of: Stopped): { subject: string; text: string } {
  const counts = new Map<TaskFailure, number>()
  for (const failure of of.failures) counts.set(failure, (counts.get(failure) ?? 0) + 1)
  const causes = [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([failure, count]) => `${failureNames[failure][language]}: ${count}`)
    .join('\n')
  return texts[language](of, causes)
}
