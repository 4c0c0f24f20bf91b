import type { Transaction } from '#infra/postgres'
import { refuse } from '#schema/kit/refusal'
import { accountRefusals } from '#schema/people/account-refusals'

/** Mails to users are rows with a user and an address: where, when each was sent, and how many an hour there may be. */
type Mails = { table: 'email_bindings' | 'invitations'; sentAt: 'created_at' | 'sent_at'; perHour: number }

/** @throws Refusal 188: neither a user nor an address may be flooded. */
export async function refuseFlood(
  tx: Transaction,
  { table, sentAt, perHour }: Mails,
  { userId, email }: { userId: number; email: string },
): Promise<void> {
  const at = tx(sentAt)
  const [row] = await tx<{ minutes: number | null }[]>`
    select ceil(extract(epoch from min(${at}) + interval '1 hour' - now()) / 60)::int as minutes from (
      select ${at} from ${tx(table)}
      where (user_id = ${userId} or lower(email) = ${email.toLowerCase()})
        -- What was sent in the future was sent before the clock was set back [decisions/061].
        and ${at} between now() - interval '1 hour' and now() + interval '1 minute'
      order by ${at} desc limit ${perHour}) recent having count(*) >= ${perHour}`
  if (row) refuse(accountRefusals.mailTooOften, { minutes: Math.max(1, row.minutes ?? 1) })
}
