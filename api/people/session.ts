import { hashPassword } from '#infra/secrets'
import { refuse } from '#schema/kit/refusal'
import { peopleRefusals } from '#schema/people/people-refusals'
import {
  changePassword,
  emailLogin,
  getUserDetails,
  isGoodPassword,
  userLogin,
  userLogout,
} from '#schema/people/session'
import { sessionRefusals } from '#schema/people/session-refusals'
import { handler, openHandler } from '../kit/handler.ts'
import { dropBindings } from './binding-mail.ts'
import { logIn } from './log-in.ts'
import { askPassword, loadDetails, visiblePart } from './password.ts'
import { resetPassword } from './user-reach.ts'

export const userLoginHandler = openHandler(userLogin, (ctx, { username, password, totp }) => {
  const name = username.toLowerCase()
  return logIn(ctx, { way: 'username', name, password, totp, where: ctx.sql`lower(u.username) = ${name}` })
})

/** `users.email` contains only confirmed addresses; an unconfirmed one cannot be used to log in. */
export const emailLoginHandler = openHandler(emailLogin, (ctx, { email, password, totp }) => {
  const name = email.toLowerCase()
  return logIn(ctx, { way: 'email', name, password, totp, where: ctx.sql`lower(u.email) = ${name}` })
})

export const userLogoutHandler = handler(userLogout, async (ctx) => {
  if (ctx.actor.sessionId)
    await ctx.sql`update sessions set ended_at = now() where id = ${ctx.actor.sessionId} and ended_at is null`
  return null
})

export const getUserDetailsHandler = handler(getUserDetails, async (ctx) => {
  const row = await loadDetails(ctx.sql, ctx.sql`u.id = ${ctx.actor.userId}`)
  if (!row) refuse(sessionRefusals.sessionEnded)
  // The console calls this when it is opened, and again after a change of language. Scripts have no language.
  if (ctx.actor.sessionId)
    await ctx.sql`update users set language = ${ctx.language}
      where id = ${ctx.actor.userId} and language is distinct from ${ctx.language}`
  return visiblePart(row)
})

export const changePasswordHandler = handler(changePassword, async (ctx, body) => {
  if (body.confirmPassword !== undefined && body.confirmPassword !== body.newpassword)
    refuse(peopleRefusals.passwordsDiffer, {}, 'confirmPassword')
  if (body.userId !== undefined && body.userId !== ctx.actor.userId)
    return resetPassword(ctx, body.newpassword)
  const { passwordHash } = await askPassword(ctx, body.oldpassword ?? '', 'oldpassword')
  if (!isGoodPassword(body.newpassword)) refuse(sessionRefusals.passwordRule, {}, 'newpassword')
  if (body.newpassword === body.oldpassword) refuse(sessionRefusals.samePassword, {}, 'newpassword')
  const made = await hashPassword(body.newpassword)
  await ctx.sql.begin(async (tx) => {
    // An administrator may have set another one meanwhile, because somebody else knows the old one.
    const [still] = await tx`
      update users set password_hash = ${made} where id = ${ctx.actor.userId} and password_hash = ${passwordHash} returning id`
    if (!still) refuse(sessionRefusals.wrongPassword, {}, 'oldpassword')
    // Sessions that know only the old password end, this one stays. API tokens are revoked too: an attacker may have
    // created them.
    await tx`update sessions set ended_at = now() where user_id = ${ctx.actor.userId} and ended_at is null and id is distinct from ${ctx.actor.sessionId}`
    await tx`update api_tokens set revoked_at = now() where user_id = ${ctx.actor.userId} and revoked_at is null`
    await dropBindings(tx, ctx.actor.userId)
  })
  return null
})
