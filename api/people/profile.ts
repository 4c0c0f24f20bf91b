import { and, eq, sql } from 'drizzle-orm'
import { mailWay, queueMail } from '#infra/mail'
import { sayIn } from '#infra/say'
import { hashSecret, makeSecret } from '#infra/secrets'
import { emailAddress } from '#schema/kit/person'
import { refuse } from '#schema/kit/refusal'
import { accountRefusals } from '#schema/people/account-refusals'
import { CONFIRM_EMAIL_PATH, LINK_LANGUAGE } from '#schema/people/before-login'
import { peopleRefusals } from '#schema/people/people-refusals'
import {
  BINDING_MINUTES,
  BINDINGS_PER_HOUR,
  bindEmail,
  confirmEmail,
  updateUser,
} from '#schema/people/profile'
import { sessionRefusals } from '#schema/people/session-refusals'
import { sendMails } from '#schema/platform/mail'
import { images } from '#schema/tables/customer'
import { users } from '#schema/tables/user'
import { rowOf } from '../kit/about.ts'
import { edit } from '../kit/edition.ts'
import { type CallContext, handler, openHandler } from '../kit/handler.ts'
import { visible } from '../kit/scope.ts'
import { refuseSpent } from '../kit/spend-budget.ts'
import { whenTaken } from '../kit/unique-violation.ts'
import { wake } from '../kit/wake-job.ts'
import { bindingMail, dropBindings } from './binding-mail.ts'
import { refuseFlood } from './mail-flood.ts'
import { askPassword } from './password.ts'
import { storedUser } from './user-object.ts'

/** An image can be used only by the customer that uploaded it. */
async function reachImage({ db, actor }: CallContext, id: string): Promise<void> {
  const [found] = await db
    .select({ id: images.id })
    .from(images)
    .where(and(visible(actor).images, eq(images.id, id)))
  if (!found) refuse(sessionRefusals.noPermission)
}

export const updateUserHandler = handler(updateUser, async (ctx, body) => {
  // Listed one by one: the other user fields are accepted and ignored, because some of them would grant permissions.
  const { nickname, realname, user_qq: qq, user_sex: sex, user_tel: tel, user_addr: addr } = body
  const { user_icon: icon, edition } = body
  const given = { nickname, realname, qq, sex, tel, addr, icon }
  const after = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  const mine = eq(users.id, ctx.actor.userId)
  const before = rowOf(ctx, storedUser)
  if (icon && icon !== before.icon) await reachImage(ctx, icon)
  if (Object.keys(after).length > 0)
    await edit(ctx, { opened: edition }, (tx) => tx.update(users).set(after).where(mine)).catch(
      whenTaken({ users_tel: () => refuse(peopleRefusals.phoneTaken, { phone: tel ?? '' }, 'user_tel') }),
    )
  return null
})

const BINDINGS = { table: 'email_bindings', sentAt: 'created_at', perHour: BINDINGS_PER_HOUR } as const

export const bindEmailHandler = handler(bindEmail, async (ctx, { email: given, passwd }) => {
  const parsed = emailAddress.safeParse(given)
  if (!parsed.success) refuse(accountRefusals.emailFormat, {}, 'email')
  const email = parsed.data
  const way = mailWay(ctx.env)
  const row = await askPassword(ctx, passwd, 'passwd')
  if (way === 'missing') refuse(accountRefusals.noTransport)
  const { userId, username, customerId } = ctx.actor
  const token = makeSecret()
  const letter = bindingMail(
    sayIn(ctx.language),
    username,
    `${ctx.env.PUBLIC_URL}${CONFIRM_EMAIL_PATH}?${LINK_LANGUAGE}=${ctx.language}#${token}`,
  )
  await ctx.sql.begin(async (tx) => {
    // Serialized per user, and per address for all users, so that the count is correct.
    // With a password that is no longer valid nothing is bound.
    const [still] =
      await tx`select 1 from users where id = ${userId} and password_hash = ${row.passwordHash} for update`
    if (!still) refuse(sessionRefusals.wrongPassword, {}, 'passwd')
    await tx`select pg_advisory_xact_lock(hashtextextended(${`email_bindings ${email.toLowerCase()}`}, 0))`
    const [taken] =
      await tx`select 1 from users where lower(email) = ${email.toLowerCase()} and id <> ${userId}`
    if (taken) refuse(peopleRefusals.emailTaken, { email }, 'email')
    await refuseFlood(tx, BINDINGS, { userId, email })
    await refuseSpent({ ...ctx, sql: tx }, { customerId, purpose: 'confirmation' })
    // Only the last link is valid.
    await dropBindings(tx, userId)
    await tx`
      insert into email_bindings (user_id, email, hash, expires_at)
      values (${userId}, ${email}, ${hashSecret(token)}, now() + ${BINDING_MINUTES} * interval '1 minute')`
    await queueMail(tx, ctx.parameters, { customerId, purpose: 'confirmation', recipient: email, ...letter })
  })
  await wake(ctx, sendMails)
  ctx.note({ before: { email: row.user_email }, after: { asked: email } })
  return { kept: way === 'outbox' }
})

type Bound = {
  id: number
  userId: number
  username: string
  customerId: number | null
  email: string
}

export const confirmEmailHandler = openHandler(confirmEmail, async (ctx, { token }) => {
  const bound = await ctx.sql<Bound[]>`
      select b.id, u.id as "userId", u.username, u.customer_id as "customerId", b.email
      from email_bindings b join users u on u.id = b.user_id
      where b.hash = ${hashSecret(token)} and b.used_at is null and b.expires_at > now() and u.status = 1`.then(
    ([found]) => found ?? refuse(accountRefusals.linkInvalid),
  )
  const { userId, username, customerId, email } = bound
  const target = { of: storedUser, part: 'main', id: userId }
  await edit({ ...ctx, actor: null }, { target }, async (tx) => {
    const used = await tx.execute(
      sql`update email_bindings set used_at = now() where id = ${bound.id} and used_at is null returning id`,
    )
    if (used.length === 0) refuse(accountRefusals.linkInvalid)
    await tx.update(users).set({ email }).where(eq(users.id, userId))
  }).catch(
    // Another user bound it meanwhile.
    whenTaken({ users_email: () => refuse(accountRefusals.linkInvalid) }),
  )
  ctx.note({ who: { userId, username, customerId }, object: username })
  return { email, username }
})
