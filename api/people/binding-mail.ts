/** The mail that binds an address, in the language of the user who requested it, and the end of its link. */
import { sql } from 'drizzle-orm'
import type { Transaction } from '#infra/postgres'
import type { ServerSay } from '#schema/kit/say'
import { BINDING_MINUTES } from '#schema/people/profile'
import type { CallContext } from '../kit/handler.ts'

export const bindingMail = (say: ServerSay, username: string, link: string) => ({
  subject: say('profile:bindMail.subject'),
  text: say('profile:bindMail.text', { username, link, minutes: BINDING_MINUTES }),
})

/** The link of a binding becomes invalid: whoever asked for it may have known only a password that is no longer valid. */
export const dropBindings = (tx: Transaction, userId: number) =>
  tx`update email_bindings set used_at = now() where user_id = ${userId} and used_at is null`

/** The same when an administrator sets another address, which the link would replace. */
export const dropBindingsUnless = (
  tx: Pick<CallContext['db'], 'execute'>,
  userId: number,
  email: string | null,
) =>
  tx.execute(sql`
    update email_bindings b set used_at = now() from users u
    where u.id = ${userId} and b.user_id = u.id and b.used_at is null and u.email is distinct from ${email}`)
