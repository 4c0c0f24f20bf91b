/**
 * Sends due mails one after another. Before sending, each is marked and its next try set: if the worker dies,
 * the mail is sent again a minute later with the same Message-ID. An outage of the server ends the round and
 * costs one try of one mail.
 */
import { MailRefused, mailWay, type OutgoingMail, openTransport, type Transport } from '#infra/mail'
import { sendMails } from '#schema/platform/mail'
import { processor, type WorkerContext } from '../kit/processor.ts'

const AT_ONCE = 50
/** Pauses double from a minute to an hour: about a day in total. */
const TRIES = 28
const REASON_MAX = 500

type Due = OutgoingMail & { attempts: number }

/** Due by the database's clock, which wrote `due_at`. */
async function takeDue({ sql }: WorkerContext): Promise<Due | undefined> {
  const [mail] = await sql<Due[]>`
    update mails set state = 'sending', attempts = attempts + 1,
      due_at = now() + least(interval '1 hour', interval '1 minute' * power(2, least(attempts, 10)))
    where id = (select id from mails where state in ('draft', 'sending') and not kept
        -- Milliseconds are rounded: one just written may lie half of one ahead.
        and due_at <= now() + interval '1 millisecond'
      order by due_at limit 1 for update skip locked)
    returning id, recipient, subject, text, files, attempts`
  return mail
}

/** Returns false if the server cannot be reached at all: the other mails would fail as well. */
async function sendOne(ctx: WorkerContext, transport: Transport, mail: Due): Promise<boolean> {
  try {
    await transport.send(mail)
  } catch (error) {
    const reason = (error instanceof Error ? error.message : String(error)).slice(0, REASON_MAX)
    const refused = error instanceof MailRefused
    const state = (refused && error.permanent) || mail.attempts >= TRIES ? 'failed' : 'sending'
    ctx.log.warn({ err: error, mail: mail.id }, 'mail not sent')
    await ctx.sql`update mails set error = ${reason}, state = ${state} where id = ${mail.id} and state = 'sending'`
    return refused
  }
  await ctx.sql`update mails set state = 'sent', sent_at = now(), error = null where id = ${mail.id}`
  return true
}

/**
 * Without a transport: outside production mail is kept for reading, in production it fails with the reason.
 */
async function settleWithoutTransport(ctx: WorkerContext): Promise<{ kept: number; failed: number }> {
  if (mailWay(ctx.env) === 'outbox') {
    const rows = await ctx.sql`
      update mails set kept = true, state = 'draft' where state in ('draft', 'sending') and not kept returning id`
    return { kept: rows.length, failed: 0 }
  }
  const rows = await ctx.sql`
    update mails set state = 'failed', error = 'SMTP_URL is not set' where state in ('draft', 'sending') and not kept returning id`
  if (rows.length > 0) ctx.log.error({ mails: rows.length }, 'mail failed: SMTP_URL is not set')
  return { kept: 0, failed: rows.length }
}

export const sendMailsJob = processor(sendMails, async (ctx) => {
  const transport = openTransport(ctx.env)
  if (!transport) return settleWithoutTransport(ctx)
  let handled = 0
  try {
    while (handled < AT_ONCE) {
      const mail = await takeDue(ctx)
      if (!mail) break
      handled += 1
      if (!(await sendOne(ctx, transport, mail))) break
    }
  } finally {
    transport.close()
  }
  // More mails wait than one round takes: continue immediately, not in a minute.
  if (handled === AT_ONCE) await ctx.queue.add(sendMails, {})
  return { handled }
})
