import type { ISql } from 'postgres'
import { hashPassword, hashSecret } from '#infra/secrets'
import { refuse } from '#schema/kit/refusal'
import { accountRefusals } from '#schema/people/account-refusals'
import {
  acceptInvitation,
  readInvitation,
  sendInvitation,
  withdrawInvitation,
} from '#schema/people/invitation'
import { peopleRefusals } from '#schema/people/people-refusals'
import { tell } from '../kit/about.ts'
import { handler, openHandler } from '../kit/handler.ts'
import { inviteUser } from './send-invitation.ts'
import { checkNewPassword, lesserUser } from './user-reach.ts'

export const sendInvitationHandler = handler(sendInvitation, (ctx) =>
  inviteUser(ctx, lesserUser(ctx).id, null),
)

export const withdrawInvitationHandler = handler(withdrawInvitation, async (ctx) => {
  const { id } = lesserUser(ctx)
  const withdrawn = await ctx.sql<{ email: string }[]>`
    update invitations set withdrawn_at = now()
    where user_id = ${id} and accepted_at is null and withdrawn_at is null returning email`
  if (!withdrawn[0]) refuse(peopleRefusals.notInvitable)
  ctx.note({ after: { withdrawn: withdrawn[0].email } })
  return null
})

type Found = {
  userId: number
  username: string
  email: string
  customerId: number | null
  customerName: string | null
}

/**
 * The user of a link. Every reason why a link is invalid is the same refusal, so that it reveals nothing about users:
 * unknown, used, replaced, withdrawn, expired, or its user deleted, disabled or with another address by now.
 */
async function ofLink(sql: ISql, token: string): Promise<Found> {
  const [found] = await sql<Found[]>`
    select u.id as "userId", u.username, i.email, u.customer_id as "customerId", c.name as "customerName"
    from invitations i join users u on u.id = i.user_id left join customers c on c.id = u.customer_id
    where i.hash = ${hashSecret(token)} and i.accepted_at is null and i.withdrawn_at is null and i.expires_at > now()
      and u.status = 1 and lower(u.email) = lower(i.email)`
  return found ?? refuse(accountRefusals.linkInvalid)
}

export const readInvitationHandler = openHandler(readInvitation, async ({ sql }, { token }) => {
  const { username, email, customerName } = await ofLink(sql, token)
  return { username, email, customerName }
})

export const acceptInvitationHandler = openHandler(acceptInvitation, async (ctx, body) => {
  const { token, password } = body
  // First the link: hashing a password is expensive, and a stranger must not be able to cause it.
  const { userId } = await ofLink(ctx.sql, token)
  checkNewPassword(password, 'password')
  if (body.confirmPassword !== password) refuse(peopleRefusals.passwordsDiffer, {}, 'confirmPassword')
  const passwordHash = await hashPassword(password)
  const { username, email, customerId } = await ctx.sql.begin(async (tx) => {
    // The user's row first, as sending an invitation does; then the link is checked again.
    await tx`select 1 from users where id = ${userId} for update`
    const found = await ofLink(tx, token)
    await tx`update invitations set accepted_at = now() where user_id = ${userId}`
    await tx`update users set password_hash = ${passwordHash} where id = ${userId}`
    return found
  })
  ctx.note({ who: { userId, username, customerId }, after: { newPassword: true } })
  tell(ctx, [{ id: userId, name: username, customerId }])
  return { username, email }
})
