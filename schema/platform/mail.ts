/** Mail: a row written in the transaction of its cause, sent by a job, visible in the outbox. */

import { z } from 'zod'
import { object, uses } from '../kit/about.ts'
import { call } from '../kit/call.ts'
import { job, LONG_DEADLINE_MS } from '../kit/job.ts'
import { listCall } from '../kit/list.ts'
import { permission } from '../kit/permission.ts'
import { screen } from '../kit/screen.ts'
import { instant } from '../kit/time.ts'
import type { MailPurpose } from './send-budget.ts'

export const mailObject = object('mail')

export const mailOutboxPermission = permission({
  id: 90400,
  name: 'mailOutbox',
  role: 'systemAdmin',
  under: 'mail-outbox',
})

/** [§4 Messages] */
export const mailStates = ['draft', 'sending', 'sent', 'failed'] as const
export type MailState = (typeof mailStates)[number]

/** An attachment; text only, because reports are CSV. */
export type MailFile = { name: string; mime: string; text: string }

export type NewMail = {
  customerId: number | null
  /** The budget that it is charged to. */
  purpose: MailPurpose
  recipient: string
  subject: string
  text: string
  files?: MailFile[]
}

/** How the error of a mail begins that the server refused for its recipient, or its content: the server itself works. */
export const REFUSED_MAIL = 'Refused: '

/** Sends due mail; queued after mail was written, and scheduled to make up for lost wake-ups. */
export const sendMails = job({
  name: 'sendMails',
  body: z.object({}),
  single: true,
  everyMs: 60_000,
  deadlineMs: LONG_DEADLINE_MS,
})

/** Id in a bigint column. */
const mailId = z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER)

const mailRow = z.object({
  id: z.number(),
  recipient: z.string(),
  subject: z.string(),
  state: z.enum(mailStates),
  kept: z.boolean().describe('there was no mail server: it stays here until a user sends it'),
  held: z.boolean().describe('the budget of its customer is used up: it is sent at `dueAt`'),
  attempts: z.number(),
  error: z.string().nullable(),
  customerName: z.string().nullable(),
  createdAt: instant,
  dueAt: instant.describe('time of the next attempt, of one that is being sent or held back'),
  sentAt: instant.nullable(),
  resend: z.enum(['possible', 'notFailed', 'noTransport']).describe('whether it can be resent manually'),
})

export const getMailList = listCall({
  path: '/api/mail/getMailList',
  permission: mailOutboxPermission,
  summary: 'Mail to be sent, sent and failed, newest first.',
  sorts: ['createdAt', 'recipient', 'state'],
  descending: ['createdAt', 'recipient', 'state'],
  searches: ['recipient', 'subject'],
  filters: { state: z.enum([...mailStates, 'kept']).optional() },
  row: mailRow,
})

export const getMail = call({
  path: '/api/mail/getMail',
  permission: mailOutboxPermission,
  summary: 'One mail with its text and the names of its attachments.',
  body: z.object({ id: mailId }),
  reply: mailRow.extend({
    text: z.string(),
    files: z.array(z.object({ name: z.string(), sizeBytes: z.number() })),
  }),
})

export const getMailWay = call({
  path: '/api/mail/getMailWay',
  permission: mailOutboxPermission,
  summary:
    'How mail leaves: smtp, outbox (kept to be read, outside production), missing (production without SMTP_URL).',
  reply: z.object({ way: z.enum(['smtp', 'outbox', 'missing']) }),
})

export const resendMail = call({
  path: '/api/mail/resendMail',
  permission: mailOutboxPermission,
  writes: true,
  about: uses(mailObject, 'id'),
  summary: 'Resends mail that failed or was kept, immediately and with all its attempts.',
  body: z.object({ id: mailId }),
})

export const mailScreen = screen({
  name: 'mail-outbox',
  path: '/system/outbox',
  lists: 'mail/getMailList',
  menuId: 904,
  role: 'systemAdmin',
  permission: mailOutboxPermission,
  parent: 'system',
  place: 90,
  area: 'management',
})
