/** The declared parameters: whole numbers with bounds, a unit, and names in three languages. */
import { type Parameter, parameter, texts } from '../kit/parameter.ts'
import { deadlineParameters } from '../task/deadline-parameters.ts'
import { retentionParameters } from './retention-parameters.ts'
import { sendParameters } from './send-parameters.ts'

export const parameters = {
  sessionHours: parameter(
    texts('登录有效期', '登入有效期', 'Session length'),
    texts(
      '登录后多久必须重新登录；对之后的登录生效',
      '登入後多久必須重新登入；對之後的登入生效',
      'How long a login lasts; holds for logins from now on',
    ),
    { unit: 'hours', initial: 12, min: 1, max: 720, perCustomer: true },
  ),
  loginFailures: parameter(
    texts('登录失败上限', '登入失敗上限', 'Failed logins allowed'),
    texts(
      '同一地址上同一用户连续失败多少次后暂停登录',
      '同一位址上同一使用者連續失敗多少次後暫停登入',
      'Failures of one user from one address before a pause',
    ),
    { unit: 'times', initial: 5, min: 3, max: 20 },
  ),
  loginPauseS: parameter(
    texts('登录暂停时长', '登入暫停時長', 'Login pause'),
    texts(
      '首次暂停的时长，之后每次失败加倍，最长 15 分钟',
      '首次暫停的時長，之後每次失敗加倍，最長 15 分鐘',
      'The first pause; each further failure doubles it, up to 15 minutes',
    ),
    { unit: 'seconds', initial: 30, min: 5, max: 900 },
  ),
  upgradeWaitMinutes: parameter(
    texts('升级等待离线设备', '升級等待離線裝置', 'Upgrade: wait for offline devices'),
    texts(
      '新建升级任务未指定时，离线设备的等待时间',
      '新建升級任務未指定時，離線裝置的等待時間',
      'How long a new upgrade task waits for an offline device unless it says otherwise',
    ),
    { unit: 'minutes', initial: 15, min: 0, max: 10_080, perCustomer: true },
  ),
  commandWaitS: parameter(
    texts('指令等待时长', '指令等待時長', 'Command: wait to be sent'),
    texts(
      '设备在下发指令的瞬间断线时，等待其恢复的时间',
      '裝置在下達指令的瞬間斷線時，等待其恢復的時間',
      'How long a command waits for a device that has just dropped its connection',
    ),
    { unit: 'seconds', initial: 60, min: 10, max: 3600, perCustomer: true },
  ),
  heartbeatMaxS: parameter(
    texts('心跳上限', '心跳上限', 'Longest heartbeat'),
    texts(
      '设备声明的心跳间隔不得超过此值；静默 1.5 倍心跳后显示为离线。对新连接生效',
      '裝置宣告的心跳間隔不得超過此值；靜默 1.5 倍心跳後顯示為離線。對新連線生效',
      'A device’s keepalive counts no longer than this; after 1.5 times as much silence it is offline. Holds for new connections',
    ),
    { unit: 'seconds', initial: 1200, min: 300, max: 1800 },
  ),
  offlineGraceS: parameter(
    texts('离线告警宽限', '離線告警寬限', 'Offline alarm grace'),
    texts(
      '断线后在此时间内恢复的设备不触发离线告警',
      '斷線後在此時間內恢復的裝置不觸發離線告警',
      'A device that is back so soon raises no offline alarm',
    ),
    { unit: 'seconds', initial: 30, min: 0, max: 3600, perCustomer: true },
  ),
  ...sendParameters,
  ...deadlineParameters,
  ...retentionParameters,
} as const satisfies Record<string, Parameter>
export type ParameterKey = keyof typeof parameters
