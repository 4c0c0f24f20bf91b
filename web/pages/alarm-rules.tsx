import { ActionIcon, Menu } from '@mantine/core'
import {
  IconBell,
  IconBellOff,
  IconCalendarTime,
  IconDots,
  IconListDetails,
  IconPencil,
  IconPlus,
  IconSend,
  IconTrash,
} from '@tabler/icons-react'
import { Suspense } from 'react'
import {
  alarmRuleEditPermission,
  alarmRuleScreen,
  deleteAlarmRule,
  enableAlarmRule,
  getAlarmRuleList,
} from '#schema/alarm/alarm-rule'
import type { Word } from '#schema/kit/words.gen'
import { conditionText, deviceKindOptions, severityOptions } from '../alarm/alarm-chips.tsx'
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

export const words: readonly Word[] = ['alarm', 'severity']

type Rule = Row<typeof getAlarmRuleList>

const receiversText = (row: Rule) => row.receivers.join(', ') || UNKNOWN
const pushText = (row: Rule) =>
  row.mode === 'once' ? t('alarm:mode.once') : t('alarm:every', { count: row.intervalMinutes ?? 0 })

const columns: readonly Column<Rule>[] = [
  { key: 'name', title: 'alarm:rule.name', width: 190, pinned: 'left', card: 'title' },
  {
    key: 'enabled',
    title: 'alarm:field.state',
    width: 105,
    card: 'beside',
    render: (row) => (
      <StatusChip
        tone={row.enabled ? 'online' : 'offline'}
        label={t(row.enabled ? 'alarm:rule.on' : 'alarm:rule.off')}
      />
    ),
    text: (row) => t(row.enabled ? 'alarm:rule.on' : 'alarm:rule.off'),
  },
  { key: 'kind', title: 'alarm:field.condition', width: 220, render: conditionText, text: conditionText },
  {
    key: 'severity',
    title: 'alarm:field.severity',
    width: 118,
    render: (row) => <SeverityChip severity={row.severity} />,
    text: (row) => t(`severity:${row.severity}`),
  },
  {
    key: 'scope',
    title: 'alarm:rule.scope',
    width: 125,
    render: (row) => t(`alarm:scope.${row.scope}`),
    text: (row) => t(`alarm:scope.${row.scope}`),
  },
  { key: 'activeCount', title: 'alarm:rule.activeCount', width: 125, numeric: true },
  { key: 'mode', title: 'alarm:rule.mode', width: 130, render: pushText, text: pushText },
  { key: 'receivers', title: 'alarm:rule.receivers', width: 190, render: receiversText, text: receiversText },
  { key: 'customerName', title: 'alarm:field.customer', width: 130, extra: true },
  {
    key: 'updatedAt',
    title: 'alarm:rule.updatedAt',
    width: 165,
    render: (row) => <When at={row.updatedAt} absolute />,
  },
]

const filters: readonly Filter[] = [
  { key: 'kind', label: 'alarm:field.kind', useOptions: deviceKindOptions },
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
  rowActions: (row) => [
    {
      key: 'edit',
      label: t('kit:edit'),
      icon: IconPencil,
      permission: alarmRuleEditPermission,
      reason: row.changeable ? null : t('alarm:rule.locked'),
      run: () => openDrawer(alarmRuleScreen.path, String(row.id)),
    },
    switchAction({
      row,
      list: getAlarmRuleList,
      permission: alarmRuleEditPermission,
      reason: row.changeable ? null : t('alarm:rule.locked'),
      put: (enabled) => request(enableAlarmRule, { ruleId: row.id, enabled }),
      on: { verb: 'alarm:rule.switchOn', done: 'alarm:rule.nowOn', icon: IconBell },
      off: { verb: 'alarm:rule.switchOff', done: 'alarm:rule.nowOff', icon: IconBellOff },
    }),
    {
      key: 'delete',
      label: t('kit:delete'),
      icon: IconTrash,
      permission: alarmRuleEditPermission,
      reason: row.changeable ? null : t('alarm:rule.locked'),
      danger: true,
      run: () =>
        void deleteRow({
          call: deleteAlarmRule,
          body: { ruleId: row.id },
          title: t('alarm:rule.removeTitle'),
          text: t('alarm:rule.removeText', { name: row.name, count: row.activeCount }),
          done: t('alarm:rule.removed', { name: row.name }),
          refreshes: [getAlarmRuleList],
        }),
    },
  ],
  empty: () => (
    <Empty title={t('alarm:rule.firstTitle')} text={t('alarm:rule.firstText')} action={<NewButton />} />
  ),
})
