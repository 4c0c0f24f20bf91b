import { getDeviceList } from '#schema/device/device'
import type { Option } from '../kit/list/list-types.ts'
import { useCall } from '../kit/query.ts'

const SHOWN = 20

/** Devices whose serial number, name or IMEI contains the text, for fields that select one device of a fleet. */
export function useDeviceFound(search: string, customerId?: number): readonly Option[] {
  const found = useCall(
    getDeviceList,
    { limit: SHOWN, ...(search ? { search, nearest: true } : {}), ...(customerId ? { customerId } : {}) },
    { keepPrevious: true },
  )
  return (found.data?.list ?? []).map(({ deviceId, deviceSn, deviceName }) => ({
    value: String(deviceId),
    label: deviceName === deviceSn ? deviceSn : `${deviceName} · ${deviceSn}`,
  }))
}
