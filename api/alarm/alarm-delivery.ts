import { eq, sql } from 'drizzle-orm'
import { mailWay } from '#infra/mail'
import {
  alarmDeliveryObject,
  type ChannelKind,
  deliverNotices,
  getDeliveryList,
  redeliver,
  type shownDeliveryStates,
} from '#schema/alarm/alarm-channel'
import { alarmRefusals } from '#schema/alarm/alarm-refusals'
import { refuse } from '#schema/kit/refusal'
import { accountRefusals } from '#schema/people/account-refusals'
import { sendMails } from '#schema/platform/mail'
import { alarmChannels, alarmDeliveries, alarmNotices } from '#schema/tables/alarm-channel'
import { mails } from '#schema/tables/mail'
import { rowOf } from '../kit/about.ts'
import { handler } from '../kit/handler.ts'
import { listOf } from '../kit/list-of.ts'
import { spendOne } from '../kit/spend-budget.ts'
import { stored } from '../kit/stored.ts'
import { wake } from '../kit/wake-job.ts'

export const storedAlarmDelivery = stored({
  object: alarmDeliveryObject,
  table: alarmDeliveries,
  id: alarmDeliveries.id,
  name: alarmDeliveries.recipient,
  customerId: alarmDeliveries.customerId,
  seen: (walls) => walls.alarmDeliveries,
  row: () => ({
    id: alarmDeliveries.id,
    channelId: alarmDeliveries.channelId,
    mailId: alarmDeliveries.mailId,
    customerId: alarmDeliveries.customerId,
    pending: sql<boolean>`case when ${alarmDeliveries.mailId} is null then ${alarmDeliveries.state} not in ('sent', 'failed')
      else exists (select 1 from mails m where m.id = ${alarmDeliveries.mailId} and m.state not in ('sent', 'failed') and not m.kept) end`,
  }),
})

/** The mail has the result of an e-mail delivery. */
const state = sql<
  (typeof shownDeliveryStates)[number]
>`case when ${mails.kept} then 'kept' else coalesce(${mails.state}, ${alarmDeliveries.state}) end`

export const getDeliveryListHandler = listOf(getDeliveryList, 'alarmDeliveries', ({ db }) => ({
  table: alarmDeliveries,
  rows: db
    .select({
      id: alarmDeliveries.id,
      noticeId: alarmDeliveries.noticeId,
      noticeKind: alarmNotices.kind,
      subject: alarmNotices.subject,
      text: sql<string>`coalesce(${alarmNotices.payload}->>'text', '')`,
      way: sql<
        ChannelKind | 'email' | null
      >`case when ${alarmDeliveries.mailId} is not null then 'email' else ${alarmChannels.kind} end`,
      recipient: alarmDeliveries.recipient,
      state,
      attempts: sql<number>`coalesce(${mails.attempts}, ${alarmDeliveries.attempts})`,
      responseStatus: alarmDeliveries.responseStatus,
      responseText: alarmDeliveries.responseText,
      tookMs: alarmDeliveries.tookMs,
      error: sql<string | null>`coalesce(${mails.error}, ${alarmDeliveries.error})`,
      createdAt: alarmDeliveries.createdAt,
      dueAt: alarmDeliveries.dueAt,
      sentAt: sql<Date | null>`coalesce(${mails.sentAt}, ${alarmDeliveries.sentAt})`.mapWith(mails.sentAt),
    })
    .from(alarmDeliveries)
    .innerJoin(alarmNotices, eq(alarmNotices.id, alarmDeliveries.noticeId))
    .leftJoin(mails, eq(mails.id, alarmDeliveries.mailId))
    .leftJoin(alarmChannels, eq(alarmChannels.id, alarmDeliveries.channelId)),
  countJoined: true,
  // Ids are in the order of creation, and indexed.
  by: { createdAt: alarmDeliveries.id },
  filters: { channelId: (id) => eq(alarmDeliveries.channelId, id) },
}))

/** Of several clicks one sends it again, and only that one takes from the customer's budget; without any left it stays as it is. */
export const redeliverHandler = handler(redeliver, async (ctx) => {
  const { id, channelId, mailId, customerId, pending } = rowOf(ctx, storedAlarmDelivery)
  if (channelId === null && mailId === null) refuse(alarmRefusals.deliveryWayGone)
  if (pending) refuse(alarmRefusals.deliveryPending)
  // It would fail again at once, and take from the budget.
  if (mailId !== null && mailWay(ctx.env) === 'missing') refuse(accountRefusals.noTransport)
  await ctx.sql.begin(async (tx) => {
    const changed =
      mailId === null
        ? await tx`
            update alarm_deliveries set state = 'draft', attempts = 0, due_at = ${ctx.now()}, error = null
            where id = ${id} and state in ('sent', 'failed') returning id`
        : await tx`
            update mails set state = 'draft', attempts = 0, due_at = ${ctx.now()}, error = null, kept = false
            where id = ${mailId} and (state in ('sent', 'failed') or kept) returning id`
    if (changed.length === 0) refuse(alarmRefusals.deliveryPending)
    const purpose = mailId === null ? 'notice' : 'alarm'
    await spendOne({ parameters: ctx.parameters, sql: tx }, { customerId, purpose })
  })
  await wake(ctx, mailId === null ? deliverNotices : sendMails)
  return null
})
