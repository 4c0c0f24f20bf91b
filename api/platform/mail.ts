import { and, eq, not, sql } from 'drizzle-orm'
import type { Context } from '#infra/context'
import { mailWay } from '#infra/mail'
import { refuse } from '#schema/kit/refusal'
import { accountRefusals } from '#schema/people/account-refusals'
import { absent } from '#schema/people/session-refusals'
import { getMail, getMailList, getMailWay, mailObject, resendMail, sendMails } from '#schema/platform/mail'
import { customers } from '#schema/tables/customer'
import { mails } from '#schema/tables/mail'
import { rowOf } from '../kit/about.ts'
import { handler } from '../kit/handler.ts'
import { listOf } from '../kit/list-of.ts'
import { visible } from '../kit/scope.ts'
import { spendOne } from '../kit/spend-budget.ts'
import { stored } from '../kit/stored.ts'
import { wake } from '../kit/wake-job.ts'

export const storedMail = stored({
  object: mailObject,
  table: mails,
  id: mails.id,
  name: mails.recipient,
  customerId: mails.customerId,
  seen: (walls) => walls.mails,
  row: () => ({
    customerId: mails.customerId,
    purpose: mails.purpose,
    failed: sql<boolean>`(${mails.state} = 'failed' or ${mails.kept})`,
  }),
})

const columns = (env: Context['env']) => ({
  id: mails.id,
  recipient: mails.recipient,
  subject: mails.subject,
  state: mails.state,
  kept: mails.kept,
  held: sql<boolean>`${mails.state} = 'draft' and not ${mails.kept} and ${mails.dueAt} > now() + interval '1 second'`,
  attempts: mails.attempts,
  error: mails.error,
  customerName: customers.name,
  createdAt: mails.createdAt,
  dueAt: mails.dueAt,
  sentAt: mails.sentAt,
  resend: sql<'possible' | 'notFailed' | 'noTransport'>`case
    when not (${mails.kept} or ${mails.state} = 'failed') then 'notFailed'
    when ${mailWay(env) === 'smtp'} then 'possible' else 'noTransport' end`,
})

export const getMailListHandler = listOf(getMailList, 'mails', ({ db, env }) => ({
  table: mails,
  rows: db.select(columns(env)).from(mails).leftJoin(customers, eq(customers.id, mails.customerId)),
  filters: {
    state: (state) =>
      state === 'kept' ? eq(mails.kept, true) : and(eq(mails.state, state), not(mails.kept)),
  },
}))

export const getMailHandler = handler(getMail, async ({ db, actor, env }, { id }) => {
  const [found] = await db
    .select({ ...columns(env), text: mails.text, files: mails.files })
    .from(mails)
    .leftJoin(customers, eq(customers.id, mails.customerId))
    .where(and(visible(actor).mails, eq(mails.id, id)))
  if (!found) refuse(absent)
  return {
    ...found,
    files: found.files.map(({ name, text }) => ({ name, sizeBytes: Buffer.byteLength(text) })),
  }
})

export const getMailWayHandler = handler(getMailWay, async ({ env }) => ({ way: mailWay(env) }))

export const resendMailHandler = handler(resendMail, async (ctx, { id }) => {
  const { customerId, purpose, failed } = rowOf(ctx, storedMail)
  if (mailWay(ctx.env) !== 'smtp') refuse(accountRefusals.noTransport)
  if (!failed) refuse(accountRefusals.mailNotFailed)
  await ctx.sql.begin(async (tx) => {
    // Of several clicks one sends it, and only that one takes from the budget; without any left it stays as it is.
    const sent = await tx`
      update mails set state = 'draft', kept = false, attempts = 0, error = null, due_at = now()
      where id = ${id} and (state = 'failed' or kept) returning id`
    if (sent.length === 0) refuse(accountRefusals.mailNotFailed)
    await spendOne({ parameters: ctx.parameters, sql: tx }, { customerId, purpose })
  })
  await wake(ctx, sendMails)
  return null
})
