import { getDeviceDetail, getDeviceList, modifyDevice } from '#schema/device/device'
import { FormDrawer } from '../kit/form/form-drawer.tsx'
import { t } from '../kit/i18n.ts'
import type { OneDevice } from './chosen-devices.ts'

type Props = { opened: boolean; onClose: () => void; device: OneDevice }

/** [§5 Device] Name and location, neither empty; and the plan of its SIM. */
export function DeviceEdit({ opened, onClose, device }: Props) {
  return (
    <FormDrawer
      opened={opened}
      onClose={onClose}
      title={t('unusual:edit')}
      verb={t('device:action.save')}
      edits
      edition={device.edition}
      call={modifyDevice}
      refreshes={[getDeviceDetail, getDeviceList]}
      success={t('device:action.saved')}
      fixed={{ deviceId: device.deviceId }}
      initial={{
        deviceName: device.deviceName,
        address: device.address ?? '',
        dataPlanMb: device.dataPlanMb ?? 0,
      }}
      fields={[{ name: 'deviceName', required: true }, { name: 'address', required: true }, 'dataPlanMb']}
    />
  )
}
