/** Sends due notices to webhooks, robots and SMS; a slow receiver delays only notices of its own customer. */
import { postOutbound } from '#infra/outbound'
import { hmacBase64, unseal } from '#infra/secrets'
import {
  type ChannelKind,
  DELIVERY_TIMEOUT_MS,
  type DeliveryError,
  deliverNotices,
  type NoticeKind,
  type NoticePayload,
  RESPONSE_KEPT_BYTES,
  RETRY_AFTER_S,
  ROBOT_PER_MINUTE,
  robotKinds,
} from '#schema/alarm/alarm-channel'
import { composeRequest, isAccepted } from '#schema/alarm/channel-message'
import { dueByThisClock } from '../kit/due-by-clock.ts'
import { processor, type WorkerContext } from '../kit/processor.ts'
import { runLines } from '../kit/shared-lines.ts'
import { mailBroken } from './mail-broken.ts'

/** Deliveries at the same time; few of one customer, because until the first try nobody knows that a receiver hangs. */
const SIDE_BY_SIDE = 12
const PER_CUSTOMER = 3
/**
 * Beside them, channels whose last try failed: enough receivers that hang would keep all lines from those that answer.
 */
const AGAIN_SIDE_BY_SIDE = 4
/** No delivery begins later than this in a run. */
const RUN_MS = 60_000
/** HTTP 410: the receiver does not want any more notices [Standard Webhooks]. */
const GONE = 410

/** Tries of one notice after which its channel counts as broken: six minutes after the first, when a restart of its receiver is over. */
const BROKEN_AFTER = 4

type Due = {
  id: number
  customerId: number
  recipient: string
  attempts: number
  channelId: number
  kind: ChannelKind
  enabled: boolean
  urlSealed: string
  secretSealed: string | null
  template: string | null
  noticeId: string
  noticeKind: NoticeKind
  subject: string
  payload: NoticePayload
  createdAt: Date
}

/** Channels with a notice that they did not accept, and that is still to be sent. */
const failing = (sql: WorkerContext['sql']) => sql`
  select channel_id from alarm_deliveries where state = 'sending' and channel_id is not null
    and (error is not null or response_status is not null)`

/**
 * Robots that got all that they accept within a minute: what was sent, is being sent, or was refused and is retried soon. A
 * delivery takes less than a day, with all its retries.
 */
const full = (sql: WorkerContext['sql'], at: Date) => sql`
  select c.id from alarm_channels c where c.kind = any(${[...robotKinds]}::text[])
    and exists (select 1 from alarm_deliveries w where w.channel_id = c.id and w.state in ('draft', 'sending') and w.due_at <= ${at})
    and ${ROBOT_PER_MINUTE} <= (select count(*) from alarm_deliveries s
      where s.channel_id = c.id and s.created_at > ${at}::timestamptz - interval '1 day' and (
        -- Later than this it was sent by a clock that was set back since.
        s.sent_at > ${at}::timestamptz - interval '1 minute' and s.sent_at <= ${at}::timestamptz + interval '1 minute'
        or (s.state = 'sending' and s.attempts > 0 and s.due_at > ${at} and s.due_at <= ${at}::timestamptz + interval '1 minute')))`

/**
 * Marked before sending and due again a little later: if the process dies here, the notice is sent again with
 * the same id.
 */
const take = ({ sql, now }: WorkerContext, again: boolean, without: readonly number[]) => sql<Due[]>`
  with taken as (
    update alarm_deliveries set state = 'sending', attempts = attempts + 1, due_at = ${now()}::timestamptz + interval '1 minute'
    where id = (select id from alarm_deliveries where state in ('draft', 'sending') and channel_id is not null and due_at <= ${now()}
        and (attempts > 0 or channel_id in (${failing(sql)})) = ${again} and customer_id <> all(${[...without]}::int[])
        and channel_id not in (${full(sql, now())})
      order by due_at limit 1 for update skip locked)
    returning id, customer_id, recipient, attempts, channel_id, notice_id)
  select t.id, t.customer_id as "customerId", t.recipient, t.attempts, c.id as "channelId", c.kind, c.enabled, c.url_sealed as "urlSealed", c.secret_sealed as "secretSealed",
    c.template, n.id as "noticeId", n.kind as "noticeKind", n.subject, n.payload, n.created_at as "createdAt"
  from taken t join alarm_channels c on c.id = t.channel_id join alarm_notices n on n.id = t.notice_id`

/** @throws if it was encrypted with another JWT_SECRET. */
function compose(ctx: WorkerContext, due: Due) {
  const key = ctx.env.JWT_SECRET
  return composeRequest(
    {
      kind: due.kind,
      url: unseal(due.urlSealed, key),
      secret: due.secretSealed === null ? null : unseal(due.secretSealed, key),
      template: due.template,
    },
    {
      id: due.noticeId,
      kind: due.noticeKind,
      subject: due.subject,
      payload: due.payload,
      createdAt: due.createdAt,
    },
    { phone: due.kind === 'sms' ? due.recipient : null, at: ctx.now() },
    hmacBase64,
  )
}

const send = (ctx: WorkerContext, request: ReturnType<typeof compose>) =>
  postOutbound(request.url, {
    ...request,
    timeoutMs: DELIVERY_TIMEOUT_MS,
    keepBytes: RESPONSE_KEPT_BYTES,
    allowPrivate: ctx.env.WEBHOOK_ALLOW_PRIVATE,
  })

/** A postponed delivery is left alone when it may be on its way, or was tried within this time. */
const ALONE_S = 90
/**
 * Waiting notices that are due as soon as one was accepted. Of a receiver that is back each of them brings the next ones; one
 * that is overloaded must not get all of them at once.
 */
const FOLLOWING = 2
/** The time that the pauses take together. A notice that was tried ahead of its pauses has further tries until then. */
const LASTS_S = RETRY_AFTER_S.reduce((sum, pause) => sum + pause, 0)
const EXTRA_PAUSE_S = 1800
const pauseAfter = ({ attempts, createdAt }: Due, now: Date): number | undefined =>
  RETRY_AFTER_S[attempts - 1] ??
  (now.getTime() - createdAt.getTime() < LASTS_S * 1000 ? EXTRA_PAUSE_S : undefined)

/**
 * The receiver is back: what it could not take while it was away is due, in the order in which it happened. Otherwise an alarm would be
 * reported hours after its recovery. What it refused (429, an `errcode`) waits for its own time.
 */
const hurry = ({ sql, now }: WorkerContext, channelId: number) => sql`
  update alarm_deliveries set due_at = created_at where id in (
    select id from alarm_deliveries where channel_id = ${channelId} and state = 'sending' and (error = 'unreachable' or response_status >= 500)
      and due_at > ${now()}::timestamptz + make_interval(secs => ${ALONE_S}::int)
      and due_at <= ${now()}::timestamptz + make_interval(secs => coalesce((${[...RETRY_AFTER_S]}::int[])[attempts], ${EXTRA_PAUSE_S}) - ${ALONE_S}::int)
    order by created_at limit ${FOLLOWING} for update skip locked)`

async function deliver(ctx: WorkerContext, due: Due): Promise<boolean> {
  const { sql } = ctx
  if (!due.enabled) {
    await sql`update alarm_deliveries set state = 'failed', error = 'switchedOff' where id = ${due.id}`
    return false
  }
  let status: number | null = null
  let text: string | null = null
  let tookMs: number | null = null
  let error: DeliveryError | null = null
  let ok = false
  let request: ReturnType<typeof compose> | null = null
  try {
    request = compose(ctx, due)
    const answer = await send(ctx, request)
    ok = isAccepted(due.kind, answer)
    status = answer.status
    text = answer.text
    tookMs = answer.tookMs
  } catch (failure) {
    error = request ? 'unreachable' : 'unreadable'
    ctx.log.warn({ err: failure, delivery: due.id }, 'notice not delivered')
  }
  const now = ctx.now()
  const wait = status === GONE ? undefined : pauseAfter(due, now)
  const state = ok ? 'sent' : wait === undefined ? 'failed' : 'sending'
  await sql`
    update alarm_deliveries set state = ${state}, response_status = ${status}, response_text = ${text}, took_ms = ${tookMs}, error = ${error},
      sent_at = ${ok ? now : null}, due_at = ${new Date(now.getTime() + (wait ?? 0) * 1000)} where id = ${due.id}`
  if (status === GONE)
    await sql`update alarm_channels set enabled = false, disabled_reason = 'HTTP 410' where id = ${due.channelId}`
  if (ok) {
    await hurry(ctx, due.channelId)
    await sql`update alarm_channels set broken_at = null where id = ${due.channelId} and broken_at is not null`
  } else if (state === 'failed' || due.attempts >= BROKEN_AFTER)
    await mailBroken(ctx, { ...due, status, error })
  return ok
}

export const deliverNoticesJob = processor(deliverNotices, async (ctx) => {
  await dueByThisClock(ctx, 'alarm_deliveries', ctx.sql`${ctx.now()}::timestamptz`)
  let sent = 0
  const sort = (count: number, perCustomer: number, again: boolean) => ({
    count,
    perCustomer,
    failing: again,
    take: async (without: readonly number[]) => (await take(ctx, again, without))[0],
    serve: async (due: Due) => {
      if (await deliver(ctx, due)) sent += 1
    },
  })
  await runLines(RUN_MS, [
    sort(SIDE_BY_SIDE, PER_CUSTOMER, false),
    sort(AGAIN_SIDE_BY_SIDE, AGAIN_SIDE_BY_SIDE / 2, true),
  ])
  return { sent }
})
