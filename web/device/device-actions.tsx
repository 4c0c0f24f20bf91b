import { ActionIcon, Menu } from '@mantine/core'
import {
  IconArrowsExchange,
  IconDots,
  IconEdit,
  IconFolderSymlink,
  IconKey,
  IconKeyOff,
  IconMapPin,
  IconPackageImport,
  IconTrash,
} from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { getDeviceDetail, getDeviceList, revokeDeviceSecret, rotateDeviceSecret } from '#schema/device/device'
import { deviceMovePermission } from '#schema/device/device-move'
import { deviceEditPermission, deviceSecretPermission } from '#schema/device/device-pages'
import { deviceSwapPermission } from '#schema/device/device-swap'
import { deviceDeletePermission } from '#schema/device/unusual'
import { groupListPermission } from '#schema/group/group-pages'
import type { ReplyOf } from '#schema/kit/call'
import { packageListPermission } from '#schema/task/package'
import { upgradeCreatePermission } from '#schema/task/task-pages'
import { HeaderCommands, MenuCommands } from '../command/command-button.tsx'
import { ActionButton } from '../kit/action-button.tsx'
import { lazy } from '../kit/chunk.ts'
import { ask } from '../kit/confirm.tsx'
import { t } from '../kit/i18n.ts'
import { ActionMenuItem } from '../kit/list/action-menu-item.tsx'
import { goTo } from '../kit/navigation.ts'
import { useAction } from '../kit/query.ts'
import { oneOf } from './chosen-devices.ts'
import { DeviceDialogs, openDeviceDialog, type Wanted } from './device-dialogs.tsx'

/** With the forms, which a page without an opened one does not need. */
const DeviceSecret = lazy(() =>
  import('./device-create.tsx').then((module) => ({ default: module.DeviceSecret })),
)

export type Device = ReplyOf<typeof getDeviceDetail>

/** Actions that change the device's group, place or hardware. */
const placesOf = (device: Device) =>
  [
    {
      key: 'edit',
      label: t('unusual:edit'),
      icon: IconEdit,
      permission: deviceEditPermission,
      wanted: { kind: 'edit', device },
    },
    {
      key: 'place',
      label: t('device-map:place.verb'),
      icon: IconMapPin,
      permission: deviceEditPermission,
      wanted: { kind: 'place', device },
    },
    {
      key: 'move',
      label: t('unusual:move.verb'),
      icon: IconFolderSymlink,
      permission: [deviceMovePermission, groupListPermission],
      wanted: { kind: 'move', many: oneOf(device) },
    },
    {
      key: 'swap',
      label: t('unusual:swap.verb'),
      icon: IconArrowsExchange,
      permission: deviceSwapPermission,
      wanted: { kind: 'swap', device },
    },
  ] as const satisfies readonly { wanted: Wanted; [rest: string]: unknown }[]

export function DeviceActions({ device }: { device: Device }) {
  const { deviceId } = device
  const [made, setMade] = useState<ReplyOf<typeof rotateDeviceSecret> | null>(null)
  const refreshes = [getDeviceDetail, getDeviceList]
  const rotate = useAction(rotateDeviceSecret, { refreshes, onDone: setMade })
  const revoke = useAction(revokeDeviceSecret, { refreshes, success: t('device:secret.revoked') })
  // An abnormal device can only be viewed and restored.
  const gone = device.deletedAt ? t('unusual:life.isDeleted') : null
  const places = placesOf(device)

  const askRotate = async () => {
    const sure = await ask({
      title: t('device:secret.rotateTitle'),
      text: t('device:secret.rotateText'),
      verb: t('device:secret.rotate'),
      danger: true,
    })
    if (sure) rotate.start({ deviceId })
  }
  const askRevoke = async () => {
    const sure = await ask({
      title: t('device:secret.revokeTitle'),
      text: t('device:secret.revokeText'),
      verb: t('device:secret.revoke'),
      danger: true,
      typed: device.deviceSn,
    })
    if (sure) revoke.start({ deviceId })
  }
  return (
    <>
      <ActionButton
        icon={IconPackageImport}
        label={t('device:action.upgrade')}
        permission={[upgradeCreatePermission, packageListPermission]}
        reason={gone}
        onPress={() => goTo(`/task/upgrade?new=1&dids=${deviceId}`)}
      />
      <HeaderCommands device={device} />
      <Menu>
        <Menu.Target>
          <ActionIcon variant="default" size={32} aria-label={t('kit:more')}>
            <IconDots size={18} stroke={1.5} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <MenuCommands device={device} />
          {places.map(({ key, label, icon, permission, wanted }) => (
            <ActionMenuItem
              key={key}
              icon={icon}
              label={label}
              permission={permission}
              reason={gone}
              run={() => openDeviceDialog(wanted)}
            />
          ))}
          <ActionMenuItem
            icon={IconKey}
            label={t('device:secret.rotate')}
            permission={deviceSecretPermission}
            reason={gone}
            run={() => void askRotate()}
          />
          <ActionMenuItem
            icon={IconKeyOff}
            label={t('device:secret.revoke')}
            permission={deviceSecretPermission}
            reason={gone ?? (device.credential === 'revoked' ? t('device:secret.alreadyRevoked') : null)}
            danger
            run={() => void askRevoke()}
          />
          <ActionMenuItem
            icon={IconTrash}
            label={t('unusual:delete.verb')}
            permission={deviceDeletePermission}
            reason={gone}
            danger
            run={() => openDeviceDialog({ kind: 'delete', many: oneOf(device) })}
          />
        </Menu.Dropdown>
      </Menu>
      <DeviceDialogs />
      <Suspense>
        {made ? <DeviceSecret sn={device.deviceSn} made={made} onClose={() => setMade(null)} /> : null}
      </Suspense>
    </>
  )
}
