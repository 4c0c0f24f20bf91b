import { ActionIcon, Menu } from '@mantine/core'
import { IconDots, IconEdit, IconKey, IconKeyOff, IconPackageImport, IconPower } from '@tabler/icons-react'
import { useState } from 'react'
import { reboot } from '#schema/commands/power'
import {
  getDeviceDetail,
  getDeviceList,
  modifyDevice,
  revokeDeviceSecret,
  rotateDeviceSecret,
} from '#schema/device'
import { functions } from '#schema/functions'
import type { ReplyOf } from '#schema/kit/call'
import { ActionButton, whyNot } from '../kit/action-button.tsx'
import { ask } from '../kit/confirm.tsx'
import { FormDrawer } from '../kit/form-drawer.tsx'
import { t } from '../kit/i18n.ts'
import { goTo } from '../kit/navigation.ts'
import { useAction } from '../kit/query.ts'
import { rebootMany } from './device-commands.ts'
import { DeviceSecret } from './device-create.tsx'

export type Device = ReplyOf<typeof getDeviceDetail>

/** Why the device cannot be told to do this; null: it can. */
const cannotReboot = (device: Device) => {
  if (!device.online) return t('device:reason.offline')
  return device.features && !device.features.includes(reboot.name) ? t('device:reason.unsupported') : null
}

export function DeviceActions({ device }: { device: Device }) {
  const { deviceId } = device
  const [editing, setEditing] = useState(false)
  const [made, setMade] = useState<ReplyOf<typeof rotateDeviceSecret> | null>(null)
  const refreshes = [getDeviceDetail, getDeviceList]
  const rotate = useAction(rotateDeviceSecret, { refreshes, onDone: setMade })
  const revoke = useAction(revokeDeviceSecret, { refreshes, success: t('device:secret.revoked') })
  const noSecret = whyNot(functions.deviceSecret)
  const noEdit = whyNot(functions.deviceEdit)

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
        variant="default"
        icon={IconPackageImport}
        label={t('device:action.upgrade')}
        functionId={functions.upgradeCreate}
        onPress={() => goTo(`/task/upgrade?new=1&dids=${deviceId}`)}
      />
      <ActionButton
        icon={IconPower}
        label={t('command:name.reboot')}
        functionId={functions.deviceReboot}
        reason={cannotReboot(device)}
        onPress={() => void rebootMany([device])}
      />
      <Menu>
        <Menu.Target>
          <ActionIcon variant="default" size={32} aria-label={t('kit:more')}>
            <IconDots size={18} stroke={1.5} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={<IconEdit size={16} stroke={1.5} />}
            disabled={noEdit !== null}
            title={noEdit ?? undefined}
            onClick={() => setEditing(true)}
          >
            {t('device:action.edit')}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconKey size={16} stroke={1.5} />}
            disabled={noSecret !== null}
            title={noSecret ?? undefined}
            onClick={() => void askRotate()}
          >
            {t('device:secret.rotate')}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconKeyOff size={16} stroke={1.5} />}
            color="var(--critical)"
            disabled={noSecret !== null || device.credential === 'revoked'}
            title={noSecret ?? undefined}
            onClick={() => void askRevoke()}
          >
            {t('device:secret.revoke')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <FormDrawer
        key={`${device.deviceName} ${device.address}`}
        opened={editing}
        onClose={() => setEditing(false)}
        title={t('device:action.edit')}
        verb={t('device:action.save')}
        call={modifyDevice}
        refreshes={refreshes}
        success={t('device:action.saved')}
        fixed={{ deviceId }}
        initial={{ deviceName: device.deviceName, address: device.address ?? '' }}
        fields={[
          { name: 'deviceName', label: 'device:column.deviceName', required: true },
          { name: 'address', label: 'device:column.address', required: true },
        ]}
      />
      <DeviceSecret sn={device.deviceSn} made={made} onClose={() => setMade(null)} />
    </>
  )
}
