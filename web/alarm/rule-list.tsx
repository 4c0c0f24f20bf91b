/** What the lists of alarm rules and of notices about variables have in common: columns, filters and actions of a row. */
import { IconBell, IconBellOff, IconPencil, IconTrash } from '@tabler/icons-react'
import type { Severity } from '#schema/alarm/alarm-kind'
import type { pushModes } from '#schema/alarm/alarm-rule'
import type { Call } from '#schema/kit/call'
import type { Permission } from '#schema/kit/permission'
import { UNKNOWN } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import type { Column, Filter, RowAction } from '../kit/list/list-types.ts'
import { switchAction } from '../kit/list/switch-action.ts'
import { StatusChip } from '../kit/status-chip.tsx'
import { When } from '../kit/time.tsx'
import { severityOptions } from './alarm-chips.tsx'
import { SeverityChip } from './alarm-mark.tsx'

type Rule = {
  name: string
  enabled: boolean
  severity: Severity
  mode: (typeof pushModes)[number]
  intervalMinutes: number | null
  receivers: readonly string[]
  updatedAt: string
  changeable: boolean
}

const stateText = (row: Rule) => t(row.enabled ? 'alarm:rule.on' : 'alarm:rule.off')
const pushText = (row: Rule) =>
  row.mode === 'once' ? t('alarm:mode.once') : t('alarm:every', { count: row.intervalMinutes ?? 0 })
const receiversText = (row: Rule) => row.receivers.join(t('kit:comma')) || UNKNOWN

export const enabledColumn: Column<Rule> = {
  key: 'enabled',
  title: 'alarm:field.state',
  width: 105,
  card: 'beside',
  render: (row) => <StatusChip tone={row.enabled ? 'online' : 'offline'} label={stateText(row)} />,
  text: stateText,
}
export const severityColumn: Column<Rule> = {
  key: 'severity',
  title: 'alarm:field.severity',
  width: 118,
  render: (row) => <SeverityChip severity={row.severity} />,
  text: (row) => t(`severity:${row.severity}`),
}
export const activeColumn: Column<Rule> = {
  key: 'activeCount',
  title: 'alarm:rule.activeCount',
  width: 125,
  numeric: true,
}
export const modeColumn: Column<Rule> = {
  key: 'mode',
  title: 'alarm:rule.mode',
  width: 130,
  render: pushText,
  text: pushText,
}
export const receiversColumn = (title: 'alarm:rule.receivers' | 'variable-notice:way'): Column<Rule> => ({
  key: 'receivers',
  title,
  width: 190,
  render: receiversText,
  text: receiversText,
})
export const lastColumns: readonly Column<Rule>[] = [
  { key: 'customerName', title: 'alarm:field.customer', width: 130, extra: true },
  {
    key: 'updatedAt',
    title: 'alarm:rule.updatedAt',
    width: 165,
    render: (row) => <When at={row.updatedAt} absolute />,
  },
]

export const ruleFilters: readonly Filter[] = [
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

type Actions = {
  row: Rule
  list: Call
  permission: Permission
  edit: () => void
  enable: (enabled: boolean) => Promise<unknown>
  remove: () => void
}

/** A rule that a user may see but not change keeps its actions, with the reason. */
export function ruleActions({ row, list, permission, edit, enable, remove }: Actions): RowAction[] {
  const shared = { permission, reason: row.changeable ? null : t('alarm:rule.locked') }
  return [
    { key: 'edit', label: t('kit:edit'), icon: IconPencil, run: edit, ...shared },
    switchAction({
      row,
      list,
      put: enable,
      on: { verb: 'alarm:rule.switchOn', done: 'alarm:rule.nowOn', icon: IconBell },
      off: { verb: 'alarm:rule.switchOff', done: 'alarm:rule.nowOff', icon: IconBellOff },
      ...shared,
    }),
    { key: 'delete', label: t('kit:delete'), icon: IconTrash, danger: true, run: remove, ...shared },
  ]
}
