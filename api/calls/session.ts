import { randomUUID } from 'node:crypto'
import type { Context } from '#infra/context'
import { hashPassword, verifyPassword } from '#infra/secrets'
import { refuse } from '#schema/kit/refusal'
import { refusals } from '#schema/refusals'
import {
  changePassword,
  emailLogin,
  getUserDetails,
  isGoodPassword,
  PASSWORD_MIN,
  type UserDetails,
  userLogin,
  userLogout,
} from '#schema/session'
import { handler, type OpenContext, openHandler } from '../handler.ts'
import { countFailure, forgetFailures, inTurn, refuseThrottled } from '../throttle.ts'

/** [§6] A working day; a login that is not used ends with it. */
const SESSION_HOURS = 12

type LoginRow = UserDetails & { passwordHash: string }

async function loadDetails(
  sql: Context['sql'],
  where: ReturnType<Context['sql']>,
): Promise<LoginRow | undefined> {
  const [row] = await sql<LoginRow[]>`
    select u.id as user_id, u.username, u.nickname, u.realname, u.role_id as roleid, r.name as "roleName", u.type as "userType",
      u.customer_id as user_ctid, c.name as "customerName", case when u.customer_id is null then 0 else 1 end as user_iscustomer,
      u.icon as user_icon, u.qq as user_qq, u.sex as user_sex, u.status as user_status, u.tel as user_tel, u.addr as user_addr,
      u.email as user_email, to_char(u.last_login_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "userLoginTime",
      c.copyright as "copyRight", c.logo as "customerLogo", u.default_group_id as "defaultGroupId", u.mon_state as "monState",
      u.password_hash as "passwordHash"
    from users u left join roles r on r.id = u.role_id left join customers c on c.id = u.customer_id where ${where}`
  return row
}

const visiblePart = ({ passwordHash: _hash, ...details }: LoginRow): UserDetails => details

/** Costs as much as a real check, so that an unknown user cannot be told from a wrong password by the clock. */
let decoy: Promise<string> | undefined
const decoyHash = () => {
  decoy ??= hashPassword(randomUUID())
  return decoy
}

async function logIn(ctx: OpenContext, name: string, password: string, where: ReturnType<Context['sql']>) {
  if (password.length < PASSWORD_MIN) refuse(refusals.passwordTooShort, {}, 'password')
  const row = await inTurn(ctx.ip, async () => {
    await refuseThrottled(ctx.sql, name, ctx.ip)
    const found = await loadDetails(ctx.sql, where)
    const right = await verifyPassword(password, found?.passwordHash ?? (await decoyHash()))
    if (!found || !right || found.user_status !== 1) {
      await countFailure(ctx.sql, name, ctx.ip)
      refuse(refusals.wrongCredentials)
    }
    await forgetFailures(ctx.sql, name, ctx.ip)
    return found
  })
  const sid = randomUUID()
  await ctx.sql.begin(async (tx) => {
    await tx`insert into sessions (id, user_id, expires_at, ip, user_agent)
      values (${sid}, ${row.user_id}, now() + ${SESSION_HOURS} * interval '1 hour', ${ctx.ip}, ${ctx.userAgent})`
    await tx`update users set last_login_at = now() where id = ${row.user_id}`
  })
  const token = ctx.jwt.sign({ sid, uid: row.user_id }, { expiresIn: `${SESSION_HOURS}h` })
  return { ...visiblePart(row), token }
}

export const userLoginHandler = openHandler(userLogin, (ctx, body) =>
  logIn(
    ctx,
    body.username.toLowerCase(),
    body.password,
    ctx.sql`lower(u.username) = ${body.username.toLowerCase()}`,
  ),
)

export const emailLoginHandler = openHandler(emailLogin, (ctx, body) =>
  logIn(ctx, body.email.toLowerCase(), body.password, ctx.sql`lower(u.email) = ${body.email.toLowerCase()}`),
)

export const userLogoutHandler = handler(userLogout, async (ctx) => {
  if (ctx.actor.sessionId)
    await ctx.sql`update sessions set ended_at = now() where id = ${ctx.actor.sessionId} and ended_at is null`
  return null
})

export const getUserDetailsHandler = handler(getUserDetails, async (ctx) => {
  const row = await loadDetails(ctx.sql, ctx.sql`u.id = ${ctx.actor.userId}`)
  if (!row) refuse(refusals.sessionEnded)
  return visiblePart(row)
})

export const changePasswordHandler = handler(changePassword, async (ctx, body) => {
  await inTurn(ctx.ip, async () => {
    const row = await loadDetails(ctx.sql, ctx.sql`u.id = ${ctx.actor.userId}`)
    await refuseThrottled(ctx.sql, `password:${ctx.actor.userId}`, ctx.ip)
    if (row && (await verifyPassword(body.oldpassword, row.passwordHash))) return
    await countFailure(ctx.sql, `password:${ctx.actor.userId}`, ctx.ip)
    refuse(refusals.wrongPassword, {}, 'oldpassword')
  })
  if (!isGoodPassword(body.newpassword)) refuse(refusals.passwordRule, {}, 'newpassword')
  if (body.newpassword === body.oldpassword) refuse(refusals.samePassword, {}, 'newpassword')
  const made = await hashPassword(body.newpassword)
  await ctx.sql.begin(async (tx) => {
    await tx`update users set password_hash = ${made} where id = ${ctx.actor.userId}`
    // Whoever knew the old password is out, this login stays. API tokens are revoked too: they may have been made by him.
    await tx`update sessions set ended_at = now() where user_id = ${ctx.actor.userId} and ended_at is null and id is distinct from ${ctx.actor.sessionId}`
    await tx`update api_tokens set revoked_at = now() where user_id = ${ctx.actor.userId} and revoked_at is null`
  })
  return null
})
