import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { configEnds, configStates } from '../config/config-state.ts'
import { at } from './columns.ts'
import { customers } from './customer.ts'
import { devices } from './device.ts'
import { kept, PER_DEVICE } from './kept.ts'

/** `document`, `desired` and `next` are encrypted JSON: the text of each package, with passwords and keys. */
export const deviceConfigs = pgTable(
  'device_configs',
  {
    deviceId: integer('device_id')
      .primaryKey()
      .references(() => devices.id, { onDelete: 'cascade' }),
    /** From hello; null: its current software does not report its configuration. */
    level: integer('level'),
    abilities: jsonb('abilities').$type<string[]>().notNull().default([]),
    /** The interface over which it reached the platform, by the last hello. */
    uplink: text('uplink'),
    /** The running configuration, by the last hello or status. */
    runningHash: text('running_hash'),
    /** The document that the platform has read: equal to `runningHash` unless it is being read. */
    documentHash: text('document_hash'),
    document: text('document'),
    packages: jsonb('packages').$type<Record<string, string>>().notNull().default({}),
    documentAt: at('document_at'),
    askedAt: at('asked_at'),
    /** When it was first asked for a configuration that has not been read until now; null: what it runs is known. */
    unreadSince: at('unread_since'),
    /** A change on trial that the device has reported and that is not confirmed yet. */
    pendingRevision: integer('pending_revision'),
    /** When the device was last told to keep it or to roll it back. */
    answeredAt: at('answered_at'),
    /** The desired configuration; null: nothing was ever set from the platform. */
    desiredHash: text('desired_hash'),
    desired: text('desired'),
    desiredAt: at('desired_at'),
    /** Whose change it was; kept when the user is deleted. null: nobody's, as of a restored file. */
    desiredBy: integer('desired_by'),
    /** Differences between running and desired, without the ignored ones. */
    drift: integer('drift').notNull().default(0),
    ignored: jsonb('ignored').$type<string[]>().notNull().default([]),
    /** The state that receivers of events were last notified of; they are notified when it differs. [decisions/107] */
    notifiedDrift: boolean('notified_drift').notNull().default(false),
    notifiedRevertAt: at('notified_revert_at'),
    /** Counts the changes of this device. */
    revision: integer('revision').notNull().default(0),
    /** The change in progress: its task item, and the resulting document. */
    itemId: uuid('item_id'),
    /** The task item of the last change, kept after its end. */
    lastItemId: uuid('last_item_id'),
    next: text('next'),
    nextHash: text('next_hash'),
    nextPackages: jsonb('next_packages').$type<Record<string, string>>(),
    /** What is desired after it, if differences stay that it does not touch; null: `next`. */
    nextDesired: text('next_desired'),
    nextDesiredHash: text('next_desired_hash'),
    nextDrift: integer('next_drift').notNull().default(0),
    /** Fields that were set on the device itself, by page: its templates do not change them [decisions/105]. */
    own: jsonb('own').$type<Record<string, string[]>>().notNull().default({}),
    /** The fields that the change in progress adds to them; null: it comes from templates. */
    nextOwn: jsonb('next_own').$type<Record<string, string[]>>(),
    /** Certificates and keys that the desired document names, by path, encrypted; `nextFiles`: of the change in progress. */
    files: text('files'),
    nextFiles: text('next_files'),
    /** How the last change ended. */
    ended: text('ended', { enum: configEnds }),
    fault: jsonb('fault').$type<{ package: string; section?: string; option?: string; reason: string }>(),
    detail: text('detail'),
    endedAt: at('ended_at'),
    state: text('state', { enum: configStates })
      .notNull()
      .generatedAlwaysAs(
        sql`case when level is null then 'unsupported' when item_id is not null then 'waiting' when ended in ('rejected', 'conflict', 'busy', 'failed') then 'refused' when ended = 'reverted' then 'reverted' when drift > 0 then 'differs' when document_hash is null then 'unread' else 'inStep' end`,
      ),
  },
  (t) => [
    index('device_configs_state').on(t.state, t.deviceId),
    index('device_configs_unread')
      .on(t.deviceId)
      .where(sql`level is not null and document_hash is distinct from running_hash`),
    index('device_configs_unread_since').on(t.unreadSince).where(sql`${t.unreadSince} is not null`),
    index('device_configs_waiting').on(t.itemId).where(sql`item_id is not null`),
    index('device_configs_to_notify')
      .on(t.deviceId)
      .where(
        sql`notified_drift <> (drift > 0) or (ended = 'reverted' and ended_at is distinct from notified_revert_at)`,
      ),
    index('device_configs_pending').on(t.deviceId).where(sql`pending_revision is not null`),
  ],
)
export const deviceConfigsKept = kept(deviceConfigs, PER_DEVICE)

/** Edits of a page that are not applied yet: encrypted JSON, by field name. */
export const configDrafts = pgTable(
  'config_drafts',
  {
    deviceId: integer('device_id')
      .notNull()
      .references(() => devices.id, { onDelete: 'cascade' }),
    page: text('page').notNull(),
    /** The owner of the device: it ends when the device moves to another customer. */
    customerId: integer('customer_id')
      .notNull()
      .references(() => customers.id, { onDelete: 'cascade' }),
    changes: text('changes').notNull(),
    /** The changed fields, so that lists need no key. */
    fields: jsonb('fields').$type<string[]>().notNull(),
    updatedBy: integer('updated_by'),
    updatedAt: at('updated_at').notNull().defaultNow(),
    /** The revision that it was sent with; deleted when that is confirmed. null: changed since. */
    sentRevision: integer('sent_revision'),
  },
  (t) => [primaryKey({ columns: [t.deviceId, t.page] })],
)
export const configDraftsKept = kept(configDrafts, 'one row for each device and page, at most')
