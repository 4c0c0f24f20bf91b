/** The device list's filters as a condition: the list, the export and bulk actions select the same devices. */
import { and, eq, like, type SQL, sql } from 'drizzle-orm'
import type { Context } from '#infra/context'
import type { ConfigState } from '#schema/config/config-state'
import type { DeviceFilter } from '#schema/device/device'
import { deviceConfigs } from '#schema/tables/config'
import { deviceStates, devices } from '#schema/tables/device'
import { reachedBy } from '../config/template-reach.ts'
import type { Actor } from '../kit/actor.ts'
import { contains } from '../kit/paging.ts'
import { visible } from '../kit/scope.ts'
import { inGroupTree } from '../kit/visible-ids.ts'
import { needConditions } from './device-need.ts'
import { hasPosition, within } from './device-position.ts'
import { isState } from './device-state.ts'

/** Part of an IPv4 or IPv6 address; shorter ones would match every address and cannot use a trigram index. */
const addressLike = /^(?=.*[\d.:])[\d.:a-f]{3,}$/i

function matches(search: string): SQL | undefined {
  const pattern = contains(search.toLowerCase())
  const byText = like(devices.searchText, pattern)
  if (!addressLike.test(search)) return byText
  // Two index scans joined by id: an OR over two tables would read both completely.
  return sql`${devices.id} in (select ${devices.id} from ${devices} where ${byText} union all select ${deviceStates.deviceId} from ${deviceStates} where lower(${deviceStates.ip}) like ${pattern})`
}

/** Uses the index on the state. Devices whose software does not report it have no row. */
const inConfigState = (state: ConfigState): SQL => {
  const found = sql`select ${deviceConfigs.deviceId} from ${deviceConfigs}`
  return state === 'unsupported'
    ? sql`${devices.id} not in (${found} where ${deviceConfigs.state} <> 'unsupported')`
    : sql`${devices.id} in (${found} where ${deviceConfigs.state} = ${state})`
}

/** Online devices, or the others; states are joined or correlated by device id. */
export const isOnline = sql<boolean>`coalesce(${deviceStates.online}, false)`

/**
 * Visible devices that match the filter; the query must left join `device_states`. @throws Refusal 5 for a group that
 * the actor may not see.
 */
export async function deviceCondition(
  caller: Pick<Context, 'db' | 'now'> & { actor: Actor },
  filter: DeviceFilter,
): Promise<SQL> {
  const { search, customerId, groupId, online, state, model, firmware, sim, need, position, region } = filter
  const { configState, templateId } = filter
  return (
    and(
      visible(caller.actor).devices,
      search ? matches(search) : undefined,
      customerId === undefined ? undefined : eq(devices.customerId, customerId),
      groupId === undefined ? undefined : await inGroupTree(caller, groupId),
      online === undefined ? undefined : eq(isOnline, online === 'online'),
      state === undefined ? undefined : isState(state, caller.now()),
      model === undefined ? undefined : eq(devices.model, model),
      firmware === undefined ? undefined : eq(devices.firmware, firmware),
      sim === undefined ? undefined : eq(devices.simState, sim),
      need === undefined ? undefined : needConditions[need],
      configState === undefined ? undefined : inConfigState(configState),
      templateId === undefined ? undefined : reachedBy(caller.actor, templateId),
      position === undefined ? undefined : eq(hasPosition, position === 'known'),
      region === undefined ? undefined : within(region),
    ) ?? sql`true`
  )
}
