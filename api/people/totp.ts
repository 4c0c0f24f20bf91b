import type { ISql } from 'postgres'
import { refuse } from '#schema/kit/refusal'
import { accountRefusals } from '#schema/people/account-refusals'
import { sessionRefusals } from '#schema/people/session-refusals'
import {
  beginTotp,
  confirmTotp,
  disableTotp,
  getTotp,
  renewRecoveryCodes,
  resetUserTotp,
} from '#schema/people/totp'
import { type CallContext, handler } from '../kit/handler.ts'
import { byUser, countFailure, forgetFailures, refuseThrottled } from '../kit/throttle.ts'
import { askPassword, type LoginRow } from './password.ts'
import { makeTotp, pendingStep, renewCodes, spendCode } from './totp-codes.ts'
import { lesserUser } from './user-reach.ts'

export const getTotpHandler = handler(getTotp, async ({ sql, actor }) => {
  const [row] = await sql<{ since: Date | null; required: boolean; recoveryLeft: number }[]>`
    select u.totp_at as since, coalesce(c.totp_required, false) as required,
      (select count(*)::int from recovery_codes r where r.user_id = u.id and r.used_at is null) as "recoveryLeft"
    from users u left join customers c on c.id = u.customer_id where u.id = ${actor.userId}`
  if (!row) refuse(sessionRefusals.sessionEnded)
  return { ...row, on: row.since !== null }
})

/** Only with a login: a token for scripts must not change how its owner logs in. */
function refuseTokens(ctx: CallContext): void {
  if (ctx.actor.apiToken) refuse(sessionRefusals.noPermission)
}

export const beginTotpHandler = handler(beginTotp, async (ctx, { passwd }) => {
  refuseTokens(ctx)
  const row = await askPassword(ctx, passwd, 'passwd')
  if (row.totpOn) refuse(accountRefusals.totpAlreadyOn)
  const { secret, uri, sealed } = makeTotp(row.username, ctx.env.JWT_SECRET)
  await ctx.sql`update users set totp_secret = ${sealed}, totp_step = null where id = ${row.user_id} and totp_at is null`
  return { secret, uri }
})

export const confirmTotpHandler = handler(confirmTotp, async (ctx, { totp }) => {
  refuseTokens(ctx)
  const { userId, sessionId } = ctx.actor
  const guesses = byUser('totp', userId)
  await refuseThrottled(ctx, guesses)
  const [row] = await ctx.sql<{ sealed: string | null; on: boolean }[]>`
    select totp_secret as sealed, totp_at is not null as on from users where id = ${userId}`
  if (row?.on) refuse(accountRefusals.totpAlreadyOn)
  if (!row?.sealed) refuse(accountRefusals.totpNotBegun)
  const step = pendingStep(ctx, userId, row.sealed, totp)
  if (step === null) {
    await countFailure(ctx, guesses)
    refuse(accountRefusals.totpWrong, {}, 'totp')
  }
  const codes = await ctx.sql.begin(async (tx) => {
    const [done] = await tx`
      update users set totp_at = ${ctx.now()}, totp_step = ${step}
      where id = ${userId} and totp_at is null and totp_secret = ${row.sealed} returning id`
    if (!done) return null
    // Logins with only the password end.
    await tx`update sessions set ended_at = now() where user_id = ${userId} and ended_at is null and id is distinct from ${sessionId}`
    return renewCodes(tx, userId)
  })
  if (codes === null) refuse(accountRefusals.totpNotBegun)
  await forgetFailures(ctx, guesses)
  ctx.note({ before: { secondFactor: false }, after: { secondFactor: true } })
  return { codes }
})

/** @throws Refusal 15 for the password, 181 for the code; what `before` throws uses up no code. */
async function askBoth(
  ctx: CallContext,
  { passwd, totp }: { passwd: string; totp: string },
  before: (row: LoginRow) => void = () => undefined,
): Promise<LoginRow> {
  refuseTokens(ctx)
  const row = await askPassword(ctx, passwd, 'passwd')
  if (!row.totpOn) refuse(accountRefusals.totpNotBegun)
  before(row)
  const guesses = byUser('totp', row.user_id)
  await refuseThrottled(ctx, guesses)
  if (!(await spendCode(ctx, { userId: row.user_id, sealed: row.totpSecret ?? '' }, totp))) {
    await countFailure(ctx, guesses)
    refuse(accountRefusals.totpWrong, {}, 'totp')
  }
  await forgetFailures(ctx, guesses)
  return row
}

export const renewRecoveryCodesHandler = handler(renewRecoveryCodes, async (ctx, body) => {
  const row = await askBoth(ctx, body)
  return { codes: await ctx.sql.begin((tx) => renewCodes(tx, row.user_id)) }
})

async function turnOff(tx: ISql, userId: number): Promise<void> {
  await tx`update users set totp_at = null, totp_secret = null, totp_step = null where id = ${userId}`
  await tx`delete from recovery_codes where user_id = ${userId}`
}

export const disableTotpHandler = handler(disableTotp, async (ctx, body) => {
  const row = await askBoth(ctx, body, ({ totpRequired }) => {
    if (totpRequired) refuse(accountRefusals.totpRequired)
  })
  await ctx.sql.begin((tx) => turnOff(tx, row.user_id))
  ctx.note({
    before: { secondFactor: true },
    after: { secondFactor: false },
  })
  return null
})

export const resetUserTotpHandler = handler(resetUserTotp, async (ctx) => {
  const user = lesserUser(ctx)
  // Users turn off their own second factor only with password and code.
  if (user.id === ctx.actor.userId) refuse(sessionRefusals.noPermission)
  await ctx.sql.begin(async (tx) => {
    await turnOff(tx, user.id)
    await tx`update sessions set ended_at = now() where user_id = ${user.id} and ended_at is null`
  })
  ctx.note({
    before: { secondFactor: user.totpAt !== null },
    after: { secondFactor: false },
  })
  return null
})
