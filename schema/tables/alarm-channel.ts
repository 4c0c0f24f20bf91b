import { sql } from 'drizzle-orm'
import { bigint, boolean, index, integer, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { channelKinds, deliveryStates, type NoticePayload, noticeKinds } from '../alarm/alarm-channel.ts'
import { channelEvents } from '../alarm/channel-event.ts'
import { languages } from '../kit/refusal.ts'
import { at, nameKey, serialId } from './columns.ts'
import { customers } from './customer.ts'
import { BY_PEOPLE, kept } from './kept.ts'
import { mails } from './mail.ts'

/** Notification channels besides e-mail. */
export const alarmChannels = pgTable(
  'alarm_channels',
  {
    id: serialId('id'),
    customerId: integer('customer_id')
      .notNull()
      .references(() => customers.id),
    name: text('name').notNull(),
    kind: text('kind', { enum: channelKinds }).notNull(),
    /** Encrypted: the addresses of Slack, Feishu, WeCom and DingTalk robots are their passwords. */
    urlSealed: text('url_sealed').notNull(),
    /** Scheme and host for display: path and query may be a password. */
    urlShown: text('url_shown').notNull(),
    /** Encrypted: our `whsec_…`, or the signing secret of a DingTalk robot. */
    secretSealed: text('secret_sealed'),
    /** SMS: the JSON for the provider, with {phone} and {text}. */
    template: text('template'),
    /** The events that it gets besides alarms, in the language of the user who chose them. */
    events: text('events', { enum: channelEvents }).array().notNull().default([]),
    eventLanguage: text('event_language', { enum: languages }).notNull().default('zh-CN'),
    enabled: boolean('enabled').notNull().default(true),
    /** Why the platform switched it off. */
    disabledReason: text('disabled_reason'),
    /** When its customer's administrators were told that its receiver accepts nothing; null: it works, or was changed since. */
    brokenAt: at('broken_at'),
    createdBy: integer('created_by'),
    createdAt: at('created_at').notNull().defaultNow(),
  },
  (t) => [uniqueIndex('alarm_channels_name').on(t.customerId, nameKey(t.name))],
)
export const alarmChannelsKept = kept(alarmChannels, BY_PEOPLE)

/** One notice; its id is the `webhook-id`. Written together with the state that it reports. */
export const alarmNotices = pgTable(
  'alarm_notices',
  {
    id: uuid('id').primaryKey(),
    customerId: integer('customer_id').notNull(),
    ruleId: integer('rule_id'),
    kind: text('kind', { enum: noticeKinds }).notNull(),
    subject: text('subject').notNull(),
    payload: jsonb('payload').$type<NoticePayload>().notNull(),
    createdAt: at('created_at').notNull().defaultNow(),
  },
  (t) => [
    index('alarm_notices_customer_at').on(t.customerId, t.createdAt),
    index('alarm_notices_at').on(t.createdAt),
  ],
)

/** One notice to one recipient: the delivery log, and the queue of deliveries. */
export const alarmDeliveries = pgTable(
  'alarm_deliveries',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    noticeId: uuid('notice_id')
      .notNull()
      .references(() => alarmNotices.id, { onDelete: 'cascade' }),
    customerId: integer('customer_id').notNull(),
    /** null: by e-mail (then `mail_id` has the result), or the channel was deleted. */
    channelId: integer('channel_id').references(() => alarmChannels.id, { onDelete: 'set null' }),
    mailId: bigint('mail_id', { mode: 'number' }).references(() => mails.id, { onDelete: 'set null' }),
    /** The e-mail address, the phone number, or the channel's name. */
    recipient: text('recipient').notNull(),
    state: text('state', { enum: deliveryStates }).notNull().default('draft'),
    attempts: integer('attempts').notNull().default(0),
    responseStatus: integer('response_status'),
    /** The first kilobyte of the response. */
    responseText: text('response_text'),
    tookMs: integer('took_ms'),
    error: text('error'),
    createdAt: at('created_at').notNull().defaultNow(),
    dueAt: at('due_at').notNull().defaultNow(),
    sentAt: at('sent_at'),
  },
  (t) => [
    index('alarm_deliveries_due')
      .on(t.dueAt)
      .where(sql`${t.state} in ('draft', 'sending') and ${t.channelId} is not null`),
    index('alarm_deliveries_customer_at').on(t.customerId, t.createdAt),
    index('alarm_deliveries_at').on(t.createdAt),
    index('alarm_deliveries_mail').on(t.mailId),
    index('alarm_deliveries_notice').on(t.noticeId),
    index('alarm_deliveries_channel').on(t.channelId),
  ],
)
