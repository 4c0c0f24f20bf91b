import { Checkbox, Text } from '@mantine/core'
import { IconRestore } from '@tabler/icons-react'
import { useState } from 'react'
import { getCommandList, sendCommand } from '#schema/command/command'
import { deviceBackupPermission } from '#schema/device/commands/backup'
import { deviceResetPermission, factoryReset } from '#schema/device/commands/reset'
import { ActionButton } from '../kit/action-button.tsx'
import { Card } from '../kit/card.tsx'
import { ask } from '../kit/confirm.tsx'
import { t } from '../kit/i18n.ts'
import { useAction } from '../kit/query.ts'
import { can } from '../kit/session.ts'
import parts from './device.module.css'
import type { Device } from './device-actions.tsx'
import { DeviceBackups } from './device-backups.tsx'
import { DeviceSchedule } from './device-schedule.tsx'
import { cannotDo } from './device-section.tsx'

function FactoryReset({ device }: { device: Device }) {
  const [keepNetwork, setKeepNetwork] = useState(true)
  const send = useAction(sendCommand, { refreshes: [getCommandList] })
  const press = async () => {
    const sure = await ask({
      title: t('detail:reset.askTitle', { name: device.deviceName }),
      text: t(keepNetwork ? 'detail:reset.askKeeping' : 'detail:reset.askAll'),
      verb: t('command:name.factoryReset'),
      danger: true,
      typed: device.deviceSn,
    })
    if (sure) send.start({ deviceId: device.deviceId, name: factoryReset.name, args: { keepNetwork } })
  }
  return (
    <Card title={t('command:name.factoryReset')}>
      <Text mb="sm" maw={720}>
        {t('detail:reset.text')}
      </Text>
      <Checkbox
        mb="md"
        styles={{ label: { fontSize: 14 }, description: { fontSize: 12 } }}
        label={t('detail:reset.keepNetwork')}
        description={t('detail:reset.keepNetworkHint')}
        checked={keepNetwork}
        onChange={(event) => setKeepNetwork(event.currentTarget.checked)}
      />
      <ActionButton
        icon={IconRestore}
        color="red"
        variant="light"
        label={t('command:name.factoryReset')}
        permission={deviceResetPermission}
        reason={cannotDo(device, factoryReset.name)}
        busy={send.busy}
        onPress={() => void press()}
      />
    </Card>
  )
}

/** Backups of the configuration, the scheduled reboot, and the way back to the factory's settings. */
export function DeviceConfiguration({ device }: { device: Device }) {
  return (
    <div className={parts['stack']}>
      <DeviceSchedule device={device} />
      {can(deviceBackupPermission) ? <DeviceBackups device={device} /> : null}
      <FactoryReset device={device} />
    </div>
  )
}
