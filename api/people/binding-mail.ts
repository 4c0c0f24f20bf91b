/** The mail that binds an address, in the language of the user who requested it. */
import type { ServerSay } from '#schema/kit/say'
import { BINDING_MINUTES } from '#schema/people/profile'

export const bindingMail = (say: ServerSay, username: string, link: string) => ({
  subject: say('profile:bindMail.subject'),
  text: say('profile:bindMail.text', { username, link, minutes: BINDING_MINUTES }),
})
