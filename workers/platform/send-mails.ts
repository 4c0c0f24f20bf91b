/**
 * Sends due mails one after another, of each customer in turn; one that a server takes long for holds up no others. Before sending, each is marked and its next try set: if the worker dies,
 * the mail is sent again a minute later with the same Message-ID. An outage of the server, or its refusal of our login or
 * sender address, ends the round and costs one try of one mail.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { MailRefused, mailWay, type OutgoingMail, openTransport, type Transport } from '#infra/mail'
import { sendMails } from '#schema/platform/mail'
import { dueByThisClock } from '../kit/due-by-clock.ts'
import { processor, type WorkerContext } from '../kit/processor.ts'

const AT_ONCE = 50
/** A round ends after this time, long before its job's deadline, and the next one continues. */
const ROUND_MS = 1_800_000
/** Then others do not wait for a mail any longer: a server may take minutes to check one. */
const SLOW_MS = 10_000
const SLOW_MAX = 3
/** Whether something is due, while slow ones are still being sent. */
const LOOK_MS = 2_000
/** How often a mail that is still being sent is put off, so that no other worker sends it as well. */
const PUT_OFF_MS = 20_000
/** Pauses double from a minute to an hour: about a day in total. */
const TRIES = 28
const REASON_MAX = 500

type Due = OutgoingMail & { attempts: number; customerId: number }

/** When each customer (0: the platform) had a mail sent: they take turns, so that the flood of one does not delay the others. */
const turns = new Map<number, number>()
let turn = 0

/** Due by the database's clock, which wrote `due_at`. */
async function takeDue({ sql }: WorkerContext): Promise<Due | undefined> {
  const [mail] = await sql<Due[]>`
    update mails set state = 'sending', attempts = attempts + 1, error = null,
      due_at = now() + least(interval '1 hour', interval '1 minute' * power(2, least(attempts, 10)))
    where id = (select m.id from mails m
        left join unnest(${[...turns.keys()]}::int[], ${[...turns.values()]}::int[]) as had(customer_id, turn) on had.customer_id = coalesce(m.customer_id, 0)
      where m.state in ('draft', 'sending') and not m.kept
        -- Milliseconds are rounded: one just written may lie half of one ahead.
        and m.due_at <= now() + interval '1 millisecond'
      order by coalesce(had.turn, 0), m.due_at, m.id limit 1 for update of m skip locked)
    returning id, recipient, subject, text, files, attempts, coalesce(customer_id, 0) as "customerId"`
  if (mail) turns.set(mail.customerId, ++turn)
  return mail
}

/** A server may take minutes for its answers; if this process dies, the mail is due a minute later. */
async function sendSlowly({ sql, log }: WorkerContext, transport: Transport, mail: Due): Promise<void> {
  const timer = setInterval(() => {
    sql`update mails set due_at = greatest(due_at, now() + interval '1 minute') where id = ${mail.id} and state = 'sending'`.catch(
      (error: unknown) => log.warn({ err: error, mail: mail.id }, 'a mail that is being sent is not put off'),
    )
  }, PUT_OFF_MS)
  await transport.send(mail).finally(() => clearInterval(timer))
}

/** Whether the server was unavailable the last time; of a new process, nobody knows. */
let away = true
/** Mails that were sent again when it was back, until they have ended. */
const hurried = new Set<number>()

/**
 * The server is back: what waits for a later try is due, in the order in which it was written. Otherwise an alarm would be reported up
 * to an hour after its recovery. Each once: a mail at which the server ends the connection would have its next try after every
 * other mail, and end each round. What is being sent has no error.
 */
async function hurry({ sql }: WorkerContext): Promise<void> {
  away = false
  const rows = await sql<{ id: number }[]>`
    update mails set due_at = created_at where id in (
      select id from mails where state = 'sending' and not kept and error is not null and due_at > now()
        and id <> all(${[...hurried]}::bigint[]) for update skip locked)
    returning id`
  for (const { id } of rows) hurried.add(id)
}

/** Returns false if no other mail could be sent either. */
async function sendOne(ctx: WorkerContext, transport: Transport, mail: Due): Promise<boolean> {
  try {
    await sendSlowly(ctx, transport, mail)
  } catch (error) {
    const reason = (error instanceof Error ? error.message : String(error)).slice(0, REASON_MAX)
    const refused = error instanceof MailRefused
    const state = (refused && error.permanent) || mail.attempts >= TRIES ? 'failed' : 'sending'
    ctx.log.warn({ err: error, mail: mail.id }, 'mail not sent')
    await ctx.sql`update mails set error = ${reason}, state = ${state} where id = ${mail.id} and state = 'sending'`
    if (state === 'failed') hurried.delete(mail.id)
    if (!refused) away = true
    return refused
  }
  hurried.delete(mail.id)
  await ctx.sql`update mails set state = 'sent', sent_at = now(), error = null where id = ${mail.id}`
  if (away) await hurry(ctx)
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
  await dueByThisClock(ctx, 'mails', ctx.sql`now()`)
  let handled = 0
  let more = true
  const slow = new Set<Promise<unknown>>()
  const start = async (mail: Due): Promise<void> => {
    const sending = sendOne(ctx, transport, mail).then((goesOn) => {
      more &&= goesOn
    })
    const isOver = await Promise.race([sending.then(() => true), sleep(SLOW_MS, false, { ref: false })])
    if (isOver) return
    const rest = sending.catch((error: unknown) => {
      ctx.log.error({ err: error, mail: mail.id }, 'a mail was not settled')
      more = false
    })
    slow.add(rest)
    void rest.then(() => slow.delete(rest))
  }
  const until = performance.now() + ROUND_MS
  try {
    // The next round cannot begin before the slow ones end: till then this one goes on.
    while (more && performance.now() < until && (handled < AT_ONCE || slow.size > 0)) {
      const mail = slow.size < SLOW_MAX ? await takeDue(ctx) : undefined
      if (mail) {
        handled += 1
        await start(mail)
      } else if (slow.size > 0) await Promise.race([...slow, sleep(LOOK_MS)])
      else break
    }
    await Promise.all(slow)
  } finally {
    transport.close()
  }
  // More mails wait than one round takes: continue immediately, not in a minute.
  if (more && handled >= AT_ONCE) await ctx.queue.add(sendMails, {})
  return { handled }
})
