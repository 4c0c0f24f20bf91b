/** The mail that asks a stranger whether reports may be sent to them, in the language of who set the report up. */
import type { ServerSay } from '#schema/kit/say'
import { RECIPIENT_LINK_DAYS } from '#schema/report/recipient'

/** `customer` null: the platform itself. Nothing here is free text of whoever asks: it must not carry their message. */
export const recipientMail = (say: ServerSay, customer: string | null, link: string) => ({
  subject: say('report-schedule:recipient.subject'),
  text: say('report-schedule:recipient.text', {
    customer: customer ?? say('report-schedule:recipient.platform'),
    link,
    days: RECIPIENT_LINK_DAYS,
  }),
})
