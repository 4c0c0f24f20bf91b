/** Notifies channels and contacts about events of tasks and configurations. [decisions/107] */
import { sayIn } from '#infra/say'
import { deliverNotices } from '#schema/alarm/alarm-channel'
import { type ChannelEvent, notifyEvents } from '#schema/alarm/channel-event'
import { eventWords, type Happened } from '#schema/alarm/event-text'
import type { Language } from '#schema/kit/refusal'
import { sendMails } from '#schema/platform/mail'
import { processor, type Transaction, type WorkerContext } from '../kit/processor.ts'
import { mailApprovers } from '../task/mail-approvers.ts'
import { dueConfigEvents } from './due-config-events.ts'
import { dueTaskEvents } from './due-task-events.ts'
import { addNotice, plainOnce } from './notice-deliveries.ts'

type Wanting = { language: Language } & (
  | { channel: { id: number; kind: string; name: string }; contact: null }
  | { channel: null; contact: { email: string; phone: string } }
)

/** [§3 User] Users whose alarm switch is off get no notices, not even as a contact. */
const wanting = (tx: Transaction, customerId: number, event: ChannelEvent) => tx<Wanting[]>`
  select event_language as language, json_build_object('id', id, 'kind', kind, 'name', name) as channel, null as contact
  from alarm_channels where customer_id = ${customerId} and enabled and ${event} = any(events)
  union all
  select c.event_language, null, json_build_object('email', c.email, 'phone', c.phone)
  from contacts c where c.customer_id = ${customerId} and ${event} = any(c.events)
    and not exists (select 1 from users u where u.customer_id = c.customer_id and lower(u.email) = lower(c.email) and u.alarm_state = 0)`

/** Writes one notice for each language that a receiver uses. Returns how many. */
async function tell(
  tx: Transaction,
  ctx: WorkerContext,
  { customerId, ...event }: Happened,
): Promise<number> {
  const all = await wanting(tx, customerId, event.event)
  const phones = all.flatMap(({ contact }) => (contact ? [contact.phone] : []))
  const spoken = [...new Set(all.map(({ language }) => language))]
  for (const language of spoken) {
    const { subject, text } = eventWords(event, sayIn(language))
    const own = all.filter((one) => one.language === language)
    const link = event.task?.url ?? `${ctx.env.PUBLIC_URL}/resource/configurationlist`
    const mails = plainOnce(own.flatMap(({ contact }) => (contact ? [contact] : [])))
    await addNotice(
      tx,
      {
        customerId,
        ruleId: null,
        kind: event.event,
        subject,
        payload: { text, task: event.task, count: event.count, devices: event.devices },
      },
      {
        mails: mails.map(({ email }) => ({ email, subject, text: `${text}\n\n${link}\n` })),
        phones,
        channels: own.flatMap(({ channel }) => (channel ? [channel] : [])),
      },
      { at: ctx.now(), url: ctx.env.PUBLIC_URL, parameters: ctx.parameters, log: ctx.log },
    )
  }
  return spoken.length
}

/** Events are marked as notified in the same transaction: a crash neither repeats nor loses one. */
export const notifyEventsJob = processor(notifyEvents, async (ctx) => {
  const notified = await ctx.sql.begin(async (tx) => {
    const happened = [...(await dueTaskEvents(tx, ctx)), ...(await dueConfigEvents(tx))]
    let notices = 0
    // By customer: budgets are locked in this order everywhere. A task of several customers belongs to none, and its
    // approvers are mailed once.
    const asked = new Set<number>()
    for (const one of happened.toSorted((a, b) => a.customerId - b.customerId)) {
      notices += await tell(tx, ctx, one)
      if (one.event === 'taskAwaitsApproval' && one.task) asked.add(one.task.id)
    }
    for (const taskId of asked) await mailApprovers(tx, ctx, taskId)
    return notices + asked.size
  })
  if (notified > 0) {
    await ctx.queue.add(sendMails, {})
    await ctx.queue.add(deliverNotices, {})
  }
  return { notified }
})
