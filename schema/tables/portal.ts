import { sql } from 'drizzle-orm'
import {
  boolean,
  date,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { advertisementScopes } from '../portal/advertisement.ts'
import { at, bytes, nameKey, serialId } from './columns.ts'
import { customers, images } from './customer.ts'
import { devices } from './device.ts'
import { groups } from './group.ts'
import { BY_PEOPLE, kept, PER_DEVICE } from './kept.ts'

/** Pictures with a link for captive portals. */
export const advertisements = pgTable(
  'advertisements',
  {
    id: serialId('id'),
    customerId: integer('customer_id')
      .notNull()
      .references(() => customers.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    imageId: uuid('image_id')
      .notNull()
      .references(() => images.id),
    caption: text('caption'),
    link: text('link').notNull(),
    place: integer('place').notNull().default(100),
    /** Stored explicitly: one whose last group is deleted must not be shown everywhere. */
    scope: text('scope', { enum: advertisementScopes }).notNull(),
    fromDate: date('from_date', { mode: 'string' }),
    toDate: date('to_date', { mode: 'string' }),
    weekdays: integer('weekdays').array().notNull().default([]),
    fromTime: text('from_time'),
    toTime: text('to_time'),
    enabled: boolean('enabled').notNull().default(true),
    /** Counts the changes of what devices get; part of their revision. */
    version: integer('version').notNull().default(1),
    /** Sums of all reports, also of days that are no longer kept. */
    shownTotal: bytes('shown_total').notNull().default(0),
    clickedTotal: bytes('clicked_total').notNull().default(0),
    createdAt: at('created_at').notNull().defaultNow(),
    updatedAt: at('updated_at').notNull().defaultNow(),
  },
  (t) => [
    uniqueIndex('advertisements_name').on(t.customerId, nameKey(t.name)),
    index('advertisements_image').on(t.imageId),
  ],
)
export const advertisementsKept = kept(advertisements, BY_PEOPLE)

const advertisementId = () =>
  integer('advertisement_id')
    .notNull()
    .references(() => advertisements.id, { onDelete: 'cascade' })
const deviceId = () =>
  integer('device_id')
    .notNull()
    .references(() => devices.id, { onDelete: 'cascade' })

/** Its groups, including subgroups. */
export const advertisementGroups = pgTable(
  'advertisement_groups',
  {
    advertisementId: advertisementId(),
    groupId: integer('group_id')
      .notNull()
      .references(() => groups.id, { onDelete: 'cascade' }),
  },
  (t) => [
    primaryKey({ columns: [t.advertisementId, t.groupId] }),
    index('advertisement_groups_group').on(t.groupId),
  ],
)
export const advertisementGroupsKept = kept(advertisementGroups, 'goes with its advertisement')

/** What each device should have and has; devices that never had anything have no row. */
export const portalDevices = pgTable(
  'portal_devices',
  {
    deviceId: deviceId().primaryKey(),
    /** Revisions; empty: nothing. */
    desired: text('desired').notNull().default(''),
    reported: text('reported').notNull().default(''),
    /** Ids of the advertisements that it shows today. */
    today: integer('today').array().notNull().default([]),
    reportedAt: at('reported_at'),
    commandId: uuid('command_id'),
    triedAt: at('tried_at'),
    /** Consecutive failed tries. */
    tries: smallint('tries').notNull().default(0),
    error: text('error'),
  },
  (t) => [
    index('portal_devices_waiting').on(t.deviceId).where(sql`${t.desired} <> ${t.reported}`),
    index('portal_devices_asked').on(t.commandId).where(sql`${t.commandId} is not null`),
  ],
)
export const portalDevicesKept = kept(portalDevices, PER_DEVICE)

/** The device's own running count of one day: the natural key makes repeated reports harmless. */
export const advertisementCounts = pgTable(
  'advertisement_counts',
  {
    advertisementId: advertisementId(),
    deviceId: deviceId(),
    day: date('day', { mode: 'string' }).notNull(),
    shown: integer('shown').notNull(),
    clicked: integer('clicked').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.advertisementId, t.deviceId, t.day] }),
    index('advertisement_counts_device').on(t.deviceId, t.day),
    index('advertisement_counts_day').on(t.day),
  ],
)

/** Sums over all devices. */
export const advertisementDays = pgTable(
  'advertisement_days',
  {
    advertisementId: advertisementId(),
    day: date('day', { mode: 'string' }).notNull(),
    shown: bytes('shown').notNull(),
    clicked: bytes('clicked').notNull(),
  },
  (t) => [primaryKey({ columns: [t.advertisementId, t.day] }), index('advertisement_days_day').on(t.day)],
)
