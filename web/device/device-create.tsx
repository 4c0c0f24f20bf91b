import { useState } from 'react'
import { createDevice, type rotateDeviceSecret } from '#schema/device/device'
import type { ReplyOf } from '#schema/kit/call'
import { FormDrawer } from '../kit/form/form-drawer.tsx'
import { CopyField, SecretOnce } from '../kit/form/secret-once.tsx'
import { t } from '../kit/i18n.ts'
import { mosquittoOptions, reachedAt } from '../kit/reach.ts'
import { useGroupOptions } from './device-options.ts'
import { deviceReads } from './device-reads.ts'

type Props = {
  opened: boolean
  onClose: () => void
  onDone: (deviceId: number) => void
  /** The group that is proposed. */
  groupId?: number | undefined
}

export function DeviceCreate({ opened, onClose, onDone, groupId }: Props) {
  const [created, setCreated] = useState<ReplyOf<typeof createDevice> | null>(null)
  return (
    <>
      <FormDrawer
        opened={opened}
        onClose={onClose}
        title={t('device:create.title')}
        verb={t('device:create.verb')}
        call={createDevice}
        refreshes={deviceReads}
        {...(groupId === undefined ? {} : { initial: { groupId: String(groupId) } })}
        onDone={(reply) => {
          setCreated(reply)
          onDone(reply.deviceId)
        }}
        fields={[
          { name: 'deviceSn', required: true, hint: 'device:create.snHint' },
          { name: 'deviceName', required: true },
          {
            name: 'groupId',
            required: true,
            useOptions: useGroupOptions,
          },
          { name: 'address', required: true },
        ]}
      />
      <DeviceSecret sn={created?.deviceSn ?? ''} made={created} onClose={() => setCreated(null)} />
    </>
  )
}

/** How a device logs in: the serial number is both user name and client id. */
export function DeviceSecret({
  sn,
  made,
  onClose,
}: {
  sn: string
  made: ReplyOf<typeof rotateDeviceSecret> | null
  onClose: () => void
}) {
  const options = mosquittoOptions(made?.mqtt)
  return (
    <SecretOnce opened={made !== null} onClose={onClose} title={t('device:secret.title', { sn })}>
      <CopyField label={t('device:secret.secret')} value={made?.secret ?? ''} />
      <CopyField label={t('device:secret.server')} value={reachedAt(made?.mqtt.plain)} />
      <CopyField label={t('device:secret.serverTls')} value={reachedAt(made?.mqtt.tls)} />
      <CopyField
        block
        label={t('device:secret.tryIt')}
        value={
          options &&
          `mosquitto_sub ${options} -i ${sn} -u ${sn} -P '${made?.secret}' -t 'v1/${sn}/down/#' -q 1 -v`
        }
      />
    </SecretOnce>
  )
}
