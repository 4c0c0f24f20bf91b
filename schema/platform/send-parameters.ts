/** How much one customer may have sent within an hour, each purpose for itself. Who spends which is said in send-budget.ts. */
import { parameter, texts } from '../kit/parameter.ts'

const budget = (
  names: ReturnType<typeof texts>,
  descriptions: ReturnType<typeof texts>,
  [initial, min, max]: [number, number, number],
) => parameter(names, descriptions, { unit: 'pieces', initial, min, max, perCustomer: true })

export const sendParameters = {
  alarmMailsPerHour: budget(
    texts('每小时告警邮件', '每小時告警郵件', 'Alarm mails per hour'),
    texts(
      '超出时告警暂缓通知，额度恢复后合并为一条汇总',
      '超出時告警暫緩通知，額度恢復後合併為一則彙總',
      'Beyond it alarms are held back and told together as soon as the budget has room again',
    ),
    [300, 20, 10_000],
  ),
  channelNoticesPerHour: budget(
    texts('每小时渠道通知', '每小時管道通知', 'Channel notices per hour'),
    texts(
      'Webhook、群机器人和短信；超出时告警暂缓通知，额度恢复后合并为一条汇总',
      'Webhook、群組機器人和簡訊；超出時告警暫緩通知，額度恢復後合併為一則彙總',
      'Webhooks, robots and SMS; beyond it alarms are held back and told together as soon as the budget has room again',
    ),
    [600, 20, 20_000],
  ),
  reportMailsPerHour: budget(
    texts('每小时报表邮件', '每小時報表郵件', 'Report mails per hour'),
    texts(
      '超出时定时报表延后发送，“立即发送”会被拒绝',
      '超出時排程報表延後寄送，「立即寄送」會被拒絕',
      'Beyond it scheduled reports wait, and “Send now” is refused',
    ),
    [100, 20, 5_000],
  ),
  confirmationMailsPerHour: budget(
    texts('每小时确认邮件', '每小時確認郵件', 'Confirmation mails per hour'),
    texts(
      '发送到尚未确认的地址：绑定邮箱、报表收件人',
      '寄送到尚未確認的位址：綁定電子郵件、報表收件人',
      'To addresses that nobody has confirmed yet: binding an e-mail address, recipients of reports',
    ),
    [30, 5, 500],
  ),
  channelTestsPerHour: budget(
    texts('每小时渠道测试', '每小時管道測試', 'Channel tests per hour'),
    texts('通知渠道的测试消息', '通知管道的測試訊息', 'Test notices of channels'),
    [20, 5, 200],
  ),
} as const
