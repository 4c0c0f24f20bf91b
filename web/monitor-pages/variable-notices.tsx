import { IconPlus, IconSend } from '@tabler/icons-react'
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
import {
  activeColumn,
  enabledColumn,
  lastColumns,
  modeColumn,
  receiversColumn,
  ruleActions,
  ruleFilters,
  severityColumn,
} from '../alarm/rule-list.tsx'
import { ActionButton } from '../kit/action-button.tsx'
import { request } from '../kit/api.ts'
import { lazy } from '../kit/chunk.ts'
import { Empty } from '../kit/empty.tsx'
import { UNKNOWN } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { deleteRow } from '../kit/list/delete-row.ts'
import { listPage } from '../kit/list/list-page.tsx'
import type { Column, Row } from '../kit/list/list-types.ts'
import { openDrawer, useUrlDrawers } from '../kit/list/url-drawers.ts'

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
const columns: readonly Column<Notice>[] = [
  { key: 'name', title: 'variable-notice:event', width: 150, pinned: 'left', card: 'title' },
  enabledColumn,
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
  severityColumn,
  activeColumn,
  receiversColumn('variable-notice:way'),
  modeColumn,
  ...lastColumns,
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
  filters: ruleFilters,
  searchPlaceholder: 'variable-notice:search',
  exportName: 'variable-notices',
  refreshS: 20,
  Actions,
  rowActions: (row) =>
    ruleActions({
      row,
      list: getVariableNoticeList,
      permission: variableNoticeEditPermission,
      edit: () => openDrawer(variableNoticeScreen.path, String(row.id)),
      enable: (enabled) => request(enableVariableNotice, { ruleId: row.id, enabled }),
      remove: () =>
        void deleteRow({
          call: deleteVariableNotice,
          body: { ruleId: row.id },
          title: t('variable-notice:removeTitle'),
          text: t('variable-notice:removeText', { name: row.name, count: row.activeCount }),
          done: t('variable-notice:removed', { name: row.name }),
          refreshes: [getVariableNoticeList],
        }),
    }),
  empty: () => (
    <Empty
      title={t('variable-notice:firstTitle')}
      text={t('variable-notice:firstText')}
      action={<NewButton />}
    />
  ),
})
