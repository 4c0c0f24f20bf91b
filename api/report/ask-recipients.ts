/** Asks addresses outside the customer to confirm. Nothing else is sent there until they do. */

import { sql } from 'drizzle-orm'
import { mailWay, queueMail } from '#infra/mail'
import { sayIn } from '#infra/say'
import { hashSecret, makeSecret } from '#infra/secrets'
import { refuse } from '#schema/kit/refusal'
import { accountRefusals } from '#schema/people/account-refusals'
import { CONFIRM_RECIPIENT_PATH, LINK_LANGUAGE } from '#schema/people/before-login'
import { sendMails } from '#schema/platform/mail'
import {
  ASK_AGAIN_MINUTES,
  ASKED_PER_HOUR,
  RECIPIENT_LINK_DAYS,
  type RecipientState,
} from '#schema/report/recipient'
import { recipientState } from '#schema/tables/recipient'
import type { CallContext } from '../kit/handler.ts'
import { refuseSpent } from '../kit/spend-budget.ts'
import { wake } from '../kit/wake-job.ts'
import { recipientMail } from './recipient-mail.ts'

async function statesOf({ db }: CallContext, customerId: number | null, emails: readonly string[]) {
  const rows = await db.execute<{ email: string; state: RecipientState }>(sql`
    select e.email, ${recipientState(sql`${customerId}::int`, sql`e.email`)} as state
    from unnest(${sql.param([...emails])}::text[]) as e(email)`)
  return [...rows]
}

/** Not by a clock that has been set back since [decisions/061]. */
const ASKED = `asked_at < now() + interval '1 minute'`

/** @throws Refusal 188 if an address was asked too often, by any customer, so that no one is flooded. */
async function refuseFlood(
  { sql }: CallContext,
  customerId: number | null,
  emails: readonly string[],
): Promise<void> {
  const [row] = await sql<{ minutes: number }[]>`
    select ceil(extract(epoch from min(until) - now()) / 60)::int as minutes from (
      select email, min(asked_at) + interval '1 hour' as until from recipients
      where email = any(${[...emails]}) and asked_at > now() - interval '1 hour' and ${sql.unsafe(ASKED)}
      group by email having count(*) >= ${ASKED_PER_HOUR}
      union all
      select email, asked_at + ${ASK_AGAIN_MINUTES} * interval '1 minute' from recipients
      where email = any(${[...emails]}) and customer_id is not distinct from ${customerId}::int and ${sql.unsafe(ASKED)}) recent
    where until > now()
    having count(*) > 0`
  if (row) refuse(accountRefusals.mailTooOften, { minutes: Math.max(1, row.minutes) }, 'recipients')
}

/** The `emails` that have to be asked. @throws Refusal 188, 197 or 198 if that is not possible now. */
export async function unconfirmedAmong(
  ctx: CallContext,
  customerId: number | null,
  emails: readonly string[],
): Promise<string[]> {
  const states = await statesOf(ctx, customerId, emails)
  const strangers = states.filter(({ state }) => state === 'unasked').map(({ email }) => email)
  await checkAsking(ctx, customerId, strangers)
  return strangers
}

/** @throws Refusal 188, 197 or 198 if these addresses cannot be asked now. */
export async function checkAsking(
  ctx: CallContext,
  customerId: number | null,
  emails: readonly string[],
): Promise<void> {
  if (emails.length === 0) return
  if (mailWay(ctx.env) === 'missing') refuse(accountRefusals.noTransport)
  await refuseFlood(ctx, customerId, emails)
  await refuseSpent(ctx, { customerId, purpose: 'confirmation' })
}

/** Sends each of them one mail with its own link; an earlier link becomes invalid. Check with `checkAsking` first. */
export async function askRecipients(
  ctx: CallContext,
  customerId: number | null,
  emails: readonly string[],
): Promise<void> {
  if (emails.length === 0) return
  await ctx.sql.begin(async (tx) => {
    const [customer] = await tx<{ name: string }[]>`select name from customers where id = ${customerId}::int`
    // In a fixed order, so that two concurrent calls for the same addresses cannot deadlock.
    for (const email of [...emails].toSorted()) {
      const token = makeSecret()
      const asked = await tx`
        insert into recipients as r (customer_id, email, hash, asked_at, expires_at)
        values (${customerId}, ${email}, ${hashSecret(token)}, now(), now() + ${RECIPIENT_LINK_DAYS} * interval '1 day')
        on conflict ((coalesce(customer_id, 0)), email) do update
          set hash = excluded.hash, asked_at = excluded.asked_at, expires_at = excluded.expires_at
          where r.confirmed_at is null
            and not (r.asked_at > now() - ${ASK_AGAIN_MINUTES} * interval '1 minute' and r.${tx.unsafe(ASKED)})
        returning id`
      // Another call has asked, or the address has confirmed meanwhile.
      if (asked.length === 0) continue
      const link = `${ctx.env.PUBLIC_URL}${CONFIRM_RECIPIENT_PATH}?${LINK_LANGUAGE}=${ctx.language}#${token}`
      await queueMail(tx, ctx.parameters, {
        customerId,
        purpose: 'confirmation',
        recipient: email,
        ...recipientMail(sayIn(ctx.language), customer?.name ?? null, link),
      })
    }
  })
  await wake(ctx, sendMails)
}
