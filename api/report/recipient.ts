import { hashSecret } from '#infra/secrets'
import { refuse } from '#schema/kit/refusal'
import { accountRefusals } from '#schema/people/account-refusals'
import { sessionRefusals } from '#schema/people/session-refusals'
import { askRecipient, confirmRecipient } from '#schema/report/recipient'
import { tell } from '../kit/about.ts'
import { handler, openHandler } from '../kit/handler.ts'
import { askRecipients, checkAsking } from './ask-recipients.ts'
import { readableSchedule } from './report-schedule-reach.ts'

export const askRecipientHandler = handler(askRecipient, async (ctx, body) => {
  const { customerId, recipients } = readableSchedule(ctx)
  const email = body.email.toLowerCase()
  if (!recipients.includes(email)) refuse(sessionRefusals.noPermission)
  await checkAsking(ctx, customerId, [email])
  await askRecipients(ctx, customerId, [email])
  ctx.note({ after: { asked: email } })
  return null
})

type Confirmed = { email: string; customerId: number | null; customerName: string | null }

export const confirmRecipientHandler = openHandler(confirmRecipient, async (ctx, { token }) => {
  const [found] = await ctx.sql<Confirmed[]>`
    update recipients r set confirmed_at = now(), hash = null
    where r.hash = ${hashSecret(token)} and r.confirmed_at is null and r.expires_at > now()
    returning r.email, r.customer_id as "customerId", (select name from customers c where c.id = r.customer_id) as "customerName"`
  if (!found) refuse(accountRefusals.linkInvalid)
  const { email, customerId, customerName } = found
  // The object in the log is the address, under the customer of the report.
  if (customerId === null) ctx.note({ object: email })
  else tell(ctx, [{ id: customerId, name: email, customerId }])
  return { email, customerName }
})
