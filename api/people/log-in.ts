/**
 * Logging in: password, then the second factor if there is one, then a session; every attempt that was checked is in
 * the history.
 */

import { randomUUID } from 'node:crypto'
import type { Context } from '#infra/context'
import { hashPassword, verifyPassword } from '#infra/secrets'
import { Refusal, refuse } from '#schema/kit/refusal'
import { accountRefusals } from '#schema/people/account-refusals'
import type { LoginWay } from '#schema/people/login'
import { PASSWORD_MIN } from '#schema/people/session'
import { sessionRefusals } from '#schema/people/session-refusals'
import type { OpenContext } from '../kit/handler.ts'
import { byName, byUser, countFailure, forgetFailures, inTurn, refuseThrottled } from '../kit/throttle.ts'
import { type LoginRow, loadDetails, visiblePart } from './password.ts'
import { spendCode } from './totp-codes.ts'

/** Costs as much as a real check, so that timing does not reveal whether a user exists. */
let decoy: Promise<string> | undefined
const decoyHash = () => {
  decoy ??= hashPassword(randomUUID())
  return decoy
}

export type Attempt = {
  way: LoginWay
  /** Lower case, as used for throttling. */
  name: string
  password: string
  totp: string | undefined
  /** A condition on `u`. */
  where: ReturnType<Context['sql']>
}

/** Data of an attempt for the history, filled in as it becomes known. */
type Seen = { user?: LoginRow }

/** @throws Refusal; attempts that were not checked (throttled, too short) are not counted. */
async function judge(ctx: OpenContext, attempt: Attempt, seen: Seen): Promise<LoginRow> {
  const counters = byName(attempt.name, ctx.ip)
  await refuseThrottled(ctx, counters)
  const found = await loadDetails(ctx.sql, attempt.where)
  const right = await verifyPassword(attempt.password, found?.passwordHash ?? (await decoyHash()))
  if (found) seen.user = found
  if (!found || !right || found.user_status !== 1) {
    await countFailure(ctx, counters)
    refuse(sessionRefusals.wrongCredentials)
  }
  if (found.totpOn) {
    const guesses = byUser('totp', found.user_id)
    await refuseThrottled(ctx, guesses)
    if (!attempt.totp) refuse(accountRefusals.totpNeeded, {}, 'totp')
    const user = { userId: found.user_id, sealed: found.totpSecret ?? '' }
    if (!(await spendCode(ctx, user, attempt.totp))) {
      await countFailure(ctx, [...counters, ...guesses])
      refuse(accountRefusals.totpWrong, {}, 'totp')
    }
    await forgetFailures(ctx, guesses)
  }
  await forgetFailures(ctx, counters)
  return found
}

const record = (ctx: OpenContext, { way, name }: Attempt, seen: Seen, code: number, sid: string | null) =>
  ctx.sql`
    insert into logins (at, user_id, username, customer_id, way, code, ip, user_agent, session_id)
    values (${ctx.now()}, ${seen.user?.user_id ?? null}, ${(seen.user?.username ?? name).slice(0, 64)},
      ${seen.user?.user_ctid ?? null}, ${way}, ${code}, ${ctx.ip}, ${ctx.userAgent}, ${sid})`

/** Failures that belong in the history. A missing code is only half a login. */
const judged: readonly number[] = [sessionRefusals.wrongCredentials.code, accountRefusals.totpWrong.code]

export async function logIn(ctx: OpenContext, attempt: Attempt) {
  if (attempt.password.length < PASSWORD_MIN) refuse(sessionRefusals.passwordTooShort, {}, 'password')
  const seen: Seen = {}
  let row: LoginRow
  try {
    row = await inTurn(ctx.ip, () => judge(ctx, attempt, seen))
  } catch (error) {
    if (error instanceof Refusal && judged.includes(error.kind.code))
      await record(ctx, attempt, seen, error.kind.code, null)
    throw error
  }
  const sid = randomUUID()
  const hours = await ctx.parameters.get('sessionHours', row.user_ctid)
  const began = await ctx.sql.begin(async (tx) => {
    // Disabling the user, or a change of the password or the second factor, ends all sessions: none may begin with what
    // was valid before it.
    const [still] = await tx`
      update users set last_login_at = now()
      where id = ${row.user_id} and status = 1 and password_hash = ${row.passwordHash}
        and totp_at is not null = ${row.totpOn} returning id`
    if (still) {
      await tx`insert into sessions (id, user_id, expires_at, ip, user_agent)
        values (${sid}, ${row.user_id}, now() + ${hours} * interval '1 hour', ${ctx.ip}, ${ctx.userAgent})`
      // Who has a password needs no link: one that is still in a mailbox must not replace it later [decisions/086].
      await tx`update invitations set user_id = null where user_id = ${row.user_id} and accepted_at is null`
    }
    return still !== undefined
  })
  if (!began) {
    await record(ctx, attempt, seen, sessionRefusals.wrongCredentials.code, null)
    refuse(sessionRefusals.wrongCredentials)
  }
  await record(ctx, attempt, seen, 0, sid)
  ctx.note({ who: { userId: row.user_id, username: row.username, customerId: row.user_ctid } })
  const token = ctx.jwt.sign({ sid, uid: row.user_id }, { expiresIn: `${hours}h` })
  return { ...visiblePart(row), token }
}
