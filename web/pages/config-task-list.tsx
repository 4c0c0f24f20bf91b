import { IconPlus } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import type { Word } from '#schema/kit/words.gen'
import { configTaskCreatePermission, configTaskScreen } from '#schema/task/config-pages'
import { getConfigTaskList } from '#schema/task/config-task'
import { ActionButton } from '../kit/action-button.tsx'
import { lazy } from '../kit/chunk.ts'
import { Empty } from '../kit/empty.tsx'
import { t } from '../kit/i18n.ts'
import { listPage } from '../kit/list/list-page.tsx'
import { statusFilter, taskActions, taskColumns } from '../task/task-columns.tsx'
import { taskPath } from '../task/task-kinds.ts'
import { useWizardAddress } from '../task/upgrade-wizard-address.ts'

export const words: readonly Word[] = [
  'config-task',
  'config-file',
  'upgrade',
  'task',
  'package',
  'command',
  'command-many',
  'device-state',
  'severity',
  'rollout',
]

/** All are of one kind, and none has a model. */
const columns = taskColumns
  .filter(({ key }) => key !== 'kind' && key !== 'model')
  .map((column) =>
    column.key === 'version' ? { ...column, title: 'config-task:field.file' as const } : column,
  )

function NewButton() {
  const [, setAddress] = useWizardAddress()
  return (
    <ActionButton
      rank="primary"
      icon={IconPlus}
      label={t('config-task:wizard.title')}
      permission={configTaskCreatePermission}
      onPress={() => void setAddress({ new: '1' })}
    />
  )
}

const List = listPage({
  screen: configTaskScreen,
  call: getConfigTaskList,
  rowKey: 'taskId',
  columns,
  filters: [statusFilter],
  searchPlaceholder: 'upgrade:searchPlaceholder',
  exportName: 'config-tasks',
  refreshS: 5,
  rowLink: taskPath,
  rowActions: taskActions,
  Actions: NewButton,
  empty: () => (
    <Empty title={t('config-task:first.title')} text={t('config-task:first.text')} action={<NewButton />} />
  ),
})

const UpgradeWizard = lazy(() =>
  import('../task/upgrade-wizard.tsx').then((module) => ({ default: module.UpgradeWizard })),
)

export function Page() {
  const [address] = useWizardAddress()
  const open = address.new === '1'
  // Loaded when first opened; then it stays mounted, because closing is animated.
  const [fetched, setFetched] = useState(open)
  if (open && !fetched) setFetched(true)
  return (
    <>
      <List />
      <Suspense>{fetched ? <UpgradeWizard of="config" /> : null}</Suspense>
    </>
  )
}
