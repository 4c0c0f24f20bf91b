/** Outgoing mail: a row first (`queueMail`), then SMTP; without SMTP_URL the outbox itself is the mailbox. */
import { createTransport } from 'nodemailer'
import type { ISql } from 'postgres'
import { inReadingOrder } from '#schema/kit/reading-order'
import type { MailFile, NewMail } from '#schema/platform/mail'
import type { Env } from './env.ts'
import type { Parameters } from './parameters.ts'
import { takeFromBudget } from './send-budget.ts'

const CONNECT_MS = 10_000
const SOCKET_MS = 30_000
const SUBJECT_MAX = 200
/** One address and nothing else: no list, no name, no second header. */
const address = /^[^\s<>",;:\\]+@[^\s<>",;:\\@]+$/

export type OutgoingMail = {
  id: number
  recipient: string
  subject: string
  text: string
  files: readonly MailFile[]
}

export type Transport = {
  /** Resolves when the server took it. @throws MailRefused, or what kept it from the server, with its words. */
  send(mail: OutgoingMail): Promise<void>
  close(): void
}

/** The server looked at this mail and said no: for ever (a recipient it does not know), or for now (greylisting). */
export class MailRefused extends Error {
  readonly permanent: boolean
  constructor(message: string, permanent: boolean) {
    super(message)
    this.permanent = permanent
  }
}

/** `outbox`: nothing leaves, mail is read where it was written; `missing`: production without SMTP_URL. */
export type MailWay = 'smtp' | 'outbox' | 'missing'
export const mailWay = (env: Pick<Env, 'SMTP_URL' | 'NODE_ENV'>): MailWay =>
  env.SMTP_URL ? 'smtp' : env.NODE_ENV === 'production' ? 'missing' : 'outbox'

/** Header text: a line break in a device's or user's words must not begin another header. */
const oneLine = (text: string) =>
  inReadingOrder(text)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
    .replace(/[\u0000-\u001f\u007f\u2028\u2029]+/g, ' ')
    .trim()
    .slice(0, SUBJECT_MAX)

export const isAddress = (recipient: string) => address.test(recipient) && recipient.length <= 254

/**
 * Writes a mail to be sent; pass the transaction that writes its cause. Queue `sendMails` after the commit, or it
 * leaves within a minute. It is taken from its customer's budget; one that finds it used up waits for its turn.
 * Returns its id.
 * @throws when the recipient is not one plain address: callers check it as a body field first.
 */
export async function queueMail(sql: ISql, parameters: Parameters, mail: NewMail): Promise<number> {
  if (!isAddress(mail.recipient)) throw new Error('a mail needs one plain address')
  const waitMs = await takeFromBudget(sql, parameters, mail)
  const [row] = await sql<{ id: number }[]>`
    insert into mails (customer_id, purpose, recipient, subject, text, files, due_at)
    values (${mail.customerId}, ${mail.purpose}, ${mail.recipient}, ${oneLine(mail.subject)}, ${inReadingOrder(mail.text)}, ${sql.json(mail.files ?? [])},
      now() + ${waitMs}::float8 * interval '1 millisecond') returning id`
  if (!row) throw new Error('insert returned nothing')
  return row.id
}

type SmtpError = Error & { code?: string; responseCode?: number }
/** Said of the envelope or the message, not of our login or the line. */
const isRefusal = ({ code, responseCode = 0 }: SmtpError) =>
  (code === 'EENVELOPE' || code === 'EMESSAGE') && responseCode >= 400
/** [RFC 5321 §4.2.1] 5yz is permanent. */
const PERMANENT_FROM = 500

/**
 * The way out named by SMTP_URL; null without one. `smtps:` is TLS from the start; `smtp:` takes STARTTLS where
 * offered, and insists on it before a password is sent to another host. Certificates are verified; nodemailer's
 * options may be added to the URL (`?tls.rejectUnauthorized=false` for a self-signed server on one's own network).
 */
export function openTransport(env: Pick<Env, 'SMTP_URL' | 'MAIL_FROM' | 'PUBLIC_URL'>): Transport | null {
  if (!env.SMTP_URL) return null
  const url = new URL(env.SMTP_URL)
  const local = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  if (url.protocol === 'smtp:' && url.username !== '' && !local && !url.searchParams.has('requireTLS'))
    url.searchParams.set('requireTLS', 'true')
  const line = createTransport({
    url: url.href,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SOCKET_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const host = new URL(env.PUBLIC_URL).hostname
  const from = env.MAIL_FROM ?? `no-reply@${host}`
  return {
    send: async (mail) => {
      try {
        await line.sendMail({
          from: { name: '', address: from },
          to: { name: '', address: mail.recipient },
          subject: mail.subject,
          text: mail.text,
          // The same at every try: a mailbox that got it before a crash of ours can tell.
          messageId: `<mail-${mail.id}@${host}>`,
          // [RFC 3834] No "out of office" comes back.
          headers: { 'Auto-Submitted': 'auto-generated' },
          attachments: mail.files.map(({ name, mime, text }) => ({
            filename: oneLine(name),
            contentType: mime,
            content: text,
          })),
        })
      } catch (error) {
        const smtp = error as SmtpError
        if (isRefusal(smtp)) throw new MailRefused(smtp.message, Number(smtp.responseCode) >= PERMANENT_FROM)
        throw error
      }
    },
    close: () => line.close(),
  }
}
