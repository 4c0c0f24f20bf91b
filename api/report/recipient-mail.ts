/** The mail that asks an unknown address to confirm, in the language of the user who created the report. */
import type { ServerSay } from '#schema/kit/say'
import { RECIPIENT_LINK_DAYS } from '#schema/report/recipient'

/** `customer` null: the platform. Contains no free text of the user, so that it cannot carry a message. */
export const recipientMail = (say: ServerSay, customer: string | null, link: string) => ({
  subject: say('report-schedule:recipient.subject'),
  text: say('report-schedule:recipient.text', {
    customer: customer ?? say('report-schedule:recipient.platform'),
    link,
    days: RECIPIENT_LINK_DAYS,
  }),
})
