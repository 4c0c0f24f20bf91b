/**
 * The firmware from which on a page exists: devices report a configuration level, not a list of versions, so it is
 * derived from devices of the same model that have the page.
 */
import { and, eq, isNotNull, sql } from 'drizzle-orm'
import type { ConfigPage } from '#schema/config/config-page'
import { deviceConfigs } from '#schema/tables/config'
import { devices } from '#schema/tables/device'
import type { CallContext } from '../kit/handler.ts'
import { visible } from '../kit/scope.ts'

/** Sorts 1.10 after 1.9. */
const order = new Intl.Collator('en', { numeric: true })

/** The oldest firmware with a page among the visible devices of a model; null: none has it. */
export async function firmwareByPage(
  { db, actor }: Pick<CallContext, 'db' | 'actor'>,
  model: string | null,
): Promise<(page: ConfigPage) => string | null> {
  if (model === null) return () => null
  const known = await db
    .select({ firmware: sql<string>`${devices.firmware}`, level: sql<number>`max(${deviceConfigs.level})` })
    .from(devices)
    .innerJoin(deviceConfigs, eq(deviceConfigs.deviceId, devices.id))
    .where(
      and(
        visible(actor).devices,
        eq(devices.model, model),
        isNotNull(devices.firmware),
        isNotNull(deviceConfigs.level),
      ),
    )
    .groupBy(devices.firmware)
  const oldest = known.sort((a, b) => order.compare(a.firmware, b.firmware))
  return ({ sinceLevel }) => oldest.find(({ level }) => level >= sinceLevel)?.firmware ?? null
}
