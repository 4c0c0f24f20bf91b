/** The mail that invites a user, in the language that was chosen for them. */
import type { ServerSay } from '#schema/kit/say'
import { INVITATION_DAYS } from '#schema/people/invitation'

type Invited = { username: string; customer: string | null; link: string }

export const invitationMail = (say: ServerSay, { username, customer, link }: Invited) => ({
  subject: say('invitation:mail.subject'),
  text:
    customer === null
      ? say('invitation:mail.textPlatform', { username, link, days: INVITATION_DAYS })
      : say('invitation:mail.text', { username, customer, link, days: INVITATION_DAYS }),
})
