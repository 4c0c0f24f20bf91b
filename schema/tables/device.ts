import { sql } from 'drizzle-orm'
import {
  boolean,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { CLOCK_WRONG_MS } from '../device/device-need.ts'
import { offlineReasons } from '../device/presence.ts'
import { simStates } from '../device/section-radio.ts'
import { at, bytes, figureColumns, serialId } from './columns.ts'
import { customers } from './customer.ts'
import { groups } from './group.ts'
import { BY_PEOPLE, kept, PER_DEVICE } from './kept.ts'

/** Data from users and `hello`: rarely changes. */
export const devices = pgTable(
  'devices',
  {
    id: serialId('id'),
    customerId: integer('customer_id')
      .notNull()
      .references(() => customers.id),
    groupId: integer('group_id')
      .notNull()
      .references(() => groups.id),
    sn: text('sn').notNull(),
    name: text('name').notNull(),
    address: text('address'),
    longitude: doublePrecision('longitude'),
    latitude: doublePrecision('latitude'),
    /** SHA-256 (hex) of the device secret; null: revoked, or enrolment not finished. */
    secretHash: text('secret_hash'),
    /**
     * The secret itself, encrypted; only if an external broker has its own accounts (infra/broker-account.ts).
     */
    secretSealed: text('secret_sealed'),
    secretChangedAt: at('secret_changed_at').notNull().defaultNow(),
    /**
     * First login with the current secret; null: the secret may never have arrived, so enrolment may issue another.
     */
    secretUsedAt: at('secret_used_at'),
    model: text('model'),
    firmware: text('firmware'),
    hardwareType: text('hardware_type'),
    hardwareVersion: text('hardware_version'),
    manufacturer: text('manufacturer'),
    kernel: text('kernel'),
    mac: text('mac'),
    imei: text('imei'),
    imsi: text('imsi'),
    iccid: text('iccid'),
    operator: text('operator'),
    /** Of the SIM in use; null: none, or not reported. */
    simState: text('sim_state', { enum: simStates }),
    configHash: text('config_hash'),
    packages: jsonb('packages').$type<Record<string, string>>(),
    features: jsonb('features').$type<string[]>(),
    bootId: text('boot_id'),
    helloAt: at('hello_at'),
    clockSkewMs: bytes('clock_skew_ms'),
    /** Its own zone, an IANA name known to the platform; null: not reported. */
    timeZone: text('time_zone'),
    createdAt: at('created_at').notNull().defaultNow(),
    /** [§4] Deleted devices are the abnormal ones: they can be restored or purged. */
    deletedAt: at('deleted_at'),
    deletedBy: integer('deleted_by'),
    deletedReason: text('deleted_reason'),
    /** Purged: its serial number is free again, a job deletes the rest batch by batch, this row last. */
    purgedAt: at('purged_at'),
    /** When it was moved to this customer, who sees no earlier history; null: it never had another owner. */
    ownedSince: at('owned_since'),
    /** Monthly mobile data plan; null: that of its group. */
    dataPlanMb: integer('data_plan_mb'),
    /** The device that it replaced. */
    replacesId: integer('replaces_id'),
    /** The searchable text. Stored: two letters are too few for the trigram index, so every row is compared. */
    searchText: text('search_text')
      .notNull()
      .generatedAlwaysAs(
        sql`lower(sn || ' ' || name || ' ' || coalesce(imei, '') || ' ' || coalesce(iccid, '') || ' ' || coalesce(mac, ''))`,
      ),
  },
  (t) => [
    uniqueIndex('devices_sn').on(t.sn),
    index('devices_customer_sn').on(t.customerId, t.sn).where(sql`${t.deletedAt} is null`),
    index('devices_deleted').on(t.customerId, t.deletedAt).where(sql`${t.deletedAt} is not null`),
    index('devices_purged').on(t.id).where(sql`${t.purgedAt} is not null`),
    index('devices_replaces').on(t.replacesId).where(sql`${t.replacesId} is not null`),
    index('devices_group').on(t.groupId, t.sn).where(sql`${t.deletedAt} is null`),
    /**
     * Owner and group of each device that is not deleted, without reading the device: used by lists of what belongs
     * to devices.
     */
    index('devices_place').on(t.customerId, t.groupId, t.id).where(sql`${t.deletedAt} is null`),
    index('devices_model').on(t.customerId, t.model).where(sql`${t.deletedAt} is null`),
    index('devices_firmware').on(t.customerId, t.firmware).where(sql`${t.deletedAt} is null`),
    /** The devices that need a person (api/device/device-need.ts). */
    index('devices_revoked').on(t.customerId).where(sql`${t.secretHash} is null and ${t.deletedAt} is null`),
    index('devices_clock_wrong')
      .on(t.customerId)
      .where(sql`abs(${t.clockSkewMs}) > ${sql.raw(String(CLOCK_WRONG_MS))} and ${t.deletedAt} is null`),
    index('devices_sim').on(t.customerId, t.simState).where(sql`${t.deletedAt} is null`),
    index('devices_search').using('gin', sql`${t.searchText} gin_trgm_ops`),
    index('devices_name').on(t.name, t.sn).where(sql`${t.deletedAt} is null`),
    index('devices_model_order').on(t.model, t.sn).where(sql`${t.deletedAt} is null`),
    index('devices_firmware_order').on(t.firmware, t.sn).where(sql`${t.deletedAt} is null`),
  ],
)
export const devicesKept = kept(devices, BY_PEOPLE)

/** Presence and latest values, one row per device, written behind by the broker: changes constantly. */
export const deviceStates = pgTable(
  'device_states',
  {
    deviceId: integer('device_id')
      .primaryKey()
      .references(() => devices.id, { onDelete: 'cascade' }),
    online: boolean('online').notNull().default(false),
    /** The device's current connection; the end of another one changes nothing. */
    connectionId: uuid('connection_id'),
    brokerId: text('broker_id'),
    onlineChangedAt: at('online_changed_at'),
    lastLoginAt: at('last_login_at'),
    lastLogoutAt: at('last_logout_at'),
    lastSeenAt: at('last_seen_at'),
    offlineReason: text('offline_reason', { enum: offlineReasons }),
    onlineCount: integer('online_count').notNull().default(0),
    offlineCount: integer('offline_count').notNull().default(0),
    duplicateSuspectedAt: at('duplicate_suspected_at'),
    /** Address of the MQTT connection. */
    remoteIp: text('remote_ip'),
    statusAt: at('status_at'),
    ip: text('ip'),
    networkMode: text('network_mode'),
    uptimeS: bytes('uptime_s'),
    rxBytes: bytes('rx_bytes'),
    txBytes: bytes('tx_bytes'),
    memoryTotalBytes: bytes('memory_total_bytes'),
    memoryUsedBytes: bytes('memory_used_bytes'),
    ...figureColumns(),
    clients: integer('clients'),
    interfaces: jsonb('interfaces'),
    gpsLongitude: doublePrecision('gps_longitude'),
    gpsLatitude: doublePrecision('gps_latitude'),
  },
  (t) => [
    index('device_states_online').on(t.deviceId).where(sql`${t.online}`),
    index('device_states_broker').on(t.brokerId).where(sql`${t.online}`),
    index('device_states_ip').using('gin', sql`(lower(${t.ip})) gin_trgm_ops`),
  ],
)
export const deviceStatesKept = kept(deviceStates, PER_DEVICE)

export const enrolmentKeys = pgTable(
  'enrolment_keys',
  {
    id: serialId('id'),
    customerId: integer('customer_id')
      .notNull()
      .references(() => customers.id),
    groupId: integer('group_id')
      .notNull()
      .references(() => groups.id),
    label: text('label').notNull(),
    hash: text('hash').notNull().unique(),
    /** Like `secretSealed` of devices. */
    keySealed: text('key_sealed'),
    maxCount: integer('max_count').notNull(),
    usedCount: integer('used_count').notNull().default(0),
    createdBy: integer('created_by'),
    createdAt: at('created_at').notNull().defaultNow(),
    expiresAt: at('expires_at').notNull(),
    revokedAt: at('revoked_at'),
  },
  (t) => [index('enrolment_keys_customer').on(t.customerId)],
)
export const enrolmentKeysKept = kept(enrolmentKeys, BY_PEOPLE)
