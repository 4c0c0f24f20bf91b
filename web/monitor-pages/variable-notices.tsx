import { IconBell, IconBellOff, IconPencil, IconPlus, IconSend, IconTrash } from '@tabler/icons-react'
import { Suspense } from 'react'
import type { Word } from '#schema/kit/words.gen'
import { conditionWords } from '#schema/monitor/notice/variable-condition'
import {
  deleteVariableNotice,
  enableVariableNotice,
  getVariableNoticeList,
  variableNoticeEditPermission,
  variableNoticeScreen,
} from '#schema/monitor/variable-notice'
import { severityOptions } from '../alarm/alarm-chips.tsx'
import { SeverityChip } from '../alarm/alarm-mark.tsx'
import { ActionButton } from '../kit/action-button.tsx'
import { request } from '../kit/api.ts'
import { lazy } from '../kit/chunk.ts'
import { Empty } from '../kit/empty.tsx'
import { UNKNOWN } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { deleteRow } from '../kit/list/delete-row.ts'
import { listPage } from '../kit/list/list-page.tsx'
import type { Column, Filter, Row } from '../kit/list/list-types.ts'
import { switchAction } from '../kit/list/switch-action.ts'
import { openDrawer, useUrlDrawers } from '../kit/list/url-drawers.ts'
import { StatusChip } from '../kit/status-chip.tsx'
import { When } from '../kit/time.tsx'

export const words: readonly Word[] = ['variable-notice', 'variable', 'alarm', 'severity']

type Notice = Row<typeof getVariableNoticeList>

const conditionText = (row: Notice) => conditionWords(row, t)
const variableText = (row: Notice) =>
  row.variableId === null
    ? `${row.variableName} · ${t('variable-notice:deleted')}`
    : [row.templateName, row.variableName].filter(Boolean).join(' / ')
const terminalsText = (row: Notice) => {
  const chosen = row.terminalScope === 'terminals'
  const named = chosen
    ? row.terminals.join(t('kit:comma')) || UNKNOWN
    : t(`variable-notice:terminalScope.${row.terminalScope}`)
  // The terminals may have got another template since.
  if (row.terminalCount === 0) return `${named} · ${t('variable-notice:coversNone')}`
  return chosen ? named : `${named} · ${t('variable-notice:count', { count: row.terminalCount })}`
}
const wayText = (row: Notice) => row.receivers.join(t('kit:comma')) || UNKNOWN
const pushText = (row: Notice) =>
  row.mode === 'once' ? t('alarm:mode.once') : t('alarm:every', { count: row.intervalMinutes ?? 0 })
const stateText = (row: Notice) => t(row.enabled ? 'alarm:rule.on' : 'alarm:rule.off')

const columns: readonly Column<Notice>[] = [
  { key: 'name', title: 'variable-notice:event', width: 150, pinned: 'left', card: 'title' },
  {
    key: 'enabled',
    title: 'alarm:field.state',
    width: 100,
    card: 'beside',
    render: (row) => <StatusChip tone={row.enabled ? 'online' : 'offline'} label={stateText(row)} />,
    text: stateText,
  },
  {
    key: 'variableName',
    title: 'alarm:field.variable',
    width: 230,
    render: variableText,
    text: variableText,
  },
  {
    key: 'operator',
    title: 'alarm:field.condition',
    width: 110,
    render: conditionText,
    text: conditionText,
  },
  {
    key: 'terminals',
    title: 'variable-notice:terminals',
    width: 125,
    render: terminalsText,
    text: terminalsText,
  },
  {
    key: 'severity',
    title: 'alarm:field.severity',
    width: 115,
    render: (row) => <SeverityChip severity={row.severity} />,
    text: (row) => t(`severity:${row.severity}`),
  },
  { key: 'activeCount', title: 'alarm:rule.activeCount', width: 125, numeric: true },
  { key: 'receivers', title: 'variable-notice:way', width: 180, render: wayText, text: wayText },
  { key: 'mode', title: 'alarm:rule.mode', width: 130, render: pushText, text: pushText },
  { key: 'customerName', title: 'alarm:field.customer', width: 130, extra: true },
  {
    key: 'updatedAt',
    title: 'alarm:rule.updatedAt',
    width: 165,
    render: (row) => <When at={row.updatedAt} absolute />,
  },
]

const filters: readonly Filter[] = [
  { key: 'severity', label: 'alarm:field.severity', useOptions: severityOptions, width: 120 },
  {
    key: 'state',
    label: 'alarm:field.state',
    width: 120,
    useOptions: () => [
      { value: 'enabled', label: t('alarm:rule.on') },
      { value: 'disabled', label: t('alarm:rule.off') },
    ],
  },
]

const NewNotice = lazy(() =>
  import('../monitor/notice-form.tsx').then((part) => ({ default: part.NewNotice })),
)
const EditNotice = lazy(() =>
  import('../monitor/notice-form.tsx').then((part) => ({ default: part.EditNotice })),
)
const Channels = lazy(() =>
  import('../alarm/alarm-channels.tsx').then((part) => ({ default: part.AlarmChannels })),
)

function NewButton() {
  const { show } = useUrlDrawers()
  return (
    <ActionButton
      rank="primary"
      icon={IconPlus}
      label={t('variable-notice:create')}
      permission={variableNoticeEditPermission}
      onPress={() => show('new')}
    />
  )
}

function Actions() {
  const { show, has, rows, drawer } = useUrlDrawers()
  return (
    <>
      <ActionButton icon={IconSend} label={t('alarm:channel.title')} onPress={() => show('channels')} />
      <NewButton />
      <Suspense>
        {has('new') ? <NewNotice {...drawer('new')} /> : null}
        {has('channels') ? <Channels {...drawer('channels')} /> : null}
        {rows.map((id) => (
          <EditNotice key={id} ruleId={Number(id)} {...drawer(id)} />
        ))}
      </Suspense>
    </>
  )
}

export const Page = listPage({
  screen: variableNoticeScreen,
  call: getVariableNoticeList,
  rowKey: 'id',
  columns,
  filters,
  searchPlaceholder: 'variable-notice:search',
  exportName: 'variable-notices',
  refreshS: 20,
  Actions,
  rowActions: (row) => [
    {
      key: 'edit',
      label: t('kit:edit'),
      icon: IconPencil,
      permission: variableNoticeEditPermission,
      reason: row.changeable ? null : t('alarm:rule.locked'),
      run: () => openDrawer(variableNoticeScreen.path, String(row.id)),
    },
    switchAction({
      row,
      list: getVariableNoticeList,
      permission: variableNoticeEditPermission,
      reason: row.changeable ? null : t('alarm:rule.locked'),
      put: (enabled) => request(enableVariableNotice, { ruleId: row.id, enabled }),
      on: { verb: 'alarm:rule.switchOn', done: 'alarm:rule.nowOn', icon: IconBell },
      off: { verb: 'alarm:rule.switchOff', done: 'alarm:rule.nowOff', icon: IconBellOff },
    }),
    {
      key: 'delete',
      label: t('kit:delete'),
      icon: IconTrash,
      permission: variableNoticeEditPermission,
      reason: row.changeable ? null : t('alarm:rule.locked'),
      danger: true,
      run: () =>
        void deleteRow({
          call: deleteVariableNotice,
          body: { ruleId: row.id },
          title: t('variable-notice:removeTitle'),
          text: t('variable-notice:removeText', { name: row.name, count: row.activeCount }),
          done: t('variable-notice:removed', { name: row.name }),
          refreshes: [getVariableNoticeList],
        }),
    },
  ],
  empty: () => (
    <Empty
      title={t('variable-notice:firstTitle')}
      text={t('variable-notice:firstText')}
      action={<NewButton />}
    />
  ),
})
