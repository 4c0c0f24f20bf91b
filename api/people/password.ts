/** The user of a login, and asking for the password again before actions that a stolen session must not do. */

import type { Context } from '#infra/context'
import { verifyPassword } from '#infra/secrets'
import { refuse } from '#schema/kit/refusal'
import type { UserDetails } from '#schema/people/session'
import { sessionRefusals } from '#schema/people/session-refusals'
import type { CallContext } from '../kit/handler.ts'
import { byName, countFailure, inTurn, refuseThrottled } from '../kit/throttle.ts'

export type LoginRow = UserDetails & { passwordHash: string; totpSecret: string | null }

/** [§3 User] The fields of one user; `where` is a condition on `u`. */
export async function loadDetails(
  sql: Context['sql'],
  where: ReturnType<Context['sql']>,
): Promise<LoginRow | undefined> {
  const [row] = await sql<LoginRow[]>`
    select u.id as user_id, u.username, u.nickname, u.realname, u.role_id as roleid, r.name as "roleName", coalesce(r.template, false) as "roleTemplate", u.type as "userType",
      u.customer_id as user_ctid, c.name as "customerName", case when u.customer_id is null then 0 else 1 end as user_iscustomer,
      '/images/' || u.icon as user_icon, u.qq as user_qq, u.sex as user_sex, u.status as user_status, u.tel as user_tel, u.addr as user_addr,
      u.email as user_email, to_char(u.last_login_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "userLoginTime",
      c.copyright as "copyRight", '/images/' || c.logo as "customerLogo", u.default_group_id as "defaultGroupId", u.mon_state as "monState",
      u.totp_at is not null as "totpOn", coalesce(c.totp_required, false) as "totpRequired",
      -- As api/people/user-object.ts has it of the profile.
      left(md5(row(u.nickname, u.realname, u.sex, u.tel, u.qq, u.addr, u.icon)::text), 16) as edition,
      u.password_hash as "passwordHash", u.totp_secret as "totpSecret"
    from users u left join roles r on r.id = u.role_id left join customers c on c.id = u.customer_id where ${where}`
  return row
}

export const visiblePart = ({
  passwordHash: _hash,
  totpSecret: _secret,
  ...details
}: LoginRow): UserDetails => details

/** @throws Refusal 15 naming `field` if the password is wrong; wrong ones are counted. */
export async function askPassword(ctx: CallContext, password: string, field: string): Promise<LoginRow> {
  return inTurn(ctx.ip, async () => {
    const counters = byName(`password:${ctx.actor.userId}`, ctx.ip)
    await refuseThrottled(ctx, counters)
    const row = await loadDetails(ctx.sql, ctx.sql`u.id = ${ctx.actor.userId}`)
    if (row && (await verifyPassword(password, row.passwordHash))) return row
    await countFailure(ctx, counters)
    refuse(sessionRefusals.wrongPassword, {}, field)
  })
}
