import { IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { alarmRuleEditPermission } from '#schema/alarm/alarm-rule'
import { createMaintenance, deleteMaintenance, getMaintenanceList } from '#schema/alarm/maintenance'
import { useOwnGroupOptions } from '../device/device-options.ts'
import { devicePicker } from '../device/device-picker.tsx'
import { ActionIconButton } from '../kit/action-button.tsx'
import { Empty } from '../kit/empty.tsx'
import { FormDrawer } from '../kit/form/form-drawer.tsx'
import type { Field } from '../kit/form/form-model.ts'
import { ownZone, zoneOptions } from '../kit/form/zones.ts'
import { moment } from '../kit/format.ts'
import { t, textsIn } from '../kit/i18n.ts'
import { deleteRow } from '../kit/list/delete-row.ts'
import { Entry, EntryDrawer, useEntries } from '../kit/list/entry-drawer.tsx'
import type { Row } from '../kit/list/list-types.ts'
import { serverNow } from '../kit/server/server-clock.ts'
import { StatusChip } from '../kit/status-chip.tsx'
import { useNow } from '../kit/time.tsx'
import { ownedChoice } from '../people/owned-choice.tsx'
import { isPlatformUser, ownScope, scopeOptions, useCustomerOptions } from '../people/people-options.ts'

type Window = Row<typeof getMaintenanceList>
const MINUTE_MS = 60_000

const fields: readonly Field[] = [
  {
    name: 'customerId',
    required: true,
    useOptions: useCustomerOptions,
    empties: ['groupIds', 'deviceIds'],
    when: isPlatformUser,
  },
  { name: 'name', required: true },
  {
    name: 'scope',
    required: true,
    useOptions: () => scopeOptions(textsIn('alarm:scope'), 'customer'),
  },
  {
    name: 'groupIds',
    hint: 'alarm:rule.groupsHint',
    required: true,
    when: (values) => values['scope'] === 'groups',
    Draw: ownedChoice(useOwnGroupOptions, undefined),
  },
  {
    name: 'deviceIds',
    required: true,
    when: (values) => values['scope'] === 'devices',
    Draw: devicePicker([]),
  },
  { name: 'startsAt', required: true },
  { name: 'endsAt', required: true },
  {
    name: 'repeats',
    required: true,
    choices: () => textsIn('alarm:repeats'),
  },
  {
    name: 'timeZone',
    useOptions: zoneOptions,
    when: (values) => values['repeats'] !== 'once',
  },
]

function WindowChip({ item }: { item: Window }) {
  const now = useNow(MINUTE_MS)
  if (item.active) return <StatusChip tone="warning" label={t('alarm:maintenance.now')} />
  if (item.repeats === 'once' && new Date(item.endsAt).getTime() < now)
    return <StatusChip tone="offline" label={t('alarm:maintenance.past')} />
  return <StatusChip tone="pending" label={t('alarm:maintenance.planned')} />
}

const initial = () => {
  const start = Math.ceil(serverNow() / MINUTE_MS) * MINUTE_MS
  return {
    scope: ownScope('customer'),
    repeats: 'once',
    timeZone: ownZone(),
    startsAt: new Date(start).toISOString(),
    endsAt: new Date(start + 60 * MINUTE_MS).toISOString(),
  }
}

export function AlarmMaintenance({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const windows = useEntries(getMaintenanceList, {}, opened)
  const [creating, setCreating] = useState(false)
  const [proposed, setProposed] = useState(initial)
  return (
    <>
      <EntryDrawer
        opened={opened}
        onClose={onClose}
        title={t('alarm:maintenance.title')}
        text={t('alarm:maintenance.text')}
        entries={windows}
        create={{
          label: t('alarm:maintenance.create'),
          permission: alarmRuleEditPermission,
          onPress: () => {
            setProposed(initial())
            setCreating(true)
          },
        }}
        empty={<Empty title={t('alarm:maintenance.none')} />}
        entry={(item) => (
          <Entry
            key={item.id}
            title={item.name}
            chips={<WindowChip item={item} />}
            facts={[
              `${moment(item.startsAt)} – ${moment(item.endsAt)}`,
              t(`alarm:repeats.${item.repeats}`),
              item.scope === 'customer' ? t('alarm:scope.customer') : item.targets.join(t('kit:comma')),
              isPlatformUser() ? item.customerName : null,
            ]}
          >
            {item.changeable ? (
              <ActionIconButton
                label={t('kit:delete')}
                icon={IconTrash}
                danger
                permission={alarmRuleEditPermission}
                onPress={() =>
                  void deleteRow({
                    call: deleteMaintenance,
                    body: { maintenanceId: item.id },
                    title: t('alarm:maintenance.removeTitle'),
                    text: t('alarm:maintenance.removeText', { name: item.name }),
                    done: t('alarm:maintenance.removed', { name: item.name }),
                    refreshes: [getMaintenanceList],
                  })
                }
              />
            ) : null}
          </Entry>
        )}
      />
      <FormDrawer
        opened={creating}
        onClose={() => setCreating(false)}
        title={t('alarm:maintenance.create')}
        verb={t('alarm:maintenance.create')}
        call={createMaintenance}
        refreshes={[getMaintenanceList]}
        success={t('alarm:maintenance.saved')}
        initial={proposed}
        fields={fields}
      />
    </>
  )
}
