import { Alert } from '@mantine/core'
import { moveDevices } from '#schema/device/device-move'
import { getGroupTree } from '#schema/group/group'
import { FormDrawer } from '../kit/form/form-drawer.tsx'
import { number } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import type { Option } from '../kit/list/list-types.ts'
import { useCall } from '../kit/query.ts'
import { toast } from '../kit/toast.tsx'
import type { ManyDevices } from './chosen-devices.ts'
import { deviceReads } from './device-reads.ts'

const STALE_MS = 30_000

/** Users who see groups of several customers see the customer's name with each. */
function useTargets(): { options: readonly Option[]; several: boolean } {
  const { list = [], customers = [] } = useCall(getGroupTree, {}, { staleMs: STALE_MS }).data ?? {}
  const owners = new Map(customers.map(({ cid, customerName }) => [cid, customerName]))
  const several = customers.length > 1
  const options = list.map(({ gid, groupName, cid }) => ({
    value: String(gid),
    label: several ? `${groupName} · ${owners.get(cid) ?? ''}` : groupName,
  }))
  return { options, several }
}

const useTargetOptions = () => useTargets().options

type Props = { opened: boolean; onClose: () => void; many: ManyDevices }

export function DeviceMove({ opened, onClose, many }: Props) {
  const { name, count, selection } = many
  const { several } = useTargets()
  return (
    <FormDrawer
      opened={opened}
      onClose={onClose}
      title={name === null ? t('unusual:move.titleMany', { count }) : t('unusual:move.title', { name })}
      verb={t('unusual:move.verb')}
      call={moveDevices}
      fixed={{ ...selection, atMost: count }}
      refreshes={deviceReads}
      fields={[
        {
          name: 'groupId',
          required: true,
          useOptions: useTargetOptions,
        },
      ]}
      onDone={({ moved, upgrading }) => {
        if (moved > 0) void toast('success', t('unusual:move.done', { count: moved }))
        if (upgrading.length > 0)
          void toast(
            'warning',
            t('unusual:move.upgrading', {
              count: upgrading.length,
              sns: `${upgrading.slice(0, 5).join(t('kit:comma'))}${upgrading.length > 5 ? ` … ${number(upgrading.length)}` : ''}`,
            }),
          )
        many.after?.()
      }}
    >
      {many.preview}
      {several ? <Alert color="yellow">{t('unusual:move.otherCustomer')}</Alert> : null}
    </FormDrawer>
  )
}
