import { getDeviceDetail, getDeviceFacets, getDeviceList } from '#schema/device/device'
import { getDeviceMap } from '#schema/device/device-map'
import { getFleetSummary } from '#schema/device/fleet'
import { getUnusualList } from '#schema/device/unusual'
import { getGroupTree } from '#schema/group/group'

/** Calls whose results change when devices are added or deleted. */
export const deviceReads = [
  getDeviceList,
  getDeviceFacets,
  getDeviceDetail,
  getUnusualList,
  getFleetSummary,
  getDeviceMap,
  getGroupTree,
]
