/** Takes due mails one after another; a transport that is away leaves them due, later each time. */

import { openTransport } from '#infra/mail'
import { sendMails } from '#schema/mail'
import { processor } from '../processor.ts'

const AT_ONCE = 50
const TRIES = 8

type Due = {
  id: string
  recipient: string
  subject: string
  text: string
  files: { name: string; mime: string; text: string }[]
  attempts: number
}

export const sendMailsJob = processor(sendMails, async (ctx) => {
  const transport = openTransport(ctx.env)
  let sent = 0
  for (let i = 0; i < AT_ONCE; i++) {
    // Taken before it is sent, with a pause before the next try: a process that dies here sends it again, later.
    const [mail] = await ctx.sql<Due[]>`
      update mails set state = 'sending', attempts = attempts + 1, due_at = now() + interval '1 minute' * power(2, attempts)
      where id = (select id from mails where state in ('draft', 'sending') and due_at <= now() order by due_at limit 1 for update skip locked)
      returning id, recipient, subject, text, files, attempts`
    if (!mail) break
    try {
      await transport.send(mail)
      await ctx.sql`update mails set state = 'sent', sent_at = now(), error = null where id = ${mail.id}`
      sent += 1
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      ctx.log.warn({ err: error, mail: mail.id }, 'mail not sent')
      await ctx.sql`update mails set error = ${reason.slice(0, 500)}, state = ${mail.attempts >= TRIES ? 'failed' : 'sending'} where id = ${mail.id}`
    }
  }
  transport.close()
  return { sent }
})
