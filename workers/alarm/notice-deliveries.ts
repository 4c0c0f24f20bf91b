/** A notice with a row for each delivery: mails, and channels as far as their budget allows. */
import { randomUUID } from 'node:crypto'
import { queueMail } from '#infra/mail'
import { lockBudget, takeFromBudget } from '#infra/send-budget'
import type { NoticeKind, NoticePayload } from '#schema/alarm/alarm-channel'
import type { Transaction, WorkerContext } from '../kit/processor.ts'

/** When it is sent, the base URL of its links, and what is needed to check the budgets. */
export type Telling = { at: Date; url: string } & Pick<WorkerContext, 'parameters' | 'log'>

export type NewNotice = {
  customerId: number
  ruleId: number | null
  kind: NoticeKind
  subject: string
  payload: NoticePayload
}
export type Receiving = {
  mails: readonly { email: string; subject: string; text: string }[]
  /** Receivers of SMS channels. */
  phones: readonly string[]
  channels: readonly { id: number; kind: string; name: string }[]
}

/** One malformed address must not keep the notice from the other receivers. */
const isPlain = /^[^\s<>",;:\\]+@[^\s<>",;:\\@]+$/

/** Each address once, without malformed ones. */
export function plainOnce<T extends { email: string }>(mails: readonly T[]): T[] {
  const seen = new Set<string>()
  return mails.filter(({ email }) => {
    const key = email.toLowerCase()
    const fresh = isPlain.test(email) && !seen.has(key)
    seen.add(key)
    return fresh
  })
}

export async function addNotice(
  tx: Transaction,
  { customerId, ruleId, kind, subject, payload }: NewNotice,
  to: Receiving,
  { at, parameters }: Telling,
): Promise<void> {
  const id = randomUUID()
  await tx`
    insert into alarm_notices (id, customer_id, rule_id, kind, subject, payload, created_at)
    values (${id}, ${customerId}, ${ruleId}, ${kind}, ${subject}, ${tx.json(payload)}, ${at})`
  for (const { email, ...words } of to.mails) {
    const mailId = await queueMail(tx, parameters, {
      customerId,
      purpose: 'alarm',
      recipient: email,
      ...words,
    })
    await tx`
      insert into alarm_deliveries (notice_id, customer_id, mail_id, recipient, created_at, due_at)
      values (${id}, ${customerId}, ${mailId}, ${email}, ${at}, ${at})`
  }
  // That of mails is locked before that of channels in every transaction: a later notice of this one may have mails.
  if (to.mails.length === 0 && to.channels.length > 0) await lockBudget(tx, { customerId, purpose: 'alarm' })
  for (const channel of to.channels)
    for (const recipient of channel.kind === 'sms' ? to.phones : [channel.name]) {
      const waitMs = await takeFromBudget(tx, parameters, { customerId, purpose: 'notice' })
      await tx`
        insert into alarm_deliveries (notice_id, customer_id, channel_id, recipient, created_at, due_at)
        values (${id}, ${customerId}, ${channel.id}, ${recipient}, ${at}, ${new Date(at.getTime() + waitMs)})`
    }
}
