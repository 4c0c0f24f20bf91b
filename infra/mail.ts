/** Outgoing mail: a row first (`queueMail`), then SMTP; without SMTP_URL the outbox itself is the mailbox. */
import { createTransport } from 'nodemailer'
import type { ISql } from 'postgres'
import type { MailFile, NewMail } from '#schema/mail'
import type { Env } from './env.ts'

const CONNECT_MS = 10_000
const SOCKET_MS = 30_000

export type Transport = {
  /** Resolves when the server took it. @throws when it did not, with the server's words. */
  send(mail: { recipient: string; subject: string; text: string; files: readonly MailFile[] }): Promise<void>
  close(): void
}

/**
 * Writes a mail to be sent; pass the transaction that writes its cause. Queue `sendMails` after the commit, or it
 * leaves within a minute.
 */
export async function queueMail(sql: ISql, mail: NewMail): Promise<void> {
  await sql`
    insert into mails (customer_id, recipient, subject, text, files)
    values (${mail.customerId}, ${mail.recipient}, ${mail.subject}, ${mail.text}, ${sql.json(mail.files ?? [])})`
}

/** The way out named by SMTP_URL; without it (never in production) every mail stays readable in the outbox. */
export function openTransport(env: Env): Transport {
  if (!env.SMTP_URL) return { send: async () => undefined, close: () => undefined }
  const line = createTransport({
    url: env.SMTP_URL,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SOCKET_MS,
  })
  const from =
    new URL(env.SMTP_URL).searchParams.get('from') ??
    `no-reply@${new URL(env.PUBLIC_URL ?? 'http://localhost').hostname}`
  return {
    send: async (mail) => {
      await line.sendMail({
        from,
        to: mail.recipient,
        subject: mail.subject,
        text: mail.text,
        attachments: mail.files.map(({ name, mime, text }) => ({
          filename: name,
          contentType: mime,
          content: text,
        })),
      })
    },
    close: () => line.close(),
  }
}
