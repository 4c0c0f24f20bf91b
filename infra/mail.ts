/** Outgoing mail: first a row (`queueMail`), then SMTP; without SMTP_URL mail stays in the outbox. */
import { createTransport } from 'nodemailer'
import type { ISql } from 'postgres'
import { cutText } from '#schema/kit/cut-text'
import { inReadingOrder } from '#schema/kit/reading-order'
import { type MailFile, type NewMail, REFUSED_MAIL } from '#schema/platform/mail'
import type { Env } from './env.ts'
import type { Parameters } from './parameters.ts'
import { takeFromBudget } from './send-budget.ts'

/**
 * Until the server greets. Servers that delay spammers do so by half a minute. [RFC 5321 §4.5.3.2.1] proposes five minutes: whoever
 * sets up a server would wait that long for the reason. Nothing is lost or sent twice: the mail has not left yet.
 */
const GREETING_MS = 60_000
/** [RFC 8314 §3.3] TLS from the start: a server that waits for it never greets. */
const TLS_PORT = '465'
/** What nodemailer says then. */
const NO_GREETING = /greeting never received/i
/**
 * [RFC 5321 §4.5.3.2.6] A server that checks what it received answers late, and delivers it even if nobody waits for
 * the answer: a mail given up before would be sent again, and delivered each time.
 */
const SOCKET_MS = 600_000
const SUBJECT_MAX = 200
/** Exactly one address: no list, no display name, no second header. */
const address = /^[^\s<>",;:\\]+@[^\s<>",;:\\@]+$/

export type OutgoingMail = {
  id: number
  recipient: string
  subject: string
  text: string
  files: readonly MailFile[]
}

export type Transport = {
  /**
   * Resolves when the server accepted it. @throws MailRefused, or the error that prevented sending, with its message.
   */
  send(mail: OutgoingMail): Promise<void>
  close(): void
}

/** The server rejected this mail only: permanently (unknown recipient), or temporarily (greylisting). */
export class MailRefused extends Error {
  readonly permanent: boolean
  constructor(message: string, permanent: boolean) {
    super(message)
    this.permanent = permanent
  }
}

/** `outbox`: nothing is sent, mail is read in the outbox; `missing`: production without SMTP_URL. */
export type MailWay = 'smtp' | 'outbox' | 'missing'
export const mailWay = (env: Pick<Env, 'SMTP_URL' | 'NODE_ENV'>): MailWay =>
  env.SMTP_URL ? 'smtp' : env.NODE_ENV === 'production' ? 'missing' : 'outbox'

/** Header text: a line break in text from devices or users must not start another header. */
const oneLine = (text: string) => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to remove
  const line = inReadingOrder(text).replace(/[\u0000-\u001f\u007f\u2028\u2029]+/g, ' ')
  return cutText(line.trim(), SUBJECT_MAX)
}

export const isAddress = (recipient: string) => address.test(recipient) && recipient.length <= 254

/**
 * Writes a mail to be sent; pass the transaction that writes its cause. Queue `sendMails` after the commit, or it is
 * sent within a minute. It is charged to its customer's budget; if that is exhausted, the mail is sent later. Returns
 * its id. @throws if the recipient is not one plain address: callers validate it as a body field first.
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

type SmtpError = Error & { code?: string; responseCode?: number; command?: string }
/** [RFC 4954 §6] The server wants another login, or one at all. */
const LOGIN_CODES: readonly number[] = [454, 530, 534, 535, 538]
/**
 * The error concerns the recipient or the message, not our connection, login or sender address: with those, every mail
 * is refused until an administrator has mended the settings, and none may be lost meanwhile.
 */
const isRefusal = ({ code, responseCode = 0, command }: SmtpError) =>
  (code === 'EENVELOPE' || code === 'EMESSAGE') &&
  responseCode >= 400 &&
  command !== 'MAIL FROM' &&
  !LOGIN_CODES.includes(responseCode)
/** [RFC 5321 §4.2.1] 5yz is permanent. */
const PERMANENT_FROM = 500

/**
 * The transport configured by SMTP_URL; null without one. `smtps:` is TLS from the start; `smtp:` uses STARTTLS if
 * offered, and requires it before a password is sent to another host. Certificates are verified; nodemailer's options
 * may be added to the URL (`?tls.rejectUnauthorized=false` for a self-signed server on one's own network).
 */
export function openTransport(env: Pick<Env, 'SMTP_URL' | 'MAIL_FROM' | 'PUBLIC_URL'>): Transport | null {
  if (!env.SMTP_URL) return null
  const url = new URL(env.SMTP_URL)
  if (url.protocol === 'smtp:' && url.port === TLS_PORT && !url.searchParams.has('secure'))
    url.protocol = 'smtps:'
  const local = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  if (url.protocol === 'smtp:' && url.username !== '' && !local && !url.searchParams.has('requireTLS'))
    url.searchParams.set('requireTLS', 'true')
  const line = createTransport({
    url: url.href,
    connectionTimeout: GREETING_MS,
    greetingTimeout: GREETING_MS,
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
          // The same for every try, so that a mailbox that received it before we crashed can detect the duplicate.
          messageId: `<mail-${mail.id}@${host}>`,
          // [RFC 3834] Prevents "out of office" replies.
          headers: { 'Auto-Submitted': 'auto-generated' },
          attachments: mail.files.map(({ name, mime, text }) => ({
            filename: oneLine(name),
            contentType: mime,
            content: text,
          })),
        })
      } catch (error) {
        const smtp = error as SmtpError
        if (isRefusal(smtp))
          throw new MailRefused(REFUSED_MAIL + smtp.message, Number(smtp.responseCode) >= PERMANENT_FROM)
        if (url.protocol === 'smtp:' && NO_GREETING.test(smtp.message))
          smtp.message += ': if this port expects TLS from the start, SMTP_URL must begin with smtps:'
        throw error
      }
    },
    close: () => line.close(),
  }
}
