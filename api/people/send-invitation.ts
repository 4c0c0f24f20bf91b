/** Writing an invitation and its mail, and what prevents it. */

import type { ISql } from 'postgres'
import { mailWay, queueMail } from '#infra/mail'
import type { Transaction } from '#infra/postgres'
import { sayIn } from '#infra/say'
import { hashSecret, makeSecret } from '#infra/secrets'
import { type Language, refuse } from '#schema/kit/refusal'
import { accountRefusals } from '#schema/people/account-refusals'
import { INVITATION_PATH, LINK_LANGUAGE } from '#schema/people/before-login'
import { INVITATION_DAYS, INVITATIONS_PER_HOUR } from '#schema/people/invitation'
import { peopleRefusals } from '#schema/people/people-refusals'
import { sendMails } from '#schema/platform/mail'
import type { CallContext } from '../kit/handler.ts'
import { refuseSpent } from '../kit/spend-budget.ts'
import { wake } from '../kit/wake-job.ts'
import { invitationMail } from './invitation-mail.ts'
import { refuseFlood } from './mail-flood.ts'

type Caller = Pick<CallContext, 'env' | 'parameters'> & { sql: ISql }

/** @throws Refusal 197 or 198 if no mail can be sent now. */
export async function checkInviting(ctx: Caller, customerId: number | null): Promise<void> {
  if (mailWay(ctx.env) === 'missing') refuse(accountRefusals.noTransport)
  await refuseSpent(ctx, { customerId, purpose: 'confirmation' })
}

/** Those of deleted users count, too, or a user who is deleted and created again could be mailed without end. */
const INVITATIONS = { table: 'invitations', sentAt: 'sent_at', perHour: INVITATIONS_PER_HOUR } as const

/** The link of an earlier invitation becomes invalid: a new link, or a typed password, takes its place. */
export const detachInvitation = (tx: Transaction, userId: number) =>
  tx`update invitations set user_id = null where user_id = ${userId}`

type Invited = {
  username: string
  email: string | null
  customerId: number | null
  customer: string | null
  fresh: boolean
  language: Language | null
}

/**
 * Mails a new link to a user who has not logged in. `language` null: of the last invitation, or of the caller.
 * @throws Refusal 187, 188, 197, 198 or 199
 */
export async function inviteUser(
  ctx: CallContext,
  userId: number,
  language: Language | null,
): Promise<{ kept: boolean }> {
  const token = makeSecret()
  await ctx.sql.begin(async (tx) => {
    // Serialized per user, and per address for all users, so that the count is correct. Locked in a statement of its own:
    // a query that waits for the user's row still reads the invitation as it was before the wait, not yet accepted.
    await tx`select 1 from users where id = ${userId} for update`
    const [user] = await tx<Invited[]>`
      select u.username, u.email, u.customer_id as "customerId", c.name as customer,
        u.last_login_at is null and i.accepted_at is null as fresh, i.language
      from users u left join customers c on c.id = u.customer_id left join invitations i on i.user_id = u.id
      where u.id = ${userId}`
    if (!user?.fresh) return refuse(peopleRefusals.notInvitable)
    const { username, email, customer, customerId } = user
    if (email === null) return refuse(accountRefusals.emailFormat, {}, 'email')
    await tx`select pg_advisory_xact_lock(hashtextextended(${`invitations ${email.toLowerCase()}`}, 0))`
    await refuseFlood(tx, INVITATIONS, { userId, email })
    await checkInviting({ ...ctx, sql: tx }, customerId)
    const spoken = language ?? user.language ?? ctx.language
    const link = `${ctx.env.PUBLIC_URL}${INVITATION_PATH}?${LINK_LANGUAGE}=${spoken}#${token}`
    await detachInvitation(tx, userId)
    await tx`
      insert into invitations (user_id, email, language, hash, expires_at)
      values (${userId}, ${email}, ${spoken}, ${hashSecret(token)}, now() + ${INVITATION_DAYS} * interval '1 day')`
    const letter = invitationMail(sayIn(spoken), { username, customer, link })
    await queueMail(tx, ctx.parameters, { customerId, purpose: 'confirmation', recipient: email, ...letter })
    ctx.note({ after: { invited: email } })
  })
  await wake(ctx, sendMails)
  return { kept: mailWay(ctx.env) === 'outbox' }
}
