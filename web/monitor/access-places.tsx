/** The first two steps of fast access: the project, and the gateway among its devices. */
import { Suspense, useState } from 'react'
import { deviceCreatePermission } from '#schema/device/device-pages'
import { getMonitorDevices } from '#schema/monitor/monitor-device'
import { addProject, getProjectList, projectEditPermission } from '#schema/monitor/project'
import { DeviceState } from '../device/device-state.tsx'
import { ActionButton } from '../kit/action-button.tsx'
import { lazy } from '../kit/chunk.ts'
import { FormDrawer } from '../kit/form/form-drawer.tsx'
import { t } from '../kit/i18n.ts'
import { useCall } from '../kit/query.ts'
import { isPlatformUser } from '../people/people-options.ts'
import { ChoiceList, useSearchText } from './choice-list.tsx'
import { projectFields } from './project-fields.tsx'

const DeviceCreate = lazy(() =>
  import('../device/device-create.tsx').then((module) => ({ default: module.DeviceCreate })),
)

/** More are found by searching. */
const SHOWN = 50
const PROJECTS_MAX = 500
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
  const [opened, setOpened] = useState<boolean | null>(null)
  const projects = useCall(getProjectList, { limit: PROJECTS_MAX })
  const groupId = projects.data?.list.find(({ id }) => id === projectId)?.groupId
  const found = useCall(
    getMonitorDevices,
    { projectId, ...search.asked, limit: SHOWN },
    { keepPrevious: true, refreshS: REFRESH_S },
  )
  return (
    <>
      <ChoiceList
        label={t('fast-access:step.device')}
        search={search}
        choices={found.data?.list.map(
          ({ id, deviceName, deviceSn, groupName, terminalCount, ...device }) => ({
            id,
            name: deviceName,
            line: [deviceSn, groupName, t('fast-access:terminals', { count: terminalCount })].join(' · '),
            side: <DeviceState device={device} />,
          }),
        )}
        error={found.error}
        chosen={chosen}
        onChoose={onChoose}
        action={
          <ActionButton
            label={t('device:create.title')}
            permission={deviceCreatePermission}
            onPress={() => setOpened(true)}
          />
        }
        empty={{ title: t('fast-access:noDevice'), text: t('fast-access:noDeviceText') }}
      />
      {opened === null ? null : (
        <Suspense>
          <DeviceCreate
            opened={opened}
            onClose={() => setOpened(false)}
            groupId={groupId}
            onDone={(id) => {
              void found.refetch()
              onChoose(id)
            }}
          />
        </Suspense>
      )}
    </>
  )
}
