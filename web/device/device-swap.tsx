import { Text } from '@mantine/core'
import { useState } from 'react'
import { swapDevice } from '#schema/device/device-swap'
import type { ReplyOf } from '#schema/kit/call'
import { FormDrawer } from '../kit/form/form-drawer.tsx'
import { t } from '../kit/i18n.ts'
import { goTo } from '../kit/navigation.ts'
import { toast } from '../kit/toast.tsx'
import type { OneDevice } from './chosen-devices.ts'
import { DeviceSecret } from './device-create.tsx'
import { detailPath } from './device-options.ts'
import { deviceReads } from './device-reads.ts'

type Props = { opened: boolean; onClose: () => void; device: OneDevice }
type Swapped = ReplyOf<typeof swapDevice>

export function DeviceSwap({ opened, onClose, device }: Props) {
  const [made, setMade] = useState<Swapped | null>(null)
  const show = (swapped: Swapped) => {
    void toast(
      'success',
      t(swapped.secret === null ? 'unusual:swap.keeps' : 'unusual:swap.done', { sn: swapped.deviceSn }),
    )
    if (swapped.secret === null) goTo(detailPath(swapped))
    else setMade(swapped)
  }
  return (
    <>
      <FormDrawer
        opened={opened}
        onClose={onClose}
        title={t('unusual:swap.title', { name: device.deviceName })}
        verb={t('unusual:swap.verb')}
        call={swapDevice}
        fixed={{ deviceId: device.deviceId }}
        refreshes={deviceReads}
        onDone={show}
        fields={[
          {
            name: 'deviceSn',
            hint: 'unusual:swap.snHint',
            required: true,
          },
          { name: 'reason', required: true },
        ]}
      >
        <Text c="dimmed" size="sm">
          {t('unusual:swap.text')}
        </Text>
      </FormDrawer>
      <DeviceSecret
        sn={made?.deviceSn ?? ''}
        made={made?.secret ? { secret: made.secret, mqtt: made.mqtt } : null}
        onClose={() => {
          setMade(null)
          if (made) goTo(detailPath(made))
        }}
      />
    </>
  )
}
