/** A channel that does not work any more would go unnoticed until somebody misses an alarm: its administrators are told. */
import { isAddress, queueMail } from '#infra/mail'
import { sayIn } from '#infra/say'
import { alarmChannelsPermission, type ChannelKind, type DeliveryError } from '#schema/alarm/alarm-channel'
import { alarmRuleScreen } from '#schema/alarm/alarm-rule'
import type { Language } from '#schema/kit/refusal'
import type { WorkerContext } from '../kit/processor.ts'

const MAILS_MAX = 20

type Tried = {
  channelId: number
  createdAt: Date
  /** The response of the receiver; without one, the error. */
  status: number | null
  error: DeliveryError | null
}
type Channel = { customerId: number; name: string; kind: ChannelKind; enabled: boolean; language: Language }
type Reader = { email: string; language: Language | null }

/**
 * Once, until the receiver has accepted something again; not if it has accepted any notice since this one was written, as
 * one that is overloaded does, or an SMS provider that refuses one number. Switched off because of its answer, a channel is
 * told of in any case. A delivery takes less than a day, so only those of a day before can have been accepted since.
 */
export const mailBroken = (
  { sql, env, now, parameters }: WorkerContext,
  { channelId, createdAt, status, error }: Tried,
): Promise<void> =>
  sql.begin(async (tx) => {
    const [channel] = await tx<Channel[]>`
      update alarm_channels set broken_at = ${now()} where id = ${channelId} and broken_at is null
        and (disabled_reason is not null or (enabled and not exists (select 1 from alarm_deliveries
          where channel_id = ${channelId} and sent_at >= ${createdAt} and created_at > ${createdAt}::timestamptz - interval '1 day')))
      returning customer_id as "customerId", name, kind, enabled, event_language as language`
    if (!channel) return
    const readers = await tx<Reader[]>`
      select u.email, u.language from users u join roles r on r.id = u.role_id
      where u.customer_id = ${channel.customerId} and u.status = 1 and u.email is not null and u.type = 'customerAdmin'
        and r.function_ids @> array[${alarmChannelsPermission.id}]::int[]
      order by u.id`
    for (const { email, language } of readers.filter((one) => isAddress(one.email)).slice(0, MAILS_MAX)) {
      const say = sayIn(language ?? channel.language)
      const said = {
        name: channel.name,
        kind: say(`alarm:channel.kind.${channel.kind}`),
        reason: error ? say(`alarm:delivery.error.${error}`) : `HTTP ${status}`,
        state: say(channel.enabled ? 'alarm:brokenMail.retried' : 'alarm:brokenMail.off'),
        link: `${env.PUBLIC_URL}${alarmRuleScreen.path}?open=channels`,
      }
      await queueMail(tx, parameters, {
        customerId: channel.customerId,
        purpose: 'alarm',
        recipient: email,
        subject: say('alarm:brokenMail.subject', said),
        text: say('alarm:brokenMail.text', said),
      })
    }
  })
