/** Codes of authenticator apps and recovery codes: created, checked, used up. */

import { randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import type { ISql } from 'postgres'
import type { Context } from '#infra/context'
import { hashSecret, seal, unseal } from '#infra/secrets'
import { refuse } from '#schema/kit/refusal'
import { accountRefusals } from '#schema/people/account-refusals'
import { isTotpCode, RECOVERY_CODES, TOTP_DIGITS, TOTP_PERIOD_S, TOTP_WINDOW } from '#schema/people/totp'

type Teller = Pick<Context, 'sql' | 'env' | 'now' | 'log'>

const totpOf = (secret: Secret, label = '') =>
  new TOTP({
    issuer: 'IoT cloud platform',
    label,
    // The only algorithm of RFC 6238 that every app supports.
    algorithm: 'SHA1',
    digits: TOTP_DIGITS,
    period: TOTP_PERIOD_S,
    secret,
  })

/** 160 random bits [RFC 4226 §4 R6]. `sealed` is what the database stores. */
export function makeTotp(username: string, key: string): { secret: string; uri: string; sealed: string } {
  const secret = new Secret({ size: 20 })
  return {
    secret: secret.base32,
    uri: totpOf(secret, username).toString(),
    sealed: seal(secret.base32, key),
  }
}

function readSecret(ctx: Teller, userId: number, sealed: string): Secret {
  try {
    return Secret.fromBase32(unseal(sealed, ctx.env.JWT_SECRET))
  } catch (error) {
    // JWT_SECRET was changed, or the database came from another installation.
    ctx.log.error({ err: error, userId }, 'a second factor cannot be unsealed')
    refuse(accountRefusals.totpUnreadable)
  }
}

const stepAt = (ms: number) => Math.floor(ms / 1000 / TOTP_PERIOD_S)
/** A step that is this far ahead of now was used before the clock was set back [decisions/061]. */
const CLOCK_STEPS = TOTP_WINDOW + 60 / TOTP_PERIOD_S

/** The time step of a code that is correct within ±1 step; null if it is wrong. */
function stepOf(ctx: Teller, secret: Secret, code: string): number | null {
  const timestamp = ctx.now().getTime()
  const delta = totpOf(secret).validate({ token: code, timestamp, window: TOTP_WINDOW })
  return delta === null ? null : stepAt(timestamp) + delta
}

/** For a secret that was just created and is not yet confirmed. */
export const pendingStep = (ctx: Teller, userId: number, sealed: string, code: string): number | null =>
  isTotpCode(code) ? stepOf(ctx, readSecret(ctx, userId, sealed), code) : null

/** Uses up a code of the app or a recovery code; false if it is wrong or was used before. */
export async function spendCode(
  ctx: Teller,
  user: { userId: number; sealed: string },
  code: string,
): Promise<boolean> {
  const { userId } = user
  if (!isTotpCode(code)) {
    const used = await ctx.sql`
      update recovery_codes set used_at = ${ctx.now()}
      where user_id = ${userId} and hash = ${hashSecret(code)} and used_at is null returning id`
    return used.length > 0
  }
  const step = stepOf(ctx, readSecret(ctx, userId, user.sealed), code)
  if (step === null) return false
  // [RFC 6238 §5.2] A code works once: of two simultaneous logins one succeeds.
  const taken = await ctx.sql`
    update users set totp_step = ${step} where id = ${userId}
      and (coalesce(totp_step, 0) < ${step} or totp_step > ${stepAt(ctx.now().getTime()) + CLOCK_STEPS}) returning id`
  return taken.length > 0
}

/** Ten new codes of 80 random bits as `xxxx-xxxx-xxxx-xxxx`; the previous ones are deleted. */
export async function renewCodes(tx: ISql, userId: number): Promise<string[]> {
  const made = Array.from({ length: RECOVERY_CODES }, () =>
    new Secret({ buffer: Uint8Array.from(randomBytes(10)).buffer }).base32.toLowerCase(),
  )
  // Of two calls at the same time the second one deletes the codes of the first.
  await tx`select 1 from users where id = ${userId} for no key update`
  await tx`delete from recovery_codes where user_id = ${userId}`
  await tx`insert into recovery_codes (user_id, hash) select ${userId}::int, x from unnest(${made.map(hashSecret)}::text[]) x`
  return made.map((code) => code.replace(/(.{4})(?=.)/g, '$1-'))
}
