/** The devices that a dialog applies to. */
import type { ReactNode } from 'react'
import type { DeviceSelection } from '#schema/device/device'

export type OneDevice = {
  deviceId: number
  groupId: number
  deviceSn: string
  deviceName: string
  address: string | null
  dataPlanMb: number | null
  longitude: number | null
  latitude: number | null
  edition: string
  pinEdition: string
}
/** Several devices: `name` if it is only one, `selection` as the calls take it. */
export type ManyDevices = {
  name: string | null
  count: number
  selection: DeviceSelection
  /** Shown in the confirmation: which devices a filter selects. */
  preview?: ReactNode
  after?: () => void
}
/** For a command, whose confirmation asks the server: `count` is null until then. */
export type CommandedDevices = Omit<ManyDevices, 'count'> & { count: number | null }
export const oneOf = (device: OneDevice): ManyDevices => ({
  name: device.deviceName,
  count: 1,
  selection: { dids: [device.deviceId] },
})
