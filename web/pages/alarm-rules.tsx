import { ActionIcon, Menu } from '@mantine/core'
import { IconCalendarTime, IconDots, IconListDetails, IconPlus, IconSend } from '@tabler/icons-react'
import { Suspense } from 'react'
import {
  alarmRuleEditPermission,
  alarmRuleScreen,
  deleteAlarmRule,
  enableAlarmRule,
  getAlarmRuleList,
} from '#schema/alarm/alarm-rule'
import type { Word } from '#schema/kit/words.gen'
import { conditionText, deviceKindOptions } from '../alarm/alarm-chips.tsx'
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
import { t } from '../kit/i18n.ts'
import { deleteRow } from '../kit/list/delete-row.ts'
import { listPage } from '../kit/list/list-page.tsx'
import type { Column, Filter, Row } from '../kit/list/list-types.ts'
import { openDrawer, useUrlDrawers } from '../kit/list/url-drawers.ts'
import { StatusChip } from '../kit/status-chip.tsx'

export const words: readonly Word[] = ['alarm', 'severity']

type Rule = Row<typeof getAlarmRuleList>

const scopeText = ({ scope }: Rule) => t(`alarm:scope.${scope}`)

const columns: readonly Column<Rule>[] = [
  { key: 'name', title: 'alarm:rule.name', width: 190, pinned: 'left', card: 'title' },
  enabledColumn,
  { key: 'kind', title: 'alarm:field.condition', width: 220, render: conditionText, text: conditionText },
  severityColumn,
  {
    key: 'scope',
    title: 'alarm:rule.scope',
    width: 145,
    render: (row) =>
      row.coversNothing ? (
        <StatusChip tone="warning" label={t('alarm:scopeGone')} hint={t('alarm:scopeGoneHint')} />
      ) : (
        scopeText(row)
      ),
    text: (row) => (row.coversNothing ? t('alarm:scopeGone') : scopeText(row)),
  },
  activeColumn,
  modeColumn,
  receiversColumn('alarm:rule.receivers'),
  ...lastColumns,
]

const filters: readonly Filter[] = [
  { key: 'kind', label: 'alarm:field.kind', useOptions: deviceKindOptions },
  ...ruleFilters,
]

const NewRule = lazy(() => import('../alarm/alarm-rule-form.tsx').then((part) => ({ default: part.NewRule })))
const EditRule = lazy(() =>
  import('../alarm/alarm-rule-form.tsx').then((part) => ({ default: part.EditRule })),
)
const Channels = lazy(() =>
  import('../alarm/alarm-channels.tsx').then((part) => ({ default: part.AlarmChannels })),
)
const Deliveries = lazy(() =>
  import('../alarm/alarm-deliveries.tsx').then((part) => ({ default: part.AlarmDeliveries })),
)
const Maintenance = lazy(() =>
  import('../alarm/alarm-maintenance.tsx').then((part) => ({ default: part.AlarmMaintenance })),
)

function NewButton() {
  const { show } = useUrlDrawers()
  return (
    <ActionButton
      rank="primary"
      icon={IconPlus}
      label={t('alarm:rule.create')}
      permission={alarmRuleEditPermission}
      onPress={() => show('new')}
    />
  )
}

function Actions() {
  const { show, has, rows, drawer } = useUrlDrawers()
  return (
    <>
      <ActionButton icon={IconSend} label={t('alarm:channel.title')} onPress={() => show('channels')} />
      <Menu>
        <Menu.Target>
          <ActionIcon variant="default" aria-label={t('kit:more')}>
            <IconDots size={16} stroke={1.5} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={<IconCalendarTime size={16} stroke={1.5} />}
            onClick={() => show('maintenance')}
          >
            {t('alarm:maintenance.title')}
          </Menu.Item>
          <Menu.Item leftSection={<IconListDetails size={16} stroke={1.5} />} onClick={() => show('log')}>
            {t('alarm:delivery.title')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <NewButton />
      <Suspense>
        {has('new') ? <NewRule {...drawer('new')} /> : null}
        {has('channels') ? <Channels {...drawer('channels')} /> : null}
        {has('log') ? <Deliveries {...drawer('log')} /> : null}
        {has('maintenance') ? <Maintenance {...drawer('maintenance')} /> : null}
        {rows.map((id) => (
          <EditRule key={id} ruleId={Number(id)} {...drawer(id)} />
        ))}
      </Suspense>
    </>
  )
}

export const Page = listPage({
  screen: alarmRuleScreen,
  call: getAlarmRuleList,
  rowKey: 'id',
  columns,
  filters,
  searchPlaceholder: 'alarm:rule.search',
  exportName: 'alarm-rules',
  refreshS: 20,
  Actions,
  rowActions: (row) =>
    ruleActions({
      row,
      list: getAlarmRuleList,
      permission: alarmRuleEditPermission,
      edit: () => openDrawer(alarmRuleScreen.path, String(row.id)),
      enable: (enabled) => request(enableAlarmRule, { ruleId: row.id, enabled }),
      remove: () =>
        void deleteRow({
          call: deleteAlarmRule,
          body: { ruleId: row.id },
          title: t('alarm:rule.removeTitle'),
          text: t('alarm:rule.removeText', { name: row.name, count: row.activeCount }),
          done: t('alarm:rule.removed', { name: row.name }),
          refreshes: [getAlarmRuleList],
        }),
    }),
  empty: () => (
    <Empty title={t('alarm:rule.firstTitle')} text={t('alarm:rule.firstText')} action={<NewButton />} />
  ),
})
