import { and, eq, or, sql } from 'drizzle-orm'
import { sendSms } from '#schema/device/commands/sms'
import {
  addSmsMessage,
  deleteSmsMessage,
  getSmsMessageList,
  modifySmsMessage,
  sendSmsMessage,
  smsMessageObject,
  smsRefusals,
} from '#schema/device/sms-message'
import { smsParts } from '#schema/device/sms-parts'
import { refuse } from '#schema/kit/refusal'
import { absent } from '#schema/people/session-refusals'
import { commands } from '#schema/tables/command'
import { devices } from '#schema/tables/device'
import { smsMessages } from '#schema/tables/sms-message'
import { users } from '#schema/tables/user'
import { orderDevice } from '../command/order-command.ts'
import { rowOf } from '../kit/about.ts'
import { edit, editionOf } from '../kit/edition.ts'
import { handler } from '../kit/handler.ts'
import { reachHistory } from '../kit/history.ts'
import { knownName } from '../kit/known-name.ts'
import { listOf } from '../kit/list-of.ts'
import { visible } from '../kit/scope.ts'
import { stored } from '../kit/stored.ts'
import { storedDevice } from './device-object.ts'

type State = 'draft' | 'sending' | 'sent' | 'failed'
const { id, deviceId, customerId, number, text, commandId, sentAt, createdBy, createdAt } = smsMessages

/** Its command is retained as long as the message (tables/retention.ts). */
const state = sql<State>`(case when ${commandId} is null then 'draft' else coalesce(
  (select case when c.ended_at is null then 'sending' when c.state = 'done' then 'sent' else 'failed' end
    from ${commands} c where c.id = ${commandId}), 'failed') end)`

/** Compare-and-set: it has not been sent since it was read, so of two simultaneous requests only one sends it. */
const still = (found: { id: number; commandId: string | null }) =>
  and(eq(id, found.id), sql`${commandId} is not distinct from ${found.commandId}::uuid`)

export const storedSmsMessage = stored({
  object: smsMessageObject,
  table: smsMessages,
  id,
  name: number,
  customerId,
  deviceId,
  // Of the customer that owned the device then, and only while the device is visible.
  seen: (walls) =>
    and(
      walls.own(customerId),
      sql`exists (select 1 from ${devices} where ${devices.id} = ${deviceId}
        and ${or(walls.devices, walls.unusualDevices)})`,
    ),
  row: () => ({ id, number, text, state, commandId }),
  parts: { main: { table: smsMessages, id, fields: { number, text } } },
})

export const getSmsMessageListHandler = listOf(
  getSmsMessageList,
  storedSmsMessage,
  async (ctx, body) => {
    const device = await reachHistory(ctx, body.deviceId)
    return {
      table: smsMessages,
      rows: ctx.db
        .select({
          id,
          number,
          text,
          state,
          ended: sql<string | null>`(select c.state from ${commands} c where c.id = ${commandId})`,
          said: sql<string | null>`(select c.error from ${commands} c where c.id = ${commandId})`,
          createdAt,
          createdBy: knownName(ctx.actor, users, createdBy),
          sentAt,
          edition: editionOf(storedSmsMessage.parts.main),
        })
        .from(smsMessages)
        .leftJoin(users, eq(users.id, createdBy)),
      filters: { deviceId: () => eq(deviceId, device.id) },
    }
  },
  (rows) =>
    rows.map(({ ended, said, ...row }) => ({
      ...row,
      parts: smsParts(row.text),
      error: row.state === 'failed' ? (said ?? ended ?? null) : null,
    })),
)

export const addSmsMessageHandler = handler(addSmsMessage, async (ctx, body) => {
  const device = rowOf(ctx, storedDevice)
  const [made] = await ctx.db
    .insert(smsMessages)
    .values({
      deviceId: device.id,
      customerId: device.customerId,
      number: body.number,
      text: body.text,
      createdBy: ctx.actor.userId,
      createdAt: ctx.now(),
    })
    .returning({ id })
  if (!made) throw new Error('insert returned nothing')
  return made
})

export const modifySmsMessageHandler = handler(modifySmsMessage, async (ctx, body) => {
  const found = rowOf(ctx, storedSmsMessage)
  if (found.state === 'sending' || found.state === 'sent') refuse(smsRefusals.smsNotDraft)
  await edit(ctx, { opened: body.edition }, async (tx) => {
    const changed = await tx
      .update(smsMessages)
      .set({ number: body.number, text: body.text, commandId: null, sentAt: null })
      .where(still(found))
      .returning({ id })
    if (changed.length === 0) refuse(smsRefusals.smsNotDraft)
  })
  return null
})

export const sendSmsMessageHandler = handler(sendSmsMessage, async (ctx, body) => {
  const device = rowOf(ctx, storedDevice)
  const [found] = await ctx.db
    .select({ id, number, text, state, commandId })
    .from(smsMessages)
    .where(and(eq(id, body.id), eq(deviceId, device.id), visible(ctx.actor).own(customerId)))
  if (!found) refuse(absent)
  if (found.state === 'sending' || found.state === 'sent') refuse(smsRefusals.smsNotDraft)
  const args = { number: found.number, text: found.text }
  const ordered = await orderDevice(ctx, sendSms, args, async (tx, { commandId: sent }) => {
    const [handed] = await tx
      .update(smsMessages)
      .set({ commandId: sent, sentAt: ctx.now() })
      .where(and(still(found), eq(number, found.number), eq(text, found.text)))
      .returning({ id })
    if (!handed) refuse(smsRefusals.smsNotDraft)
  })
  return { commandId: ordered.commandId }
})

export const deleteSmsMessageHandler = handler(deleteSmsMessage, async (ctx) => {
  const found = rowOf(ctx, storedSmsMessage)
  if (found.state === 'sending') refuse(smsRefusals.smsSending)
  const deleted = await ctx.db.delete(smsMessages).where(still(found)).returning({ id })
  if (deleted.length === 0) refuse(smsRefusals.smsSending)
  return null
})
