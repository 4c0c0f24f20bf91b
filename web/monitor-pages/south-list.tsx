import { Text } from '@mantine/core'
import { IconFlask, IconKey, IconListDetails, IconLock, IconLockOpen, IconTrash } from '@tabler/icons-react'
import type { ReplyOf } from '#schema/kit/call'
import type { Word } from '#schema/kit/words.gen'
import {
  addSouth,
  deleteSouth,
  getSouthList,
  modifySouth,
  renewSouth,
  southEditPermission,
  southScreen,
  switchSouth,
} from '#schema/monitor/south'
import { ActionButton } from '../kit/action-button.tsx'
import { request } from '../kit/api.ts'
import { ask } from '../kit/confirm.tsx'
import { Empty } from '../kit/empty.tsx'
import { CopyField, SecretOnce } from '../kit/form/secret-once.tsx'
import { number } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { deleteRow } from '../kit/list/delete-row.ts'
import { listEditor } from '../kit/list/list-editor.tsx'
import { listPage } from '../kit/list/list-page.tsx'
import type { Column, Filter, ListContext } from '../kit/list/list-types.ts'
import { switchAction } from '../kit/list/switch-action.ts'
import { Mono } from '../kit/mono.tsx'
import { opener } from '../kit/opener.ts'
import { queryClient, reportError } from '../kit/query.ts'
import { reachedAt } from '../kit/reach.ts'
import { StatusChip } from '../kit/status-chip.tsx'
import { When } from '../kit/time.tsx'
import { ofProjects } from '../monitor/place-filters.ts'
import { type SouthAccount, southFields, southKindOptions } from '../monitor/south-fields.ts'
import { SouthNames } from '../monitor/south-names.tsx'
import { SouthTester } from '../monitor/south-tester.tsx'

export const words: readonly Word[] = ['south', 'variable']

const stateOf = ({ enabled, connected }: SouthAccount) =>
  enabled ? (connected ? 'connected' : 'away') : 'locked'
const stateText = (row: SouthAccount) => t(`south:state.${stateOf(row)}`)
const faultText = ({ fault, faultTopic }: SouthAccount) =>
  fault ? [t(`south:fault.${fault}`), faultTopic].filter(Boolean).join(' · ') : ''
const kindText = ({ kind }: SouthAccount) => t(`south:kind.${kind}`)

const columns: readonly Column<SouthAccount>[] = [
  { key: 'name', title: 'south:field.name', width: 170, pinned: 'left', card: 'title' },
  {
    key: 'state',
    title: 'south:field.state',
    width: 140,
    card: 'beside',
    render: (row) => (
      <StatusChip tone={row.enabled && row.connected ? 'online' : 'offline'} label={stateText(row)} />
    ),
    text: stateText,
  },
  { key: 'projectName', title: 'south:field.project', width: 140 },
  { key: 'kind', title: 'south:field.kind', width: 170, render: kindText, text: kindText },
  {
    key: 'username',
    title: 'south:field.username',
    width: 170,
    render: (row) => <Mono value={row.username} />,
  },
  {
    key: 'messageAt',
    title: 'south:field.messageAt',
    width: 150,
    render: (row) => <When at={row.messageAt} />,
  },
  {
    key: 'perSecond',
    title: 'south:field.perSecond',
    width: 110,
    numeric: true,
    render: (row) => number(row.perSecond, 1),
  },
  {
    key: 'stored',
    title: 'south:field.stored',
    width: 130,
    numeric: true,
    render: (row) => number(row.stored),
  },
  {
    key: 'terminalCount',
    title: 'south:field.terminalCount',
    width: 110,
    numeric: true,
    render: (row) => number(row.terminalCount),
  },
  {
    key: 'unmappedCount',
    title: 'south:field.unmappedCount',
    width: 140,
    numeric: true,
    render: (row) => number(row.unmappedCount),
  },
  { key: 'fault', title: 'south:field.fault', width: 240, render: faultText, text: faultText },
  {
    key: 'createdAt',
    title: 'south:field.createdAt',
    width: 160,
    extra: true,
    render: (row) => <When at={row.createdAt} absolute />,
  },
]

const filters: readonly Filter[] = [
  {
    key: 'projectId',
    label: 'south:field.project',
    ...ofProjects,
  },
  { key: 'kind', label: 'south:field.kind', useOptions: southKindOptions },
]

type Login = ReplyOf<typeof addSouth>
const login = opener<Login>()
const names = opener<SouthAccount>()
const tester = opener<SouthAccount | null>()

const editor = listEditor({
  list: getSouthList,
  fields: southFields,
  success: 'south:saved',
  create: {
    call: addSouth,
    title: 'south:create',
    permission: southEditPermission,
    initial: { kind: 'mapping' },
    onDone: (reply) => login.show(reply),
  },
  edit: {
    call: modifySouth,
    title: 'south:edit',
    permission: southEditPermission,
    fixed: ({ id }) => ({ id }),
    values: ({ name, topics, mapping }) => ({ name, topics: topics.join('\n'), ...mapping }),
  },
})

function LoginOnce() {
  const now = login.useOpened()
  const made = now?.what
  return (
    <SecretOnce opened={now?.shown ?? false} onClose={login.close} title={t('south:loginTitle')}>
      <CopyField label={t('south:server')} value={reachedAt(made?.mqtt.plain)} />
      <CopyField label={t('south:serverTls')} value={reachedAt(made?.mqtt.tls)} />
      <CopyField label={t('south:field.username')} value={made?.username ?? ''} />
      <CopyField label={t('south:field.password')} value={made?.password ?? ''} />
      <Text size="sm" c="dimmed">
        {t('south:qos')}
      </Text>
    </SecretOnce>
  )
}

function Actions(context: ListContext) {
  const opened = names.useOpened()
  const trying = tester.useOpened()
  return (
    <>
      <ActionButton
        icon={IconFlask}
        label={t('south:tester.open')}
        permission={southEditPermission}
        onPress={() => tester.show(null)}
      />
      <editor.Actions {...context} />
      {trying ? (
        <SouthTester key={trying.turn} account={trying.what} opened={trying.shown} onClose={tester.close} />
      ) : null}
      <LoginOnce />
      {opened ? (
        <SouthNames key={opened.turn} account={opened.what} opened={opened.shown} onClose={names.close} />
      ) : null}
    </>
  )
}

async function renew({ id, name }: SouthAccount): Promise<void> {
  const sure = await ask({
    title: t('south:renewTitle'),
    text: t('south:renewText', { name }),
    verb: t('south:renew'),
    danger: true,
  })
  if (!sure) return
  try {
    login.show(await request(renewSouth, { id }))
    await queryClient.invalidateQueries({ queryKey: [getSouthList.name] })
  } catch (error) {
    reportError(error)
  }
}

export const Page = listPage({
  screen: southScreen,
  call: getSouthList,
  rowKey: 'id',
  columns,
  filters,
  searchPlaceholder: 'south:search',
  exportName: 'south',
  refreshS: 10,
  Actions,
  rowActions: (row) => [
    { key: 'names', label: t('south:names.open'), icon: IconListDetails, run: () => names.show(row) },
    {
      key: 'try',
      label: t('south:tester.open'),
      icon: IconFlask,
      permission: southEditPermission,
      run: () => tester.show(row),
    },
    editor.edit(row),
    switchAction({
      row,
      list: getSouthList,
      permission: southEditPermission,
      put: (enabled) => request(switchSouth, { id: row.id, enabled }),
      on: { verb: 'south:unlock', done: 'south:unlocked', icon: IconLockOpen },
      off: { verb: 'south:lock', done: 'south:locked', icon: IconLock },
    }),
    {
      key: 'renew',
      label: t('south:renew'),
      icon: IconKey,
      permission: southEditPermission,
      danger: true,
      run: () => void renew(row),
    },
    {
      key: 'delete',
      label: t('kit:delete'),
      icon: IconTrash,
      permission: southEditPermission,
      danger: true,
      run: () =>
        void deleteRow({
          call: deleteSouth,
          body: { id: row.id },
          title: t('south:removeTitle'),
          text: t('south:removeText', { name: row.name }),
          done: t('south:removed', { name: row.name }),
          refreshes: [getSouthList],
        }),
    },
  ],
  empty: () => (
    <Empty title={t('south:firstTitle')} text={t('south:firstText')} action={<editor.CreateButton />} />
  ),
})
