import type { ConfigPage } from '#schema/config/config-page'
import type { Device } from '../device/device-actions.tsx'
import { DeviceIo } from '../device/device-io.tsx'
import { useSections } from '../device/device-section.tsx'

type Props = { device: Device; section: NonNullable<ConfigPage['live']> }

/** What the device reports now of the things that a page configures, with its controls. */
export function LiveSection({ device, section }: Props) {
  const { data } = useSections(device.deviceId)
  const reported = data?.[section]
  return reported ? <DeviceIo device={device} reported={reported} /> : null
}
