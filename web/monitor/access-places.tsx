/** The first two steps of fast access: the project, and the gateway among its devices. */
import { useState } from 'react'
import { deviceListScreen } from '#schema/device/device-pages'
import { getMonitorDevices } from '#schema/monitor/monitor-device'
import { addProject, getProjectList, projectEditPermission } from '#schema/monitor/project'
import { DeviceState } from '../device/device-state.tsx'
import { ActionButton } from '../kit/action-button.tsx'
import { FormDrawer } from '../kit/form/form-drawer.tsx'
import { t } from '../kit/i18n.ts'
import { goTo } from '../kit/navigation.ts'
import { useCall } from '../kit/query.ts'
import { holdsScreen } from '../kit/session.ts'
import { isPlatformUser } from '../people/people-options.ts'
import { ChoiceList, useSearchText } from './choice-list.tsx'
import { projectFields } from './project-fields.tsx'

/** More are found by searching. */
const SHOWN = 50
const REFRESH_S = 10

type Props = { chosen: number | null; onChoose: (id: number) => void }

export function AccessProject({ chosen, onChoose }: Props) {
  const search = useSearchText()
  const [opened, setOpened] = useState(false)
  const found = useCall(getProjectList, { ...search.asked, limit: SHOWN }, { keepPrevious: true })
  return (
    <>
      <ChoiceList
        label={t('fast-access:step.project')}
        search={search}
        choices={found.data?.list.map(({ id, name, type, groupName, customerName, deviceCount }) => ({
          id,
          name,
          line: [
            t(`project:type.${type}`),
            groupName,
            ...(isPlatformUser() ? [customerName] : []),
            t('fast-access:devices', { count: deviceCount }),
          ].join(' · '),
        }))}
        error={found.error}
        chosen={chosen}
        onChoose={onChoose}
        action={
          <ActionButton
            label={t('project:create')}
            permission={projectEditPermission}
            onPress={() => setOpened(true)}
          />
        }
        empty={{ title: t('project:first.title'), text: t('project:first.text') }}
      />
      <FormDrawer
        opened={opened}
        onClose={() => setOpened(false)}
        title={t('project:create')}
        verb={t('project:create')}
        call={addProject}
        fields={projectFields(null)}
        refreshes={[getProjectList]}
        success={t('project:saved')}
        onDone={({ id }) => onChoose(id)}
      />
    </>
  )
}

export function AccessDevice({ projectId, chosen, onChoose }: Props & { projectId: number }) {
  const search = useSearchText()
  const found = useCall(
    getMonitorDevices,
    { projectId, ...search.asked, limit: SHOWN },
    { keepPrevious: true, refreshS: REFRESH_S },
  )
  return (
    <ChoiceList
      label={t('fast-access:step.device')}
      search={search}
      choices={found.data?.list.map(({ id, deviceName, deviceSn, groupName, terminalCount, ...device }) => ({
        id,
        name: deviceName,
        line: [deviceSn, groupName, t('fast-access:terminals', { count: terminalCount })].join(' · '),
        side: <DeviceState device={device} />,
      }))}
      error={found.error}
      chosen={chosen}
      onChoose={onChoose}
      action={
        holdsScreen(deviceListScreen) ? (
          <ActionButton
            label={t('fast-access:addDevice')}
            onPress={() => goTo(`${deviceListScreen.path}?new=1`)}
          />
        ) : undefined
      }
      empty={{ title: t('fast-access:noDevice'), text: t('fast-access:noDeviceText') }}
    />
  )
}
