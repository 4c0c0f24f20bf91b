import { Group } from '@mantine/core'
import { IconFileImport, IconKey, IconListCheck, IconPlus } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { deviceCreatePermission } from '#schema/device/device-pages'
import { enrolmentKeysPermission } from '#schema/device/enrol'
import { groupListPermission } from '#schema/group/group-pages'
import { taskListPermission, taskListScreen } from '#schema/task/task-pages'
import { commandsToMany } from '../command/commands.ts'
import { lazy } from '../kit/chunk.ts'
import { Empty } from '../kit/empty.tsx'
import { t } from '../kit/i18n.ts'
import type { ListContext } from '../kit/list/list-types.ts'
import { goTo } from '../kit/navigation.ts'
import { useNewParameter } from '../kit/new-parameter.ts'
import { HeaderActions } from '../kit/page/header-actions.tsx'
import { can, type Needed } from '../kit/session.ts'
import { DeviceDialogs, openDeviceDialog } from './device-dialogs.tsx'

const DeviceCreate = lazy(() =>
  import('./device-create.tsx').then((module) => ({ default: module.DeviceCreate })),
)
const DeviceImport = lazy(() =>
  import('./device-import.tsx').then((module) => ({ default: module.DeviceImport })),
)
const EnrolmentKeys = lazy(() =>
  import('./enrolment-keys.tsx').then((module) => ({ default: module.EnrolmentKeys })),
)

/** What each requires. New devices and keys are of a group that is chosen; an import may name the groups itself. */
const needed = {
  create: [deviceCreatePermission, groupListPermission],
  import: deviceCreatePermission,
  keys: [enrolmentKeysPermission, groupListPermission],
} as const satisfies Record<string, Needed>
type Kind = keyof typeof needed
const kinds = Object.keys(needed) as readonly Kind[]
type Open = Kind | null

type Props = Pick<ListContext, 'reload'> & {
  /** Of the list below; a command from the URL is about its devices. */
  filter?: ListContext['filter']
  /** Placed in the header of the device list, not in an empty list. */
  inHeader?: boolean
  /** Placed in an empty list, in addition to the header. */
  again?: boolean
}

export function DeviceListActions({ reload, filter, again, inHeader = false }: Props) {
  const [open, setOpen] = useState<Open>(null)
  // Once opened they stay mounted: closing is animated, and a new secret must not vanish with its drawer.
  const [fetched, setFetched] = useState<readonly Open[]>([])
  const show = (next: Open) => {
    setFetched([...fetched, next])
    setOpen(next)
  }
  const close = () => setOpen(null)
  useNewParameter((what) => {
    const kind = kinds.find((one) => one === what)
    if (!again && kind && can(needed[kind])) show(kind)
    // The palette's "reboot tokyo": the devices of the list's filter, confirmed in the usual dialog.
    const command = commandsToMany.find(({ name }) => name === what)
    if (inHeader && filter && Object.keys(filter).length > 0 && command && can(command.permission))
      openDeviceDialog({
        kind: 'command',
        many: { name: null, count: null, selection: { filter } },
        command: command.name,
      })
  })
  return (
    <>
      <HeaderActions
        folds={inHeader}
        actions={[
          ...(inHeader
            ? [
                {
                  key: 'batches',
                  icon: IconListCheck,
                  label: t('command-many:title'),
                  permission: taskListPermission,
                  run: () => goTo(`${taskListScreen.path}?kind=reboot`),
                },
              ]
            : []),
          {
            key: 'keys',
            icon: IconKey,
            label: t('device:keys.title'),
            permission: needed.keys,
            run: () => show('keys'),
          },
          {
            key: 'import',
            icon: IconFileImport,
            label: t('device:import.title'),
            permission: needed.import,
            run: () => show('import'),
          },
          {
            key: 'create',
            icon: IconPlus,
            label: t('device:create.title'),
            permission: needed.create,
            primary: true,
            run: () => show('create'),
          },
        ]}
      />
      <DeviceDialogs />
      <Suspense>
        {fetched.includes('create') ? (
          <DeviceCreate opened={open === 'create'} onClose={close} onDone={reload} />
        ) : null}
        {fetched.includes('import') ? (
          <DeviceImport opened={open === 'import'} onClose={close} onDone={reload} />
        ) : null}
        {fetched.includes('keys') ? <EnrolmentKeys opened={open === 'keys'} onClose={close} /> : null}
      </Suspense>
    </>
  )
}

/** Shown for an empty fleet: the three ways to add devices. */
export function FirstDevice({ onDone }: { onDone: () => void }) {
  if (kinds.every((kind) => !can(needed[kind])))
    return <Empty title={t('device:first.title')} text={t('device:first.noRight')} />
  return (
    <Empty
      title={t('device:first.title')}
      text={t('device:first.text')}
      action={
        <Group justify="center" gap={8}>
          <DeviceListActions reload={onDone} again />
        </Group>
      }
    />
  )
}
