/** Loads what the platform knows about a device's configuration, for the calls about it. */
import { and, eq, sql } from 'drizzle-orm'
import { docOf, unsealTexts } from '#infra/config/config-store'
import { keptValues } from '#infra/config/kept-values'
import { ifReadable, unseal } from '#infra/secrets'
import type { ConfigPage, DeviceTraits } from '#schema/config/config-page'
import { configRefusals } from '#schema/config/config-refusals'
import { offerOf, pageNamed } from '#schema/config/page-list'
import type { UciDoc } from '#schema/config/uci'
import { refuse } from '#schema/kit/refusal'
import { sessionRefusals } from '#schema/people/session-refusals'
import { configDrafts, deviceConfigs } from '#schema/tables/config'
import { devices } from '#schema/tables/device'
import { deviceSections } from '#schema/tables/section'
import { users } from '#schema/tables/user'
import { storedDevice } from '../device/device-object.ts'
import { checkSeen, rowOf } from '../kit/about.ts'
import type { CallContext } from '../kit/handler.ts'
import { knownName } from '../kit/known-name.ts'
import { visible } from '../kit/scope.ts'

type Db = Pick<CallContext['db'], 'select'>
export type Values = Readonly<Record<string, unknown>>

export type Draft = {
  page: string
  changes: Values
  fields: string[]
  by: string | null
  at: Date
  edition: string
  seen?: string
}

export type DeviceConfig = {
  device: {
    id: number
    sn: string
    customerId: number
    groupId: number
    model: string | null
    online: boolean | null
  }
  row: typeof deviceConfigs.$inferSelect | null
  /** Configuration level; null: the device has not reported one. */
  level: number | null
  /** The document that was read from the device last. */
  doc: UciDoc
  traits: DeviceTraits
  reportedWan: unknown
}

/**
 * Loads it for the call's device. `lock`: locks it until the transaction ends, to change it. @throws Refusal 5 if the device
 * was given to another customer until it was locked
 */
export async function loadConfig(ctx: CallContext, db: Db = ctx.db, lock = false): Promise<DeviceConfig> {
  const config = await loadConfigOf(ctx, rowOf(ctx, storedDevice), db, lock)
  if (lock) await checkSeen(db, ctx)
  return config
}

/** Loads it for a device other than the call's. @throws Refusal 5 unless the actor sees it */
export async function loadOtherConfig(ctx: CallContext, deviceId: number): Promise<DeviceConfig> {
  const { id, sn, customerId, groupId, model } = devices
  const [found] = await ctx.db
    .select({ id, sn, customerId, groupId, model, online: sql<boolean | null>`null` })
    .from(devices)
    .where(and(visible(ctx.actor).devices, eq(id, deviceId)))
  return loadConfigOf(ctx, found ?? refuse(sessionRefusals.noPermission))
}

async function loadConfigOf(
  ctx: CallContext,
  { id, sn, customerId, groupId, model, online }: DeviceConfig['device'],
  db: Db = ctx.db,
  lock = false,
): Promise<DeviceConfig> {
  const query = db.select().from(deviceConfigs).where(eq(deviceConfigs.deviceId, id))
  const [row = null] = await (lock ? query.for('no key update') : query)
  const [wan] = await db
    .select({ value: deviceSections.value })
    .from(deviceSections)
    .where(and(eq(deviceSections.deviceId, id), eq(deviceSections.name, 'wan')))
  return {
    device: { id, sn, customerId, groupId, model, online },
    row,
    level: row?.level ?? null,
    doc: docOf(unsealTexts(row?.document ?? null, ctx.env.JWT_SECRET)),
    traits: { abilities: new Set(row?.abilities ?? []), model, uplink: row?.uplink ?? null },
    reportedWan: wan?.value,
  }
}

/** Beside the fields of a stored draft: on which lists of rows its edits were made. No field is called so. */
export const SEEN = '@seen'

/** Two saves within one millisecond are the same state: each reads before it writes. */
const editionOf = (at: Date) => at.toISOString()

/** A former owner's drafts are not visible to the new one. */
export async function loadDrafts(
  ctx: CallContext,
  { device }: DeviceConfig,
  db: Db = ctx.db,
): Promise<Draft[]> {
  const found = await db
    .select({
      page: configDrafts.page,
      changes: configDrafts.changes,
      fields: configDrafts.fields,
      by: knownName(ctx.actor, users, configDrafts.updatedBy),
      at: configDrafts.updatedAt,
    })
    .from(configDrafts)
    .leftJoin(users, eq(users.id, configDrafts.updatedBy))
    .where(and(eq(configDrafts.deviceId, device.id), eq(configDrafts.customerId, device.customerId)))
  return found.flatMap((draft) => {
    // Edits that nobody can read are no edits: the page can be edited again.
    const changes = ifReadable(() => unseal(draft.changes, ctx.env.JWT_SECRET))
    if (changes === null) return []
    const { [SEEN]: seen, ...edited } = JSON.parse(changes) as Values
    const rows = typeof seen === 'string' ? { seen } : {}
    return [{ ...draft, ...rows, changes: keptValues(draft.page, edited), edition: editionOf(draft.at) }]
  })
}

export const offerTo = (page: ConfigPage, { row, level, traits }: DeviceConfig) =>
  offerOf(page, { level, isRead: row?.document != null, traits })

/** @throws Refusal if there is no such page, or this device is not offered it */
export function offeredPage(name: string, config: DeviceConfig): ConfigPage {
  const page = pageNamed(name) ?? refuse(configRefusals.pageUnknown, {}, 'page')
  const offer = offerTo(page, config)
  if (offer === 'oldVersion') refuse(configRefusals.versionUnsupported, {}, 'page')
  if (offer === 'lacking') refuse(configRefusals.lacking, {}, 'page')
  if (offer === 'unread') refuse(configRefusals.unread, {}, 'page')
  return page
}
