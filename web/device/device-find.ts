import { getDeviceList } from '#schema/device/device'
import { getDeviceInfo } from '#schema/device/device-map'
import type { Option } from '../kit/list/list-types.ts'
import { useCall } from '../kit/query.ts'
import { mayCall } from '../kit/session.ts'

const SHOWN = 20

type Named = { deviceId: number; deviceSn: string; deviceName: string }
const optionOf = ({ deviceId, deviceSn, deviceName }: Named): Option => ({
  value: String(deviceId),
  label: deviceName === deviceSn ? deviceSn : `${deviceName} · ${deviceSn}`,
})

/** The device of a link, which may not be among the first matches; undefined: none, not known yet, or not visible. */
export function useDeviceNamed(deviceId: string | number | null): Option | undefined {
  const id = Number(deviceId)
  const found = useCall(
    getDeviceInfo,
    { deviceId: id },
    { enabled: Number.isSafeInteger(id) && id > 0 && mayCall(getDeviceInfo) },
  )
  return found.data?.list.map(optionOf).find(({ value }) => value === String(id))
}

/** Devices whose serial number, name or IMEI contains the text, for fields that select one device of a fleet. */
export function useDeviceFound(search: string, customerId?: number): readonly Option[] {
  const found = useCall(
    getDeviceList,
    { limit: SHOWN, ...(search ? { search, nearest: true } : {}), ...(customerId ? { customerId } : {}) },
    { keepPrevious: true },
  )
  return (found.data?.list ?? []).map(optionOf)
}
