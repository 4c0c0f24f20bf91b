/** The mail that asks a stranger whether reports may be sent to them, in the language of who set the report up. */
import type { Language } from '#schema/kit/refusal'
import { RECIPIENT_LINK_DAYS } from '#schema/report/recipient'

type Letter = { subject: string; text: string }

/** `customer` null: the platform itself. Nothing here is free text of whoever asks: it must not carry their message. */
export function recipientMail(language: Language, customer: string | null, link: string): Letter {
  const days = String(RECIPIENT_LINK_DAYS)
  switch (language) {
    case 'zh-CN':
      return {
        subject: '确认接收报表 - 物联网云平台',
        text: `您好：\n\n${customer ?? '物联网云平台'} 希望将设备报表发送到此邮箱。如果您同意接收，请在 ${days} 天内打开以下链接确认：\n\n${link}\n\n链接只能使用一次。如果您不需要这些报表，请忽略此邮件，不会再向您发送任何内容。\n`,
      }
    case 'zh-TW':
      return {
        subject: '確認接收報表 - 物聯網雲端平台',
        text: `您好：\n\n${customer ?? '物聯網雲端平台'} 希望將裝置報表寄送到此電子郵件。如果您同意接收，請在 ${days} 天內開啟以下連結確認：\n\n${link}\n\n連結只能使用一次。如果您不需要這些報表，請忽略此郵件，不會再向您寄送任何內容。\n`,
      }
    case 'en-US':
      return {
        subject: 'Confirm that you want reports - IoT cloud platform',
        text: `Hello,\n\n${customer ?? 'The IoT cloud platform'} would like to send device reports to this address. If you want them, confirm it by this link within ${days} days:\n\n${link}\n\nThe link works once. If you do not want the reports, ignore this mail and nothing else will be sent to you.\n`,
      }
  }
}
