/** What pages about devices choose from, and where a device's page is. */
import { getDeviceFacets, type getDeviceList } from '#schema/device'
import { getGroupList } from '#schema/group'
import { number } from '../kit/format.ts'
import type { Option, Row } from '../kit/list-types.ts'
import { useCall } from '../kit/query.ts'

export type DeviceRow = Row<typeof getDeviceList>
export const detailPath = (device: { groupId: number; deviceId: number }) =>
  `/device/particulars/${device.groupId}/${device.deviceId}`

/** Choices change seldom. */
const STALE_MS = 30_000
/** [§9] */
const GROUPS_MAX = 99_999

export function useFacet(facet: 'models' | 'firmwares'): readonly Option[] {
  const facets = useCall(getDeviceFacets, {}, { staleMs: STALE_MS })
  return (facets.data?.[facet] ?? []).map(({ value, count }) => ({
    value,
    label: `${value} (${number(count)})`,
  }))
}

export function useGroupOptions(): readonly Option[] {
  const groups = useCall(getGroupList, { limit: GROUPS_MAX }, { staleMs: STALE_MS })
  return (groups.data?.list ?? []).map(({ gid, groupName, deviceTotal }) => ({
    value: String(gid),
    label: `${groupName} (${number(deviceTotal)})`,
  }))
}
