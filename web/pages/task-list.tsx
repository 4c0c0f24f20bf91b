import { IconPlus, IconRefresh } from '@tabler/icons-react'
import { parseAsString, useQueryState } from 'nuqs'
import { Suspense, useState } from 'react'
import { deviceRebootPermission } from '#schema/device/commands/power'
import type { Word } from '#schema/kit/words.gen'
import { packageListPermission } from '#schema/task/package'
import { getTaskList } from '#schema/task/task-calls'
import { taskListScreen, upgradeCreatePermission } from '#schema/task/task-pages'
import { ActionButton } from '../kit/action-button.tsx'
import { lazy } from '../kit/chunk.ts'
import { Empty } from '../kit/empty.tsx'
import { t } from '../kit/i18n.ts'
import { listPage } from '../kit/list/list-page.tsx'
import type { Filter } from '../kit/list/list-types.ts'
import { statusFilter, taskActions, taskColumns } from '../task/task-columns.tsx'
import { kindText, taskKinds, taskPath } from '../task/task-kinds.ts'
import { useWizardAddress } from '../task/upgrade-wizard-address.ts'

export const words: readonly Word[] = [
  'upgrade',
  'task',
  'package',
  'command',
  'command-many',
  'device-state',
  'severity',
  'rollout',
]

const filters: readonly Filter[] = [
  {
    key: 'kind',
    label: 'upgrade:field.kind',
    useOptions: () => taskKinds.map(({ name }) => ({ value: name, label: kindText(name) })),
  },
  statusFilter,
]

function NewReboot() {
  const [, setAddress] = useQueryState('reboot', parseAsString.withDefault(''))
  return (
    <ActionButton
      icon={IconRefresh}
      label={kindText('reboot')}
      permission={deviceRebootPermission}
      onPress={() => void setAddress('1')}
    />
  )
}

function NewUpgrade() {
  const [, setAddress] = useWizardAddress()
  return (
    <ActionButton
      rank="primary"
      icon={IconPlus}
      label={t('upgrade:wizard.title')}
      permission={[upgradeCreatePermission, packageListPermission]}
      onPress={() => void setAddress({ new: '1' })}
    />
  )
}

const List = listPage({
  screen: taskListScreen,
  call: getTaskList,
  rowKey: 'taskId',
  columns: taskColumns,
  filters,
  searchPlaceholder: 'upgrade:searchPlaceholder',
  exportName: 'tasks',
  refreshS: 5,
  rowLink: taskPath,
  rowActions: taskActions,
  Actions: () => (
    <>
      <NewReboot />
      <NewUpgrade />
    </>
  ),
  empty: () => (
    <Empty title={t('upgrade:first.title')} text={t('upgrade:first.text')} action={<NewUpgrade />} />
  ),
})

const UpgradeWizard = lazy(() =>
  import('../task/upgrade-wizard.tsx').then((module) => ({ default: module.UpgradeWizard })),
)

const RebootMany = lazy(() =>
  import('../task/reboot-many.tsx').then((module) => ({ default: module.RebootMany })),
)

export function Page() {
  const [address] = useWizardAddress()
  const [rebooting] = useQueryState('reboot', parseAsString.withDefault(''))
  const open = address.new === '1'
  // Loaded when first opened; then it stays mounted, because closing is animated.
  const [fetched, setFetched] = useState(open)
  if (open && !fetched) setFetched(true)
  return (
    <>
      <List />
      <Suspense>{rebooting === '1' ? <RebootMany /> : null}</Suspense>
      <Suspense>{fetched ? <UpgradeWizard of="package" /> : null}</Suspense>
    </>
  )
}
