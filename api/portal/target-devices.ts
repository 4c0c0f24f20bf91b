/** Which devices should have an advertisement, and which do. */
import { inArray, type SQL, sql } from 'drizzle-orm'
import { setPortal } from '#schema/portal/set-portal'
import { devices } from '#schema/tables/device'
import { advertisements, portalDevices } from '#schema/tables/portal'
import type { CallContext } from '../kit/handler.ts'
import { visible } from '../kit/scope.ts'

const isIn = (revision: unknown) =>
  sql`${advertisements.id} || '.' || ${advertisements.version} = any(string_to_array(${revision}, '-'))`
/** In any version. */
const holdsAny = (revision: unknown) => sql`('-' || ${revision}) like '%-' || ${advertisements.id} || '.%'`

export const isUnsupported = sql<boolean>`coalesce(not ${devices.features} ? ${setPortal.name}::text, false)`

/**
 * Needs the row of `portal_devices`. null: the advertisement is not for the device. A disabled one is still there until
 * the device drops it; a changed one counts as pending even before the sweep has computed the new revision.
 */
export const deliveryOf: SQL<'has' | 'waiting' | 'failed' | 'unsupported' | null> = sql`case
  when ${isIn(portalDevices.reported)} then 'has'
  when ${holdsAny(portalDevices.desired)} then
    case when ${isUnsupported} then 'unsupported' when ${portalDevices.error} is not null then 'failed' else 'waiting' end
  when ${holdsAny(portalDevices.reported)} then 'has' end`

type Counts = { haveCount: number; waitCount: number; unsupportedCount: number }

/** Counts of the devices that the actor sees, by advertisement. */
export async function countDevices({ db, actor }: CallContext, ids: number[]): Promise<Map<number, Counts>> {
  if (ids.length === 0) return new Map()
  const found = await db.execute<Counts & { id: number }>(sql`
    select id, count(*) filter (where state = 'has')::int as "haveCount",
      count(*) filter (where state in ('waiting', 'failed'))::int as "waitCount",
      count(*) filter (where state = 'unsupported')::int as "unsupportedCount"
    from (
      select ${advertisements.id} as id, ${deliveryOf} as state
      from ${advertisements} join ${devices} on ${devices.customerId} = ${advertisements.customerId}
      join ${portalDevices} on ${portalDevices.deviceId} = ${devices.id}
      where ${inArray(advertisements.id, ids)} and ${visible(actor).devices}) as each
    group by id`)
  return new Map([...found].map(({ id, ...counts }) => [id, counts]))
}
