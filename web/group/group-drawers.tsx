/** The drawers over the group list: create, edit, move, members, remote account, enrolment keys. */
import { Text } from '@mantine/core'
import { Suspense } from 'react'
import { addGroup, findCanLevelUp, type GroupRow, levelUp, modifyGroupName } from '#schema/group/group'
import { request } from '../kit/api.ts'
import { lazy } from '../kit/chunk.ts'
import type { Field } from '../kit/form/form-model.ts'
import { t } from '../kit/i18n.ts'
import type { Option } from '../kit/list/list-types.ts'
import { useCall } from '../kit/query.ts'
import { withUndo } from '../kit/undo.tsx'
import { createFields, editFields, editValues, useParentOptions } from './group-fields.tsx'
import { type GroupDrawer, groupDrawer, groupReads } from './group-open.ts'

const FormDrawer = lazy(() =>
  import('../kit/form/form-drawer.tsx').then((module) => ({ default: module.FormDrawer })),
)
const GroupMembers = lazy(() =>
  import('./group-members.tsx').then((module) => ({ default: module.GroupMembers })),
)
const GroupRemote = lazy(() =>
  import('./group-remote.tsx').then((module) => ({ default: module.GroupRemote })),
)
const EnrolmentKeys = lazy(() =>
  import('../device/enrolment-keys.tsx').then((module) => ({ default: module.EnrolmentKeys })),
)

/** Possible parents of this group: as returned by the server, with the names from the tree. */
function useTargets(groupId: number): readonly Option[] {
  const can = useCall(findCanLevelUp, { groupId })
  const options = useParentOptions()
  const named = new Map(options.map((option) => [option.value, option]))
  const ids = [...(can.data?.canBeFirst ? [0] : []), ...(can.data?.list ?? []).map(({ gid }) => gid)]
  return ids.flatMap((gid) => named.get(String(gid)) ?? [])
}

const moveFields = (groupId: number): readonly Field[] => [
  {
    name: 'parentGroupId',
    required: true,
    hint: 'group:move.hint',
    useOptions: () => useTargets(groupId),
  },
]

type Shown = { opened: boolean; onClose: () => void }

function GroupMove({ row, ...shown }: Shown & { row: GroupRow }) {
  const can = useCall(findCanLevelUp, { groupId: row.gid })
  const nowhere = can.data !== undefined && !can.data.canBeFirst && can.data.list.length === 0
  return (
    <FormDrawer
      {...shown}
      title={t('group:move.title', { name: row.groupName })}
      verb={t('group:move.verb')}
      call={levelUp}
      fixed={{ groupId: row.gid }}
      refreshes={groupReads}
      fields={moveFields(row.gid)}
      onDone={() =>
        void withUndo({
          text: t('group:move.done', { name: row.groupName }),
          run: async () => null,
          undo: () => request(levelUp, { groupId: row.gid, parentGroupId: row.parentGroupId ?? 0 }),
          refreshes: groupReads,
        })
      }
    >
      {nowhere ? (
        <Text role="status" c="var(--warning)">
          {t('group:move.nowhere')}
        </Text>
      ) : null}
    </FormDrawer>
  )
}

function Drawn({ drawer, ...shown }: Shown & { drawer: GroupDrawer }) {
  switch (drawer.kind) {
    case 'create':
      return (
        <FormDrawer
          {...shown}
          title={t('group:create.title')}
          verb={t('group:create.title')}
          call={addGroup}
          fields={createFields()}
          initial={{ parentGroupId: String(drawer.parent?.gid ?? 0) }}
          refreshes={groupReads}
          success={t('group:create.done')}
        />
      )
    case 'edit':
      return (
        <FormDrawer
          {...shown}
          title={t('group:edit.title', { name: drawer.row.groupName })}
          verb={t('kit:save')}
          edits
          edition={drawer.row.edition}
          call={modifyGroupName}
          fields={editFields(drawer.row)}
          initial={editValues(drawer.row)}
          fixed={{ gid: drawer.row.gid }}
          refreshes={groupReads}
          success={t('group:edit.done')}
        />
      )
    case 'move':
      return <GroupMove {...shown} row={drawer.row} />
    case 'members':
      return <GroupMembers {...shown} row={drawer.row} />
    case 'remote':
      return <GroupRemote {...shown} row={drawer.row} />
    case 'keys':
      return <EnrolmentKeys {...shown} group={drawer.row} />
  }
}

/** Rendered once on the page. */
export function GroupDrawers() {
  const now = groupDrawer.useOpened()
  if (!now) return null
  return (
    <Suspense>
      <Drawn key={now.turn} drawer={now.what} opened={now.shown} onClose={groupDrawer.close} />
    </Suspense>
  )
}
