/** Mail: written as a row where its cause is written, sent by a job, seen in the outbox. */
import { z } from 'zod'
import { job } from './kit/job.ts'

/** [§4 Messages] */
export const mailStates = ['draft', 'sending', 'sent', 'failed'] as const
export type MailState = (typeof mailStates)[number]

/** An attachment; text only, because reports are CSV. */
export type MailFile = { name: string; mime: string; text: string }

export type NewMail = {
  customerId: number | null
  recipient: string
  subject: string
  text: string
  files?: MailFile[]
}

/** Sends what is due; queued when mail was written, and now and then for what a lost wake-up left. */
export const sendMails = job({ name: 'sendMails', body: z.object({}), single: true, everyMs: 60_000 })
