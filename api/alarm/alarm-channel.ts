import { randomBytes, randomUUID } from 'node:crypto'
import { eq, getTableColumns, sql } from 'drizzle-orm'
import { postOutbound, whyRefused } from '#infra/outbound'
import { sayIn } from '#infra/say'
import { hmacBase64, seal, unseal } from '#infra/secrets'
import {
  type AlarmPayload,
  alarmChannelObject,
  type ChannelKind,
  createAlarmChannel,
  DELIVERY_TIMEOUT_MS,
  deleteAlarmChannel,
  getAlarmChannelList,
  RESPONSE_KEPT_BYTES,
  testAlarmChannel,
  updateAlarmChannel,
} from '#schema/alarm/alarm-channel'
import { alarmRefusals } from '#schema/alarm/alarm-refusals'
import {
  composeRequest,
  isAccepted,
  isSmsTemplate,
  WEBHOOK_SECRET_PREFIX,
} from '#schema/alarm/channel-message'
import { deviceRefusals } from '#schema/device/device-refusals'
import type { ReplyOf } from '#schema/kit/call'
import { refuse } from '#schema/kit/refusal'
import { alarmChannels, alarmDeliveries, alarmNotices } from '#schema/tables/alarm-channel'
import { alarmRuleChannels, alarmRules } from '#schema/tables/alarm-rule'
import { customers } from '#schema/tables/customer'
import { rowOf } from '../kit/about.ts'
import { edit, editionOf } from '../kit/edition.ts'
import { type CallContext, handler } from '../kit/handler.ts'
import { listOf } from '../kit/list-of.ts'
import { ownerOf } from '../kit/owner.ts'
import { spendOne } from '../kit/spend-budget.ts'
import { stored } from '../kit/stored.ts'
import { whenTaken } from '../kit/unique-violation.ts'
import { changeableChannel, chosenEvents, ruleNamed } from './alarm-scope.ts'

export const storedAlarmChannel = stored({
  object: alarmChannelObject,
  table: alarmChannels,
  id: alarmChannels.id,
  name: alarmChannels.name,
  customerId: alarmChannels.customerId,
  seen: (walls) => walls.alarmChannels,
  row: (actor) => ({ ...getTableColumns(alarmChannels), changeable: changeableChannel(actor) }),
  parts: {
    main: {
      table: alarmChannels,
      id: alarmChannels.id,
      fields: {
        name: alarmChannels.name,
        template: alarmChannels.template,
        events: alarmChannels.events,
        enabled: alarmChannels.enabled,
      },
      hidden: { secretUrl: alarmChannels.urlSealed, signingSecret: alarmChannels.secretSealed },
    },
  },
  facts: { kind: alarmChannels.kind, address: alarmChannels.urlShown },
})

export const getAlarmChannelListHandler = listOf(getAlarmChannelList, 'alarmChannels', ({ db, actor }) => {
  const last = (field: 'state' | 'created_at') =>
    sql`(select ${sql.raw(`d.${field}`)} from ${alarmDeliveries} d where d.channel_id = ${alarmChannels.id} order by d.id desc limit 1)`
  return {
    table: alarmChannels,
    rows: db
      .select({
        id: alarmChannels.id,
        customerId: alarmChannels.customerId,
        customerName: customers.name,
        name: alarmChannels.name,
        kind: alarmChannels.kind,
        urlShown: alarmChannels.urlShown,
        template: alarmChannels.template,
        signed: sql<boolean>`${alarmChannels.secretSealed} is not null`,
        events: alarmChannels.events,
        enabled: alarmChannels.enabled,
        disabledReason: alarmChannels.disabledReason,
        changeable: changeableChannel(actor),
        ruleCount: sql<number>`(select count(*)::int from ${alarmRuleChannels} where ${alarmRuleChannels.channelId} = ${alarmChannels.id})`,
        brokenAt: alarmChannels.brokenAt,
        lastState: sql<'draft' | 'sending' | 'sent' | 'failed' | null>`${last('state')}`,
        lastAt: sql<Date | null>`${last('created_at')}`.mapWith(alarmDeliveries.createdAt),
        createdAt: alarmChannels.createdAt,
        edition: editionOf(storedAlarmChannel.parts.main),
      })
      .from(alarmChannels)
      .innerJoin(customers, eq(customers.id, alarmChannels.customerId)),
  }
})

/** The visible part of an address: path and query may contain a password. */
const shown = (address: string) => new URL(address).origin

/** @throws Refusal 247: only public http and https addresses, unless the installation allows others. */
function checkAddress({ env }: CallContext, address: string): void {
  const why = whyRefused(address, env.WEBHOOK_ALLOW_PRIVATE)
  if (why !== null) refuse(alarmRefusals.addressNotAllowed, { reason: why }, 'secretUrl')
}
function judgeTemplate(kind: ChannelKind, template: string | undefined): string | null {
  if (kind !== 'sms') return null
  if (!template || !isSmsTemplate(template))
    refuse(alarmRefusals.templateInvalid, { needed: '{phone}' }, 'template')
  return template
}
const makeWebhookSecret = () => `${WEBHOOK_SECRET_PREFIX}${randomBytes(32).toString('base64')}`
const hasOwnSecret = (kind: ChannelKind) => kind === 'webhook' || kind === 'sms'

const taken = (name: string) =>
  whenTaken({ alarm_channels_name: () => refuse(deviceRefusals.nameTaken, { name }, 'name') })

export const createAlarmChannelHandler = handler(createAlarmChannel, async (ctx, body) => {
  const customerId = ownerOf(ctx)
  checkAddress(ctx, body.secretUrl)
  const events = chosenEvents(ctx, body.events)
  const template = judgeTemplate(body.kind, body.template)
  const made = hasOwnSecret(body.kind) ? makeWebhookSecret() : null
  const secret = made ?? (body.kind === 'dingtalk' ? body.signingSecret : undefined)
  const key = ctx.env.JWT_SECRET
  const [row] = await ctx.db
    .insert(alarmChannels)
    .values({
      customerId,
      name: body.name,
      kind: body.kind,
      urlSealed: seal(body.secretUrl, key),
      urlShown: shown(body.secretUrl),
      secretSealed: secret ? seal(secret, key) : null,
      template,
      ...events,
      createdBy: ctx.actor.userId,
    })
    .returning({ id: alarmChannels.id })
    .catch(taken(body.name))
  if (!row) throw new Error('insert returned nothing')
  return { id: row.id, secret: made }
})

/** @throws Refusal 257 if a rule beyond the actor's groups uses it. */
function changeableOne(ctx: CallContext) {
  const found = rowOf(ctx, storedAlarmChannel)
  return found.changeable ? found : refuse(alarmRefusals.receiverOfOthers)
}

export const updateAlarmChannelHandler = handler(updateAlarmChannel, async (ctx, body) => {
  const before = changeableOne(ctx)
  if (body.secretUrl !== undefined) checkAddress(ctx, body.secretUrl)
  const events = chosenEvents(ctx, body.events)
  const template = judgeTemplate(before.kind, body.template ?? before.template ?? undefined)
  const made = body.newSecret && hasOwnSecret(before.kind) ? makeWebhookSecret() : null
  const secret = made ?? (before.kind === 'dingtalk' ? body.signingSecret : undefined)
  const key = ctx.env.JWT_SECRET
  await edit(ctx, { opened: body.edition }, (tx) =>
    tx
      .update(alarmChannels)
      .set({
        name: body.name,
        template,
        ...events,
        enabled: body.enabled,
        disabledReason: body.enabled ? null : before.disabledReason,
        // Who switches it on again believes that it works: if not, they are told again.
        ...(body.enabled && !before.enabled ? { brokenAt: null } : {}),
        ...(body.secretUrl === undefined
          ? {}
          : { urlSealed: seal(body.secretUrl, key), urlShown: shown(body.secretUrl), brokenAt: null }),
        ...(secret ? { secretSealed: seal(secret, key) } : {}),
      })
      .where(eq(alarmChannels.id, before.id)),
  ).catch(taken(body.name))
  return { secret: made }
})

export const deleteAlarmChannelHandler = handler(deleteAlarmChannel, async (ctx) => {
  const { id } = changeableOne(ctx)
  await ctx.db.transaction(async (tx) => {
    // Locked first, so that no rule begins to use it meanwhile.
    await tx
      .select({ id: alarmChannels.id })
      .from(alarmChannels)
      .where(eq(alarmChannels.id, id))
      .for('update')
    const [used] = await tx
      .select({ name: alarmRules.name, kind: alarmRules.kind })
      .from(alarmRuleChannels)
      .innerJoin(alarmRules, eq(alarmRules.id, alarmRuleChannels.ruleId))
      .where(eq(alarmRuleChannels.channelId, id))
      .limit(1)
    if (used) refuse(alarmRefusals.channelInUse, { rule: ruleNamed(ctx, used) })
    await tx.delete(alarmChannels).where(eq(alarmChannels.id, id))
  })
  return null
})

type Outcome = ReplyOf<typeof testAlarmChannel>

/** An unreachable receiver is the result of the test, not a fault. */
async function tryChannel(
  ctx: CallContext,
  channel: typeof alarmChannels.$inferSelect,
  notice: Parameters<typeof composeRequest>[1],
  phone: string | null,
): Promise<Outcome> {
  const key = ctx.env.JWT_SECRET
  const failed = { ok: false, status: null, response: null, tookMs: null }
  let request: ReturnType<typeof composeRequest>
  try {
    const url = unseal(channel.urlSealed, key)
    const secret = channel.secretSealed === null ? null : unseal(channel.secretSealed, key)
    const { kind, template } = channel
    request = composeRequest({ kind, url, secret, template }, notice, { phone, at: ctx.now() }, hmacBase64)
  } catch (error) {
    ctx.log.error({ err: error, channel: channel.id }, 'a channel cannot be read')
    return { ...failed, error: 'unreadable' }
  }
  try {
    const { status, text, tookMs } = await postOutbound(request.url, {
      ...request,
      timeoutMs: DELIVERY_TIMEOUT_MS,
      keepBytes: RESPONSE_KEPT_BYTES,
      allowPrivate: ctx.env.WEBHOOK_ALLOW_PRIVATE,
    })
    return { ok: isAccepted(channel.kind, { status, text }), status, response: text, error: null, tookMs }
  } catch (error) {
    ctx.log.info({ err: error, channel: channel.id }, 'test notice not delivered')
    return { ...failed, error: 'unreachable' }
  }
}

/** Actually sends the notice, which is in the delivery log like any other. */
export const testAlarmChannelHandler = handler(testAlarmChannel, async (ctx, body) => {
  const channel = rowOf(ctx, storedAlarmChannel)
  await spendOne(ctx, { customerId: channel.customerId, purpose: 'channelTest' })
  const text = sayIn(ctx.language)('alarm:message.test', { rule: channel.name })
  const payload: AlarmPayload = { rule: null, incident: null, count: 0, alarms: [], text }
  const notice = { id: randomUUID(), kind: 'test' as const, subject: text, payload, createdAt: ctx.now() }
  await ctx.db.insert(alarmNotices).values({ ...notice, customerId: channel.customerId })
  const outcome = await tryChannel(ctx, channel, notice, body.phone ?? null)
  await ctx.db.insert(alarmDeliveries).values({
    noticeId: notice.id,
    customerId: channel.customerId,
    channelId: channel.id,
    recipient: body.phone ?? channel.name,
    state: outcome.ok ? 'sent' : 'failed',
    attempts: 1,
    responseStatus: outcome.status,
    responseText: outcome.response,
    tookMs: outcome.tookMs,
    error: outcome.error,
    sentAt: outcome.ok ? ctx.now() : null,
  })
  if (outcome.ok)
    await ctx.db.update(alarmChannels).set({ brokenAt: null }).where(eq(alarmChannels.id, channel.id))
  ctx.note({ after: { ok: outcome.ok, status: outcome.status } })
  return outcome
})
