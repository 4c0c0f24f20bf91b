/** Options of device pages, and the path of a device's page. */
import { getDeviceFacets, type getDeviceList } from '#schema/device/device'
import { deviceDetailScreen, deviceListPermission } from '#schema/device/device-pages'
import { getGroupTree } from '#schema/group/group'
import { groupListPermission } from '#schema/group/group-pages'
import { number } from '../kit/format.ts'
import type { Option, Row } from '../kit/list/list-types.ts'
import { ifHeld } from '../kit/page-link.tsx'
import { useCall } from '../kit/query.ts'
import { can } from '../kit/session.ts'

export type DeviceRow = Row<typeof getDeviceList>
export const detailPath = (device: { groupId: number; deviceId: number }) =>
  `/device/particulars/${device.groupId}/${device.deviceId}`
/** For links; null for a user who may not open it. */
export const detailLink = (device: { groupId: number; deviceId: number }) =>
  ifHeld(deviceDetailScreen, detailPath(device))

/** Options rarely change. */
const STALE_MS = 30_000

export function useFacet(facet: 'models' | 'firmwares'): readonly Option[] {
  const facets = useCall(getDeviceFacets, {}, { staleMs: STALE_MS })
  return (facets.data?.[facet] ?? []).map(({ value, count }) => ({
    value,
    label: `${value} (${number(count)})`,
  }))
}

/** If several customers are visible, each group is shown with its customer: all of them have a "Default". */
export function useGroupOptions(): readonly Option[] {
  const { list = [], customers = [] } = useCall(getGroupTree, {}, { staleMs: STALE_MS }).data ?? {}
  const owners = new Map(customers.map(({ cid, customerName }) => [cid, customerName]))
  return list.map(({ gid, groupName, cid, deviceTotal }) => ({
    value: String(gid),
    label: `${groupName}${customers.length > 1 ? ` · ${owners.get(cid) ?? ''}` : ''} (${number(deviceTotal)})`,
  }))
}

/** For a filter by group or model: shown to users who may see what it lets choose from. */
export const ofGroups = { useOptions: useGroupOptions, when: () => can(groupListPermission) }
export const ofModels = { useOptions: () => useFacet('models'), when: () => can(deviceListPermission) }

/** Of one customer. */
export function useOwnGroupOptions(customerId: number | undefined): readonly Option[] {
  const { list = [] } = useCall(getGroupTree, {}, { staleMs: STALE_MS }).data ?? {}
  return list
    .filter(({ cid }) => cid === customerId)
    .map(({ gid, groupName, deviceTotal }) => ({
      value: String(gid),
      label: `${groupName} (${number(deviceTotal)})`,
    }))
}
