/** The device that a page of remote operation is about. */
import { getDeviceDetail } from '#schema/device/device'
import type { Screen } from '#schema/kit/screen'
import { openTunnel } from '#schema/remote/open-tunnel'
import { commandBlockedReason } from '../command/commands.ts'
import { viewerZone } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { usePage, usePageTitle } from '../kit/page/page.tsx'
import { pageOf } from '../kit/page/screen-title.ts'
import { useCall } from '../kit/query.ts'
import { accessBlocked, useDeviceAccess } from './access-card.tsx'

const REFRESH_S = 10

export function useRemoteDevice(screen: Screen) {
  const { params } = usePage()
  const deviceId = Number(params['id'])
  const read = useCall(
    getDeviceDetail,
    { deviceId, zone: viewerZone() },
    { enabled: Number.isSafeInteger(deviceId) && deviceId > 0, refreshS: REFRESH_S },
  )
  const device = read.data
  const access = useDeviceAccess(deviceId)
  const offline =
    device && !device.deletedAt && !device.online
      ? t(device.state === 'neverSeen' ? 'remote:neverSeen' : 'remote:offline')
      : null
  usePageTitle(device && pageOf(device.deviceName, screen))
  const unreachable = device ? (offline ?? commandBlockedReason(device, openTunnel.name)) : null
  return {
    read,
    device,
    deviceId,
    sn: params['sn'] ?? '',
    /** Why the device itself cannot be reached now; null: it can. */
    unreachable,
    /** Why no tunnel can be asked for now; null: it can. */
    blocked: device ? (unreachable ?? accessBlocked(access)) : read.isPending ? t('kit:loading') : null,
    access,
  }
}
